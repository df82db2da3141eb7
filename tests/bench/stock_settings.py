"""Settings of the floor under every page: Django as `startproject` leaves it, and the tiny page."""

from tests.bench.settings import *  # noqa: F403

DATABASES["default"]["ENGINE"] = "django.db.backends.postgresql"  # noqa: F405
INSTALLED_APPS = [*INSTALLED_APPS, "django.contrib.sessions"]  # noqa: F405
ROOT_URLCONF = "tests.bench.floor.stock_urls"
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",  # it does not start without
]
SESSION_ENGINE = "django.contrib.sessions.backends.db"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
