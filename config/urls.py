"""What answers each address."""

from django.contrib import admin
from django.urls import include, path

from games.play.views.guide import guide
from games.play.views.home import home

urlpatterns = [
    path("", home, name="home"),
    path("", include("games.play.urls")),
    path("lobby/", include("games.lobby.urls")),
    path("archive/", include("games.archive.urls")),
    path("letters/", include("games.mail.urls")),
    path("people/", include("accounts.urls")),
    path("account/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("help/", guide, name="help"),
]
