from tests.outbox.conftest import handlers_for_tests

__all__ = ["handlers_for_tests"]  # a fixture
