"""The tiny page, and a URL that shows that the server answers."""

from django.http import HttpResponse
from django.urls import path

from tests.bench.floor import views

urlpatterns = [
    path("", lambda request: HttpResponse("Here.")),
    path("floor/tiny/", views.tiny, name="tiny"),
]
