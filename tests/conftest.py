"""What all tests share: hypothesis draws the same examples in every run."""

from hypothesis import settings

settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci")
