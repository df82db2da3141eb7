"""URLs of the demo mailbox."""

from django.urls import path

from games.notifications.email import views

urlpatterns = [
    path("", views.mailbox, name="mailbox"),
    path("<slug:name>/", views.letter, name="mailbox_letter"),
    path("<slug:name>/html/", views.letter_html, name="mailbox_html"),
]
