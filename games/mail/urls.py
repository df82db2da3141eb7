"""URLs of play by mail: the page on which a message is confirmed."""

from django.urls import path

from games.mail import views

app_name = "mail"

urlpatterns = [
    path("confirm/<number:message_id>/", views.confirm, name="confirm"),
]
