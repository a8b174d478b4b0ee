import pytest

pytest.register_assert_rewrite("tests.e2e.table", "tests.e2e.touch", "tests.e2e.keys")
