"""URLs of play by mail: the confirmation page and webhooks of mail providers."""

from django.urls import path

from games.mail import views
from games.mail.inbound import provider_webhooks

app_name = "mail"

urlpatterns = [
    path("confirm/<number:message_id>/", views.confirm, name="confirm"),
    path("in/<slug:name>/", provider_webhooks.receive, name="provider"),
    # Mailgun sends raw messages only to URLs that end in mime/.
    path("in/<slug:name>/mime/", provider_webhooks.receive, name="provider_mime"),
]
