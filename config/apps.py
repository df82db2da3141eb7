"""The wiring as a Django app: the embedded broker's table, and the commands that start things."""

from django.apps import AppConfig


class Config(AppConfig):
    name = "config"
