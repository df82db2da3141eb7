"""Logging of workers and beat: configured by LOGGING, with the id of each task."""

import logging.config
from typing import Any

from celery.signals import setup_logging, task_postrun, task_prerun
from django.conf import settings

from lib import log_context


@setup_logging.connect
def _configure(**_: Any) -> None:
    # With a receiver of this signal, Celery configures no loggers and ignores its option -l.
    logging.config.dictConfig(settings.LOGGING)


@task_prerun.connect
def _bind(task_id: str, task: Any, **_: Any) -> None:
    log_context.bind(task=task.name, task_id=task_id)


@task_postrun.connect
def _unbind(**_: Any) -> None:
    log_context.bind()
