"""What answers each address."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import TemplateView

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
    path("help/", TemplateView.as_view(template_name="help.html"), name="help"),
]
