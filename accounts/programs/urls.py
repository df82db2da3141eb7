"""URLs of tokens and bots, below /people/."""

from django.urls import path

from accounts.programs import views

urlpatterns = [
    path("tokens/", views.tokens, name="tokens"),
    path("bots/", views.bots, name="bots"),
]
