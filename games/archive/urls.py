from django.urls import path

from games.archive import views

app_name = "archive"

urlpatterns = [
    path("", views.index, name="index"),
    path("<int:match_id>/", views.match, name="match"),
    path("<int:match_id>/record/", views.record, name="record"),
]
