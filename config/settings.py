"""Django settings, read from environment variables; with none set, all runs on one machine.

Reading them creates nothing: `manage.py prepare`, `migrate` and `up` create the folder and the keys
(config/keys/prepare.py).

For any NAME, the variable NAME_FILE may name a file to read the value from, as systemd and compose
pass secrets. docs/running/settings.md lists the names.
"""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config.environment import time_zone_data
from config.environment.addresses import FILE_BROKER
from config.environment.variables import Environment
from config.keys.key_files import KEYS, read_later
from config.logs.records import logging_config

env = Environment()
time_zone_data.use_newest()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env("VAR_DIR", default=str(BASE_DIR / "var"))).resolve()

# The address people type. Its scheme decides whether cookies and redirects require HTTPS.
SITE_URL = env.site("SITE_URL", default="http://localhost:8000")
_site = urlsplit(SITE_URL)
SITE_HOST = _site.hostname or "localhost"
HTTPS = _site.scheme == "https"
# Browsers send cookies to every port of a host. So their names contain the port, unless it is the
# usual one, and two instances on one host keep their own sessions.
_port = _site.port or (443 if HTTPS else 80)
_COOKIE_SUFFIX = "" if _port == (443 if HTTPS else 8000) else f"-{_port}"

# Where workers poll the web servers' readiness endpoint (games/play/commands/health.py).
WEB_URLS = env.sites("WEB_URL")
# Where they reach the proxy, for the same endpoint. The host name, also that of the certificate, is
# that of SITE_URL.
PROXY_URLS = env.sites("PROXY_URL")

DEBUG = env.bool("DEBUG", default=False)
# Demo mode shows passwords and e-mails to everybody: for a local machine only.
DEMO = env.bool("DEMO", default=False)

# Keys that the environment does not give are kept in files.
KEY_FILES = {name: VAR_DIR / file for name, (file, _make) in KEYS.items() if not env(name)}
SECRET_KEY = env.key("SECRET_KEY") or read_later(VAR_DIR / "secret_key")
SECRET_KEY_FALLBACKS = env.keys("SECRET_KEY_FALLBACKS")
# Set-ups, positions, second factors and sessions are encrypted with the first of these and
# decrypted with any of them.
SEAL_KEYS = env.keys("SEAL_KEYS") or [read_later(VAR_DIR / "seal_key")]
# The heads of matches are signed with the first of these; the public keys of all are published.
PROOF_KEYS = env.proof_keys("PROOF_KEYS") or [read_later(VAR_DIR / "proof_key")]

ALLOWED_HOSTS = [SITE_HOST, "localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS += env.hosts("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = [SITE_URL]

INSTALLED_APPS = [
    "config",
    "accounts",
    "games.outbox",
    "games.idempotency",
    "games.play",
    "games.people",
    "games.ratings",
    "games.talk",
    "games.lobby",
    "games.competitions",
    "games.archive",
    "games.guide",
    "games.watch",
    "games.house",
    "games.notifications",
    "games.mail",
    "games.api",
    "accounts.apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
]

MIDDLEWARE = [
    # First, so that every response is logged.
    "config.logs.access_log.access_log",
    "config.web.middleware.measure_load",
    "django.middleware.security.SecurityMiddleware",
    # Before static files and the API, so that every response has a policy.
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.web.middleware.policies",
    # Requests of the API go no further.
    "games.api.gate.middleware.gate",
    "config.web.middleware.refuse_trace",
    "accounts.middleware.for_everybody",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accounts.middleware.Authentication",
    "accounts.middleware.preferences",
    "config.web.middleware.body_limit",
    "accounts.middleware.refusals",
    "accounts.middleware.no_store",
    "accounts.middleware.sessions",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "accounts.middleware.keep_unsent_forms",
    "config.web.middleware.RefuseForms",
    "allauth.account.middleware.AccountMiddleware",
    # Last, so that it sees a view's exception before another turns it into a response.
    "games.idempotency.middleware.IdempotencyMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.web.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.web.context_processors.site",
            ],
            "libraries": dict.fromkeys(["i18n", "static"], "config.web.constant_tags"),
            "builtins": ["config.web.constant_tags", "games.idempotency.templatetags.idempotency"],
        },
    },
]

# config/web/constant_tags.py replaces two of Django's tag libraries under the same names.
SILENCED_SYSTEM_CHECKS = ["templates.W003"]

# --- Data -----------------------------------------------------------------------------------------

DATABASES = {"default": env.database("DATABASE_URL", VAR_DIR / "estafette.sqlite3")}
_database = DATABASES["default"]
_connection_seconds = env.int("CONN_MAX_AGE", default=600)
_pooled = env.bool("TRANSACTION_POOLING", default=False)
if _database["ENGINE"] == "django.db.backends.sqlite3":
    _database.setdefault("OPTIONS", {}).update(
        # Take the write lock at the start: two transactions that upgrade later would deadlock.
        transaction_mode="IMMEDIATE",
        timeout=20,
        init_command="PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    )
else:
    # Opening a connection costs four times as much as a request.
    _database["CONN_MAX_AGE"] = _connection_seconds
    _database["CONN_HEALTH_CHECKS"] = True
    # Queries of every page are planned once per connection. Behind a transaction pooler, neither
    # prepared plans nor cursors last until the next transaction.
    _database["DISABLE_SERVER_SIDE_CURSORS"] = _pooled
    _database.setdefault("OPTIONS", {}).update(
        server_side_binding=not _pooled, prepare_threshold=None if _pooled else 5
    )
    # Without these, a client waits 15 minutes for a database that is cut off, and a match that a
    # lost machine was writing stays locked for two hours.
    _when_cut_off: dict[str, Any] = {
        "connect_timeout": 5,
        "keepalives_idle": 20,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,  # milliseconds
    }
    if not _pooled:  # A pooler accepts no server settings, and outlives the server's connections.
        _database["ENGINE"] = "lib.database.postgresql"
        # No JIT: the planner takes the query of a match page for a large one as long as some tables
        # are nearly empty, and compiling takes it 70 ms of CPU time each time instead of 0.3.
        _when_cut_off["options"] = "-c idle_in_transaction_session_timeout=30s -c jit=off"
    _database["OPTIONS"] = {**_when_cut_off, **_database["OPTIONS"]}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Rate limits are counted in the cache, so all processes share one: Redis if it is set, else a table
# in the database, which is also the fallback while Redis is unreachable (config/web/cache.py).
CACHES = {"default": env.cache("CACHE_URL", default="dbcache://cache")}
# With Django's default of 300, filling the cache would evict the counters of rate limits.
_MAX_CACHE_ENTRIES = 100_000
if "redis" in CACHES["default"]["BACKEND"].lower():
    CACHES["default"]["BACKEND"] = "config.web.cache.RedisCache"
    CACHES["database"] = {
        "BACKEND": "config.web.cache.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": _MAX_CACHE_ENTRIES},
    }
else:
    if CACHES["default"]["BACKEND"].endswith("DatabaseCache"):
        CACHES["default"]["BACKEND"] = "config.web.cache.DatabaseCache"
    CACHES["default"].setdefault("OPTIONS", {}).setdefault("MAX_ENTRIES", _MAX_CACHE_ENTRIES)
SESSION_ENGINE = "accounts.user_sessions.store"

# Days without a backup after which administrators are alerted; 0: never
# (config/backups/freshness.py).
BACKUP_ALERT_DAYS = env.int("BACKUP_ALERT_DAYS", default=8, most=3650)

# --- Request bodies -------------------------------------------------------------------------------

# The limit of the largest form (config/web/middleware.py); nothing is spooled to the disk.
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# --- API ------------------------------------------------------------------------------------------

# Requests a minute of one token, reading and writing, and of a network address without one; counted
# in each web process (games/api/gate/limits.py). Without a name: no limit.
API_LIMITS = env.rates("API_LIMITS", default="read:240,write:120,visitor:60")

# --- Accounts -------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
# It handles permissions too. With Django's backend added, wrong passwords would be hashed twice.
AUTHENTICATION_BACKENDS = ["accounts.sign_in.auth_backend.Backend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
] + [{"NAME": "accounts.sign_in.password_words.OwnWordsValidator"}]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
# Restarted by every visit, within some minutes: people who move once a week stay signed in.
SESSION_COOKIE_AGE = 30 * 24 * 3600
# Whether the admin needs a second factor. The demo should not need a telephone.
STAFF_NEEDS_MFA = env.bool("STAFF_NEEDS_MFA", default=not DEMO)

ACCOUNT_ADAPTER = "accounts.sign_in.adapter.Adapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "change_email": "accounts.forms.ChangeEmailForm",
    "add_email": "accounts.forms.AddEmailForm",
    "request_login_code": "accounts.forms.RequestLoginCodeForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "confirm_email_verification_code": "accounts.forms.ConfirmEmailForm",
    "confirm_login_code": "accounts.forms.CodeForm",
    "confirm_password_reset_code": "accounts.forms.CodeForm",
    "change_password": "accounts.forms.ChangePasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*"]
ACCOUNT_SIGNUP_FORM_HONEYPOT_FIELD = "telephone"
ACCOUNT_USERNAME_VALIDATORS = "accounts.values.usernames.VALIDATORS"
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = 3
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_CHANGE = 3
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = 3
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
# Seconds for which a mailed code is valid: enough for a slow e-mail.
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 600
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 600
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 600
_account_emails = env.int("ACCOUNT_EMAILS_AN_HOUR", default=600, least=1)
ACCOUNT_RATE_LIMITS = {
    # Counted exactly, in the database (accounts/sign_in/guesses.py).
    "login_failed": None,
    "change_password": None,
    "signup": "10/10m/ip",
    "confirm_email": "1/10s/key,10/h/key",
    # Each record is played through by the rules engine.
    "import_record": "60/h/user",
    # Pictures of matches; programs that preview links ask for one or two.
    "picture": "30/m/ip",
    # Bundles of proofs, each of which takes some milliseconds.
    "bundle": "30/m/ip",
    # Films of matches, each made by a worker.
    "film": "10/h/user",
    # Each is computed again, in up to some seconds of CPU time.
    "house_thought": "30/m/user,600/h/user",
    # E-mails that visitors cause: to one address, from one network address, all of them, and those
    # of sign-ups and to addresses without an account, so that a part is left for the users.
    "email_to": "10/h/key,20/d/key",
    "email_from": "20/h/ip,60/d/ip",
    "email": f"{_account_emails}/h/key",
    "email_to_strangers": f"{(_account_emails + 1) // 2}/h/key",
    # Each is sent to an address of the user's choice.
    "notification_test": "10/h/user",
}
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Estafette] "
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
# Behind a proxy, X-Forwarded-For is trusted for this many hops; without it all visitors would share
# one rate limit.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=0, most=10)
# Whether that proxy sets X-Request-Start, replacing a client's value, and from which addresses it
# connects; a move counts from that instant (games/play/views/arrival.py).
PROXY_STAMPS_ARRIVAL = env.bool("PROXY_STAMPS_ARRIVAL", default=False)
PROXY_ADDRESSES = env.networks("PROXY_ADDRESSES", default="127.0.0.0/8,::1")
MFA_ADAPTER = "accounts.sign_in.second_factors.Adapter"
MFA_FORMS = {
    "activate_totp": "accounts.sign_in.second_factor_forms.ActivateForm",
    "authenticate": "accounts.sign_in.second_factor_forms.AuthenticateForm",
    "reauthenticate": "accounts.sign_in.second_factor_forms.ReauthenticateForm",
    "add_webauthn": "accounts.sign_in.second_factor_forms.AddWebAuthnForm",
    "edit_webauthn": "accounts.sign_in.second_factor_forms.EditWebAuthnForm",
    "login_webauthn": "accounts.sign_in.second_factor_forms.LoginWebAuthnForm",
    "authenticate_webauthn": "accounts.sign_in.second_factor_forms.AuthenticateWebAuthnForm",
    "reauthenticate_webauthn": "accounts.sign_in.second_factor_forms.ReauthenticateWebAuthnForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Browsers offer passkeys on https and on localhost; the library allows localhost only with this.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
MFA_TOTP_ISSUER = "Estafette"
MFA_TOTP_TOLERANCE = 1  # a telephone's clock may be half a minute off

# --- E-mail ---------------------------------------------------------------------------------------

# Without an SMTP server, e-mails are written to files in var/mail.
_mail = env.email("EMAIL_URL", default="filemail://")
vars().update(_mail)
if _mail["EMAIL_BACKEND"].endswith("filebased.EmailBackend"):
    EMAIL_BACKEND = "games.notifications.email.demo.file_backend.EmailBackend"
EMAIL_FILE_PATH = str(VAR_DIR / "mail")
EMAIL_TIMEOUT = 30
MAIL_DOMAIN = env.domain("MAIL_DOMAIN", default=SITE_HOST)
DEFAULT_FROM_EMAIL = env.sender("DEFAULT_FROM_EMAIL", default=f"Estafette <post@{MAIL_DOMAIN}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
# Each user's e-mails have their own envelope sender at MAIL_DOMAIN (VERP), which tells whose e-mail
# bounced. Turn it off for a mail server that accepts one sender only.
BOUNCES = env.bool("BOUNCES", default=True)
# Whether e-mails have reply addresses; "auto": in the demo, and if any way to receive mail is set
# (games/notifications/email/replies/reply_addresses.py).
MAIL_REPLIES = env.choice("MAIL_REPLIES", ("auto", "true", "false"))
# Where to listen for mail to the reply addresses (games/mail/inbound); `manage.py receive_mail`
# reads it from a pipe.
MAIL_LISTEN = env.listen("MAIL_LISTEN")
# The authserv-id of our own mail server: only its Authentication-Results and Received headers are
# trusted, and only in messages that it hands over (games/mail/authentication,
# games/mail/arrival_time.py).
MAIL_AUTHSERV_ID = env.word("MAIL_AUTHSERV_ID")
# Whether the service itself checks DKIM and DMARC of messages that our mail server has not checked
# (games/mail/authentication/dkim_signatures.py).
MAIL_CHECK_DKIM = env.bool("MAIL_CHECK_DKIM", default=False)
# The DNS server for these checks; without it the machine's own.
MAIL_DNS = env.resolver("MAIL_DNS")
# Which provider's webhook is answered at /mail/in/, and the secret that it shows or signs with
# (games/mail/inbound/provider_webhooks.py).
MAIL_PROVIDER = env.choice("MAIL_PROVIDER", ("", "postmark", "mailgun", "ses"))
MAIL_PROVIDER_SECRET = env.needed("MAIL_PROVIDER_SECRET", MAIL_PROVIDER and "MAIL_PROVIDER")
# A mailbox that is polled each minute, and the header in which its server writes the recipient
# (games/mail/inbound/imap_polling.py).
MAIL_IMAP = env.mailbox("MAIL_IMAP")
MAIL_IMAP_HEADER = env.needed("MAIL_IMAP_HEADER", MAIL_IMAP and "MAIL_IMAP")
MAIL_MAX_BYTES = env.int("MAIL_MAX_BYTES", default=1024 * 1024, least=1024)
MAIL_ANSWERS_PER_HOUR = env.int("MAIL_ANSWERS_PER_HOUR", default=30, least=1)  # to one player
# Recipients of alerts (config/watch/alerts.py) and of halts (games/play/clocks/breaker.py).
ADMINS = [("", address) for address in env.recipients("ADMINS")]

# Whether delivery of the outbox is paused: for a restored copy (docs/running/backups.md).
HOLD_EMAILS = env.bool("HOLD_EMAILS", default=False)

# --- Time-outs ------------------------------------------------------------------------------------

# How many players may lose on time before the circuit breaker opens (games/play/clocks/breaker.py).
TIMEOUTS_MIN_PLAYERS = env.int("TIMEOUTS_MIN_PLAYERS", default=5)
TIMEOUTS_PERCENT = env.int("TIMEOUTS_PERCENT", default=10, most=100)  # of those on the clock
TIMEOUTS_FACTOR = env.int("TIMEOUTS_FACTOR", default=3)  # times the usual number

# --- Web push -------------------------------------------------------------------------------------

# Identifies this service to push services. With another key, every browser must be added again.
VAPID_KEY = env.push_key("VAPID_KEY") or read_later(VAR_DIR / "vapid_key")
# Test servers that the SSRF guard allows: (host, port), and their certificate authority. Cannot be
# set by environment variables.
SAFE_HTTP_TRUSTED: frozenset[tuple[str, int]] = frozenset()
SAFE_HTTP_AUTHORITY: str | None = None

# --- Workers --------------------------------------------------------------------------------------

# The outbox in the database holds the work; the broker only carries wake-ups and may lose them all.
OUTBOX_SUBSCRIBERS = "config.subscribers.SUBSCRIBERS"
OUTBOX_HANDLERS = "config.subscribers.HANDLERS"
# How long a worker may hold the rows that it claimed. A killed worker's rows are sent within two
# minutes: after this and the next tick.
OUTBOX_LEASE_SECONDS = 90
CELERY_BROKER_URL = env.broker("BROKER_URL", default=FILE_BROKER)
if CELERY_BROKER_URL.startswith("filesystem"):
    # See config/processes/file_broker.py.
    _messages = str(VAR_DIR / "broker" / "messages")
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "data_folder_in": _messages,
        "data_folder_out": _messages,
        "control_folder": str(VAR_DIR / "broker" / "control"),
    }
elif CELERY_BROKER_URL.startswith("redis"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 600,
        "unacked_restore_interval": 10,
        # By default, lost messages are looked for only every hundred turns.
        "unacked_restore_throttle": 1,
        "socket_timeout": 30,
        "socket_connect_timeout": 5,
        # Seconds after which a publisher gives up; the next tick covers it.
        "connect_retries_timeout": 1,
        "health_check_interval": 25,
    }
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 120
# House opponents think for seconds, so they have their own queue and worker and delay no e-mail and
# no deadline (docs/running/processes.md).
HOUSE_QUEUE = "bots"
CELERY_TASK_ROUTES = {"games.house.tasks.*": {"queue": HOUSE_QUEUE}}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A worker retries its broker for ever, and runs beat's schedule itself meanwhile
# (config/processes/beat_fallback.py).
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# In memory: after a restart, running a task early or late does no harm.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_TIMEZONE = "UTC"

# --- Languages and files --------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", _("English")),
    ("fr", _("French")),
    ("de", _("German")),
    ("zh-hant", _("Traditional Chinese")),
]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "accounts" / "allauth_locale"]
FORMAT_MODULE_PATH = "config.web.formats"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = Path(env("STATIC_DIR", default=str(VAR_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
# After `manage.py collectstatic`, HASHED_STATIC=true serves files under names that may be cached
# for ever.
HASHED_STATIC = env.bool("HASHED_STATIC", default=False)
WHITENOISE_USE_FINDERS = not HASHED_STATIC
# Files at fixed addresses: robots.txt and favicon.ico.
WHITENOISE_ROOT = BASE_DIR / "static" / "root"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.web.static_files.HashedStorage"
        if HASHED_STATIC
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# --- Headers --------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
_names = ("session", "csrf", "messages") if HTTPS else ("sessionid", "csrftoken", "messages")
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, MESSAGES_COOKIE_NAME = (
    f"{'__Host-' if HTTPS else ''}{name}{_COOKIE_SUFFIX}" for name in _names
)
MESSAGE_STORAGE = "config.web.message_storage.MessageStorage"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "accounts.sign_in.unsent_forms.expired_token"
_redirect = env.bool("SSL_REDIRECT", default=True)
_hsts_seconds = env.int("HSTS_SECONDS", default=365 * 24 * 3600)
_hsts_subdomains = env.bool("HSTS_SUBDOMAINS", default=True)
_hsts_preload = env.bool("HSTS_PRELOAD", default=True)
if HTTPS:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = _redirect
    SECURE_REDIRECT_EXEMPT = [
        r"^health/",
        r"^metrics$",
    ]  # polled in plain HTTP, behind the proxy
    SECURE_HSTS_SECONDS = _hsts_seconds
    SECURE_HSTS_INCLUDE_SUBDOMAINS = _hsts_subdomains
    SECURE_HSTS_PRELOAD = _hsts_preload
    if ALLAUTH_TRUSTED_PROXY_COUNT:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Logs -----------------------------------------------------------------------------------------

# Every process logs through the root logger (config/logs/records.py), to standard error or a file.
LOG_LEVEL = env.level("LOG_LEVEL", default="INFO")
LOG_FORMAT = env.choice("LOG_FORMAT", ("line", "json"))
_log_file = env("LOG_FILE")
LOG_FILE = Path(_log_file).resolve() if _log_file else None
LOGGING = logging_config(LOG_LEVEL, LOG_FORMAT, LOG_FILE)
# Off in the demo, so that its few other lines are seen.
ACCESS_LOG = env.bool("ACCESS_LOG", default=not DEMO)

# --- Monitoring -----------------------------------------------------------------------------------

# The bearer token for /metrics (config/watch/views.py).
METRICS_TOKEN = env.key("METRICS_TOKEN")
# The Sentry-compatible service to report errors to.
SENTRY_DSN = env.dsn("SENTRY_DSN")

env.raise_if_wrong()
