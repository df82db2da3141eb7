"""URLs of notification settings, feeds and the service worker."""

from django.urls import path

from games.notifications import views

app_name = "notifications"

urlpatterns = [
    path("notices/", views.settings, name="settings"),
    path("notices/devices/", views.add_device, name="add_device"),
    path("notices/devices/<number:pk>/remove/", views.remove_device, name="remove_device"),
    path("notices/webhooks/", views.add_hook, name="add_hook"),
    path("notices/webhooks/<number:pk>/remove/", views.remove_hook, name="remove_hook"),
    path("notices/feeds/renew/", views.renew_feeds, name="renew_feeds"),
    path("notices/feeds/close/", views.close_feeds, name="close_feeds"),
    path("notices/close/", views.close_all, name="close_all"),
    path("notices/seen/", views.seen, name="seen"),
    path("notices/try/email/", views.trial, {"channel": "email"}, name="try_email"),
    path("notices/try/push/<number:pk>/", views.trial, {"channel": "push"}, name="try_push"),
    path("notices/try/webhook/<number:pk>/", views.trial, {"channel": "webhook"}, name="try_hook"),
    path("feeds/<str:token>/waiting.atom", views.atom, name="atom"),
    path("feeds/<str:token>/deadlines.ics", views.ical, name="ical"),
    path("offline/", views.offline, name="offline"),
    path("service-worker.js", views.service_worker, name="service_worker"),
]
