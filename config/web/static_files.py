"""Static files storage with hashed names, also in imports of ES modules."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Storage for `collectstatic`: ES modules work without a bundler."""

    support_js_module_import_aggregation = True
