"""URLs of house opponents."""

from django.urls import path

from games.house import views

app_name = "house"

urlpatterns = [
    path("", views.play, name="play"),
    path("thoughts/<number:match_id>/", views.thought, name="thought"),
]
