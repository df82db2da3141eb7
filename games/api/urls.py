"""URLs of the API: its operations, of which its document is one."""

from games.api import document

app_name = "api"

urlpatterns = [*document.patterns()]
