"""URLs of accounts: preferences, sessions, tokens, bots, profile, export, closing."""

from django.urls import include, path

from accounts import views

app_name = "accounts"

urlpatterns = [
    path("preferences/", views.preferences, name="preferences"),
    path("sessions/", views.list_sessions, name="sessions"),
    path("", include("accounts.programs.urls")),
    path("export/", views.export, name="export"),
    path("leave/", views.leave, name="leave"),
    path("leave/stay/", views.stay, name="stay"),
    path("unsubscribe/<str:token>/", views.stop_emails, name="unsubscribe"),
    path("profile/<handle:handle>/", views.profile, name="profile"),
]
