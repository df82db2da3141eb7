"""URLs of reports and decisions."""

from django.urls import path

from games.people.moderation import views

app_name = "moderation"

urlpatterns = [
    path("people/profile/<handle:handle>/report/", views.report_profile, name="report_profile"),
    path(
        "match/<number:match_id>/talk/<number:line>/report/", views.report_line, name="report_line"
    ),
    path("people/reports/", views.own, name="own"),
    path("people/decision/<str:token>/", views.decision, name="decision"),
]
