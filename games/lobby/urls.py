"""URLs of the lobby."""

from django.urls import path

from games.lobby import views

app_name = "lobby"

urlpatterns = [
    path("", views.index, name="index"),
    path("new/", views.new, name="new"),
    path("strength/", views.strength, name="strength"),
    path("challenge/<handle:handle>/", views.challenge, name="challenge"),
    path("link/<str:token>/", views.link, name="link"),
    path("rematch/<number:match_id>/", views.rematch, name="rematch"),
    path("<number:invitation_id>/", views.detail, name="detail"),
    path("<number:invitation_id>/accept/", views.accept, name="accept"),
    path("<number:invitation_id>/decline/", views.decline, name="decline"),
    path("<number:invitation_id>/withdraw/", views.withdraw, name="withdraw"),
    path("<number:invitation_id>/prolong/", views.prolong, name="prolong"),
    path("<number:invitation_id>/report/", views.report, name="report"),
]
