"""URLs of the archive."""

from django.urls import path

from games.archive.views import films, history, matches, plies, records, summary

app_name = "archive"

urlpatterns = [
    path("", matches.index, name="index"),
    path("history/", history.index, name="history"),
    path("<number:match_id>/", matches.match, name="match"),
    path("<number:match_id>/summary/", summary.page, name="summary"),
    path("<number:match_id>/chart.svg", summary.chart_file, name="chart"),
    path("<number:match_id>/film/", films.order, name="film"),
    path("<number:match_id>/film-<slug:eyes>.gif", films.file, name="film_file"),
    path("<number:match_id>/record/", matches.record, name="record"),
    path("<number:match_id>/battles/", plies.battles_of_match, name="battles"),
    path("<number:match_id>/plies/<number:block>/", plies.of_match, name="plies"),
    path("records/", records.index, name="records"),
    path("records/new/", records.new, name="new_record"),
    path("records/<number:record_id>/", records.imported, name="imported"),
    path("records/<number:record_id>/text/", records.text, name="text"),
    path("records/<number:record_id>/battles/", plies.battles_of_own, name="own_battles"),
    path("records/<number:record_id>/plies/<number:block>/", plies.of_own, name="own_plies"),
    path("records/<number:record_id>/change/", records.change, name="change"),
    path("shared/<str:token>/", records.shared, name="shared"),
    path("shared/<str:token>/text/", records.shared_text, name="shared_text"),
    path("shared/<str:token>/battles/", plies.battles_of_shared, name="shared_battles"),
    path("shared/<str:token>/plies/<number:block>/", plies.of_shared, name="shared_plies"),
]
