"""URLs of watching. They come before those of play, whose last one takes any name."""

from django.urls import path

from games.watch import views

app_name = "watch"

urlpatterns = [
    path("watch/", views.index, name="index"),
    path("watch/live/", views.live, name="live"),
    path("match/<number:match_id>/follow/", views.follow, name="follow"),
]
