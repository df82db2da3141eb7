"""URLs of people: the block list, and the forms on a profile."""

from django.urls import path

from games.people.blocking import views

app_name = "people"

urlpatterns = [
    path("blocked/", views.blocked, name="blocked"),
    path("profile/<handle:handle>/block/", views.block, name="block"),
    path("profile/<handle:handle>/unblock/", views.unblock, name="unblock"),
]
