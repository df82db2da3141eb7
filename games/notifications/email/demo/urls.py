"""URLs of the demo mailbox."""

from django.urls import path

from games.notifications.email.demo import views

urlpatterns = [
    path("", views.mailbox, name="mailbox"),
    path("<slug:name>/", views.email, name="mailbox_email"),
    path("<slug:name>/html/", views.email_html, name="mailbox_html"),
]
