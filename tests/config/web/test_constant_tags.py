"""Cached template tags render what Django's own would, for each language and each value."""

from django.template import Context, Template
from django.utils import translation
from django.utils.translation import gettext

from config.web.constant_tags import Constant, Kept


def test_a_constant_is_rendered_once_for_each_language() -> None:
    template = Template("{% load i18n %}{% translate 'Your move' %}")
    assert template.nodelist.get_nodes_by_type(Constant)
    for language in ("en", "fr", "zh-hant", "en"):
        with translation.override(language):
            assert template.render(Context()) == gettext("Your move")


def test_a_cached_part_is_rendered_for_each_value_and_uses_no_other() -> None:
    template = Template("{% kept name=player %}{{ name }}{{ player }}{% endkept %}")
    assert template.nodelist.get_nodes_by_type(Kept)
    rendered = [template.render(Context({"player": who})) for who in ("<Bob>", "Alice", "<Bob>")]
    assert rendered == ["&lt;Bob&gt;", "Alice", "&lt;Bob&gt;"]
