"""The product's addresses and, before them, the floor's."""

from django.urls import path

from config.urls import urlpatterns as product
from tests.bench.floor import views

urlpatterns = [
    path("floor/tiny/", views.tiny, name="tiny"),
    path("floor/process/", views.process, name="process"),
    path("floor/empty/", views.empty, name="empty"),
    path("floor/move/<int:game_id>/", views.move, name="lean-move"),
    *product,
]
