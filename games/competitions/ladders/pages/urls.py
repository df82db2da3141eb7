"""URLs of ladders."""

from django.urls import path

from games.competitions.ladders.pages import views

app_name = "ladders"

urlpatterns = [
    path("", views.index, name="index"),
    path("<slug:family>/", views.ladder, name="ladder"),
    path("<slug:family>/log/", views.log, name="log"),
    path("<slug:family>/join/", views.join, name="join"),
    path("<slug:family>/leave/", views.leave, name="leave"),
    path("<slug:family>/challenge/<handle:handle>/", views.challenge, name="challenge"),
]
