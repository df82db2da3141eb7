"""The page on which a person downloads their data: after signing in again, once an hour."""

import io
from datetime import timedelta
from zipfile import ZipFile

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from pytest import LogCaptureFixture

from accounts.models import User
from accounts.people.erasure import erase
from lib.db_clock import frozen_at, now
from tests.accounts.conftest import PASSWORD, sign_in

URL = "/people/export/"


@pytest.fixture
def fresh(client: Client, ann: User) -> Client:
    """Her browser, after she signed in again."""
    sign_in(client, "Annabel")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


def download(client: Client) -> ZipFile:
    response = client.post(URL)
    assert isinstance(response, StreamingHttpResponse)
    assert response["Content-Type"] == "application/zip"
    assert response["Content-Disposition"].startswith('attachment; filename="estafette-2')
    assert "no-store" in response["Cache-Control"] or "private" in response["Cache-Control"]
    return ZipFile(io.BytesIO(response.getvalue()))


def test_it_needs_a_recent_sign_in(client: Client, ann: User) -> None:
    assert client.post(URL)["Location"].startswith("/account/login/")
    sign_in(client, "Annabel")
    assert (
        client.post(URL)["Location"] == f"/account/reauthenticate/?next={URL.replace('/', '%2F')}"
    )
    ann.refresh_from_db()
    assert ann.exported_at is None


def test_the_page_has_a_button_and_the_preferences_link_to_it(fresh: Client) -> None:
    assert "Download my data" in fresh.get(URL).content.decode()
    assert f'href="{URL}"' in fresh.get("/people/preferences/").content.decode()


def test_the_zip_file_is_streamed_and_the_download_is_recorded(
    fresh: Client, ann: User, caplog: LogCaptureFixture
) -> None:
    archive = download(fresh)
    assert archive.testzip() is None
    assert {"manifest.json", "account.json", "matches.csv"} <= set(archive.namelist())
    assert f"exported their data: user {ann.pk}" in caplog.text


def test_one_download_an_hour_is_allowed(fresh: Client) -> None:
    at = now()
    with frozen_at(at):
        download(fresh)
    with frozen_at(at + timedelta(minutes=59)):
        response = fresh.post(URL)
        assert response.status_code == 429
        assert "within the last hour" in response.content.decode()
    with frozen_at(at + timedelta(minutes=60)):
        download(fresh)


def test_no_record_of_downloads_remains_after_erasure(fresh: Client, ann: User) -> None:
    download(fresh)
    erase(ann)
    ann.refresh_from_db()
    assert ann.exported_at is None
