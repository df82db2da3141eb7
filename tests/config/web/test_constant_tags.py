"""Sentences with values in them say what Django's own tag would have them say."""

from typing import Any

import pytest
from django.template import Context, Template
from django.template.loader_tags import IncludeNode
from django.templatetags import i18n
from django.utils import translation

from config.web.constant_tags import Included, Phrase

SENTENCES = [
    "{% blocktranslate %}{{ opponent }} offers you a draw.{% endblocktranslate %}",
    "{% blocktranslate trimmed %}\n  {{ opponent }}\n  offers you a draw.\n{% endblocktranslate %}",
    "{% blocktranslate %}{{ opponent }}: 100 % of {{ nobody }}{% endblocktranslate %}",
    "{% autoescape off %}{% blocktranslate %}{{ opponent }}?{% endblocktranslate %}"
    "{% endautoescape %}",
]


@pytest.mark.parametrize("language", ["en", "fr", "zh-hant"])
@pytest.mark.parametrize("sentence", SENTENCES)
def test_it_is_the_sentence_that_django_makes(
    sentence: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = Template("{% load i18n %}" + sentence)
    assert ours.nodelist.get_nodes_by_type(Phrase)
    with monkeypatch.context() as patch:
        patch.setattr("config.web.constant_tags.Phrase", lambda node: node)
        theirs = Template("{% load i18n %}" + sentence)
    assert theirs.nodelist.get_nodes_by_type(i18n.BlockTranslateNode)
    about = Context({"opponent": "<Bob>"})
    with translation.override(language):
        assert ours.render(about) == theirs.render(about)
        # Once more: what is kept from the first time is not that reader's.
        assert "Charlie" in ours.render(Context({"opponent": "Charlie"}))


def test_a_malformed_translation_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = Template("{% load i18n %}" + SENTENCES[0])
    monkeypatch.setattr("config.web.constant_tags.gettext", lambda words: "%(adversary)s!")
    assert sentence.render(Context({"opponent": "Bob"})) == "Bob offers you a draw."


def test_an_included_template_sees_what_is_given_to_it_and_around_it(settings: Any) -> None:
    text = "{% for view in views %}{% include 'play/_quiet.html' with view=view.it %}{% endfor %}"
    about = [{"it": {"observation": {"quiet": n}, "rules": {"hidden": n > 5}}} for n in (4, 0, 9)]
    ours = Template(text)
    assert ours.nodelist.get_nodes_by_type(Included)
    settings.DEBUG = True
    theirs = Template(text)
    assert theirs.nodelist.get_nodes_by_type(IncludeNode)
    told = ours.render(Context({"views": about}))
    assert told == theirs.render(Context({"views": about}))
    assert "<dd>4</dd>" in told and "<dd>9</dd>" in told
    assert ours.render(Context({"views": about[:1]})).count("<dd>") == 1
