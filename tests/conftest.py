"""What holds for every test."""

from __future__ import annotations

import os

from hypothesis import settings

# The gate draws the same examples each time, so that a change is blamed for what it broke; people
# who run the tests search further with every run. No test is timed: a slow machine breaks nothing.
settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile("gate" if os.environ.get("CI") else "search")
