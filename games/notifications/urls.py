"""URLs of notification settings, feeds and the service worker."""

from django.urls import path

from games.notifications import bot_views, views

app_name = "notifications"

urlpatterns = [
    path("notifications/", views.settings, name="settings"),
    path("notifications/devices/", views.add_device, name="add_device"),
    path("notifications/devices/renew/", views.renew_device, name="renew_device"),
    path("notifications/devices/<number:pk>/remove/", views.remove_device, name="remove_device"),
    path("notifications/webhooks/", views.add_webhook, name="add_webhook"),
    path("notifications/webhooks/<number:pk>/remove/", views.remove_webhook, name="remove_webhook"),
    path("notifications/bots/<handle:handle>/", bot_views.bot, name="bot"),
    path("notifications/feeds/renew/", views.renew_feeds, name="renew_feeds"),
    path("notifications/feeds/close/", views.close_feeds, name="close_feeds"),
    path("notifications/close/", views.close_all, name="close_all"),
    path("notifications/seen/", views.seen, name="seen"),
    path("notifications/try/email/", views.trial, {"channel": "email"}, name="try_email"),
    path("notifications/try/push/<number:pk>/", views.trial, {"channel": "push"}, name="try_push"),
    path(
        "notifications/try/webhook/<number:pk>/",
        views.trial,
        {"channel": "webhook"},
        name="try_webhook",
    ),
    path("feeds/<str:token>/waiting.atom", views.atom, name="atom"),
    path("feeds/<str:token>/deadlines.ics", views.ical, name="ical"),
    path("offline/", views.offline, name="offline"),
    path("service-worker.js", views.service_worker, name="service_worker"),
]
