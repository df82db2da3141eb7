"""URLs of the API: its operations, and its document."""

from django.urls import path

from games.api import document, operations

app_name = "api"

urlpatterns = [
    path("openapi.json", document.openapi, name="openapi"),
    *operations.patterns(),
]
