"""URLs of the demo's answer form, beneath the e-mails'."""

from django.urls import path

from games.mail.inbound import answer_form

urlpatterns = [
    path("<slug:name>/answer/", answer_form.answer, name="mailbox_answer"),
]
