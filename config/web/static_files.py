"""Static files storage with hashed names, in the imports of ES modules too."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Storage after `collectstatic`: plain ES modules keep working without a bundler."""

    support_js_module_import_aggregation = True
