"""URLs of the archive."""

from django.urls import path

from games.archive.views import matches, records

app_name = "archive"

urlpatterns = [
    path("", matches.index, name="index"),
    path("<number:match_id>/", matches.match, name="match"),
    path("<number:match_id>/record/", matches.record, name="record"),
    path("records/", records.index, name="records"),
    path("records/new/", records.new, name="new_record"),
    path("records/<number:record_id>/", records.imported, name="imported"),
    path("records/<number:record_id>/text/", records.text, name="text"),
    path("records/<number:record_id>/change/", records.change, name="change"),
    path("shared/<str:token>/", records.shared, name="shared"),
    path("shared/<str:token>/text/", records.shared_text, name="shared_text"),
]
