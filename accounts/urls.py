from django.urls import path

from accounts import views

app_name = "accounts"

urlpatterns = [
    path("preferences/", views.preferences, name="preferences"),
    path("leave/", views.leave, name="leave"),
    path("letters/<str:token>/", views.stop_letters, name="letters"),
    path("profile/<str:handle>/", views.profile, name="profile"),
]
