"""The tiny page, and an address by which one sees that the server answers."""

from django.http import HttpResponse
from django.urls import path

from tests.bench.floor import views

urlpatterns = [
    path("", lambda request: HttpResponse("Here.")),
    path("floor/tiny/", views.tiny, name="tiny"),
]
