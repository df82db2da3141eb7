"""URL of the demo's reply form, included below the mailbox URLs."""

from django.urls import path

from games.mail.inbound import demo_answer_form

urlpatterns = [
    path("<slug:name>/answer/", demo_answer_form.answer, name="mailbox_answer"),
]
