"""Root URL configuration: which app answers which path."""

from django.contrib import admin
from django.urls import include, path

from config.watch.views import metrics
from games.api.reference import reference
from games.guide import proofs
from games.guide import views as guide
from games.play.views.home import home

handler400 = "config.web.server_errors.handler400"
handler500 = "config.web.server_errors.handler500"

urlpatterns = [
    path("", home, name="home"),
    path("", include("games.talk.urls")),
    path("", include("games.watch.urls")),
    path("", include("games.play.urls")),
    path("lobby/", include("games.lobby.urls")),
    path("tournaments/", include("games.competitions.tournaments.pages.urls")),
    path("house/", include("games.house.urls")),
    path("ladders/", include("games.competitions.ladders.pages.urls")),
    path("archive/", include("games.archive.urls")),
    path("", include("games.notifications.urls")),
    path("emails/", include("games.mail.inbound.urls")),
    path("emails/", include("games.notifications.email.demo.urls")),
    path("mail/", include("games.mail.urls")),
    path("api/v1/", include("games.api.urls")),
    path("api/docs/", reference, name="api_reference"),
    path("people/", include("accounts.urls")),
    path("people/", include("games.people.blocking.urls")),
    path("", include("games.ratings.pages.urls")),
    path("", include("games.people.moderation.urls")),
    path("account/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("metrics", metrics, name="metrics"),
    path("proofs/", proofs.explained, name="proofs"),
    path("proofs/keys/", proofs.keys, name="proofs_keys"),
    path("proofs/verify.py", proofs.program, name="proofs_program"),
    path("help/", guide.index, name="help"),
    path("help/lessons/", include("games.guide.urls")),
    path("help/<slug:family>/", guide.game, name="help_game"),
    path("help/<slug:family>/<slug:name>.svg", guide.picture, name="help_picture"),
]
