"""URLs of ratings."""

from django.urls import path

from games.ratings.pages import views

app_name = "ratings"

urlpatterns = [
    path("ratings/", views.index, name="index"),
    path("ratings/<slug:family>/", views.family, name="family"),
    path("people/profile/<handle:handle>/ratings/<slug:family>/", views.person, name="person"),
]
