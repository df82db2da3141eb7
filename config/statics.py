"""Static files under names that carry their content's hash, module imports included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """For those who ran `collectstatic`: plain ES modules keep working without a bundler."""

    support_js_module_import_aggregation = True
