"""URLs of play by mail: the page on which a message is confirmed, and providers' webhooks."""

from django.urls import path

from games.mail import views
from games.mail.inbound import providers

app_name = "mail"

urlpatterns = [
    path("confirm/<number:message_id>/", views.confirm, name="confirm"),
    path("in/<slug:name>/", providers.receive, name="provider"),
    # One provider sends raw messages to addresses with this ending.
    path("in/<slug:name>/mime/", providers.receive, name="provider_mime"),
]
