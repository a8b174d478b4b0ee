"""The clock alone: from the first move, and only while the game is in play."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.clock import REPORTS, SILENCE_MS, Clock

S = 1000


def test_nothing_runs_before_the_first_move() -> None:
    clock = Clock()
    for now, report in enumerate(REPORTS * 3):
        clock = clock.reported(report, now * 10 * S)
        assert not clock.running
        assert clock.at(now * 10 * S + 5 * S) == 0
    assert clock.moved(1000 * S).at(1000 * S) == 0


def test_a_program_that_never_reports_is_counted_from_move_to_move() -> None:
    clock = Clock().moved(0).moved(3600 * S)
    assert (clock.elapsed_ms, clock.at(3601 * S)) == (3600 * S, 3601 * S)


def test_time_stands_still_while_the_table_is_hidden_or_paused() -> None:
    for report in ("hidden", "paused"):
        clock = Clock().moved(0).reported(report, 10 * S)
        assert not clock.running
        assert clock.at(3600 * S) == 10 * S
        clock = clock.reported("shown", 3600 * S)
        assert clock.running
        assert clock.at(3605 * S) == 15 * S


def test_paused_is_remembered_until_the_table_is_shown_or_played() -> None:
    paused = Clock().moved(0).reported("paused", S)
    assert paused.paused
    assert paused.reported("hidden", 2 * S).paused
    assert paused.reported("tick", 2 * S).paused
    assert not paused.reported("shown", 2 * S).paused
    assert not paused.moved(2 * S).paused
    assert not Clock().moved(0).reported("hidden", S).paused


def test_a_tick_counts_what_has_passed_and_does_not_wake_the_clock() -> None:
    clock = Clock().moved(0)
    for tick in range(1, 11):
        clock = clock.reported("tick", tick * 30 * S)
    assert clock.elapsed_ms == 300 * S
    hidden = clock.reported("hidden", 310 * S)
    assert hidden.reported("tick", 400 * S) == hidden


def test_a_page_that_falls_silent_is_counted_no_longer_than_the_bound() -> None:
    clock = Clock().moved(0).reported("tick", 30 * S)
    asleep = 8 * 3600 * S
    assert clock.at(asleep) == 30 * S + SILENCE_MS
    for awake in (clock.moved(asleep), clock.reported("tick", asleep)):
        assert awake.elapsed_ms == 30 * S + SILENCE_MS
        assert awake.at(asleep + 5 * S) == 35 * S + SILENCE_MS


def test_a_move_at_a_hidden_table_counts_as_if_it_had_been_shown() -> None:
    hidden = Clock().moved(0).reported("hidden", 10 * S)
    assert hidden.moved(40 * S).elapsed_ms == 40 * S
    assert hidden.moved(3600 * S).elapsed_ms == 10 * S + SILENCE_MS


def test_stopping_twice_changes_nothing() -> None:
    stopped = Clock().moved(0).stopped(10 * S)
    assert stopped.stopped(500 * S) == stopped
    assert stopped.at(1000 * S) == 10 * S


def test_time_that_goes_backwards_is_not_counted() -> None:
    clock = Clock().moved(100 * S).moved(110 * S)
    assert clock.at(50 * S) == 10 * S
    assert clock.moved(50 * S).elapsed_ms == 10 * S
    assert clock.reported("tick", 50 * S).elapsed_ms == 10 * S
    assert clock.stopped(50 * S).elapsed_ms == 10 * S
    assert clock.reported("hidden", 50 * S).reported("shown", 20 * S).at(20 * S) == 10 * S


@pytest.mark.parametrize("report", REPORTS)
def test_the_first_report_takes_no_time_back(report: str) -> None:
    """A program has played for an hour when its game is opened in a browser."""
    clock = Clock().moved(0).moved(S)
    assert clock.reported(report, 3600 * S).at(3600 * S) == 3600 * S


STEPS = st.lists(
    st.tuples(st.sampled_from(("move", "stop", *REPORTS)), st.integers(-60 * S, 4000 * S))
)


@given(STEPS)
def test_no_order_of_reports_makes_time_run_faster_than_it_does_or_back(
    steps: list[tuple[str, int]],
) -> None:
    clock, now, passed, shown, watched = Clock(), 10**9, 0, 0, False
    for what, step in steps:
        now += step
        passed += max(0, step)
        before = clock.at(now)
        assert shown <= before <= passed
        if what == "move":
            clock = clock.moved(now)
        elif what == "stop":
            clock = clock.stopped(now)
        else:
            clock = clock.reported(what, now)
            watched = True
        assert clock.at(now) >= before
        assert clock.watched == watched
        assert (clock.counted_to is None) == (not clock.running)
        shown = clock.at(now)
