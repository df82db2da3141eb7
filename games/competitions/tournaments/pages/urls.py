"""URLs of tournaments."""

from django.urls import path

from games.competitions.tournaments.pages import views

app_name = "tournaments"

urlpatterns = [
    path("", views.index, name="index"),
    path("<number:tournament_id>/", views.tournament, name="tournament"),
    path("<number:tournament_id>/enter/", views.enter, name="enter"),
    path("<number:tournament_id>/leave/", views.leave, name="leave"),
    path("<number:tournament_id>/table.csv", views.table_csv, name="table_csv"),
    path("<number:tournament_id>/pairings.csv", views.pairings_csv, name="pairings_csv"),
]
