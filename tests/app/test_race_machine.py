"""The room of a race as a state machine, without a database."""

from collections.abc import Callable

import pytest

from app.errors import NotInRace, NotTheHost, Problem, RaceClosed, RaceFull, RaceUnderWay
from app.races import machine, standing
from app.races.machine import COUNTDOWN_MS, IDLE_MS, LIMIT_MS, MOST, Room
from app.races.standing import Runner, RunnerState

HOST, KATE, LEO, COMPUTER = 11, 12, 13, 99


def room(*players: int) -> Room:
    empty = Room("id", "ABCDEF", "YU1-C-" + "A" * 26, "C", False, "lobby", 1, 0)
    for at, player in enumerate(players, 1):
        empty = machine.join(empty, player, at)
    return empty


def counting(*players: int) -> Room:
    found = room(*players)
    for player in players:
        found = machine.set_ready(found, player, True, 100)
    assert found.state == "countdown"
    return found


def running(*players: int) -> Room:
    found = counting(*players)
    return machine.begin(found, [f"g{each.seat}" for each in found.entries], 100 + COUNTDOWN_MS)


def seats(found: Room) -> dict[int, int]:
    return {each.seat: each.player_id for each in found.entries}


def test_a_player_who_joins_twice_is_in_once() -> None:
    once = room(HOST, KATE)
    assert machine.join(once, KATE, 50) == once
    assert seats(once) == {1: HOST, 2: KATE}


def test_the_countdown_begins_when_all_are_ready_and_not_for_one_alone() -> None:
    alone = machine.set_ready(room(HOST), HOST, True, 5)
    assert (alone.state, alone.starts_at) == ("lobby", None)
    both = machine.join(alone, KATE, 6)
    assert both.state == "lobby"
    both = machine.set_ready(both, KATE, True, 7)
    assert (both.state, both.starts_at) == ("countdown", 7 + COUNTDOWN_MS)
    assert not machine.begins(both, 6 + COUNTDOWN_MS)
    assert machine.begins(both, 7 + COUNTDOWN_MS)
    assert machine.set_ready(both, KATE, True, 9) == both


def test_who_is_not_ready_after_all_calls_the_countdown_off() -> None:
    off = machine.set_ready(counting(HOST, KATE), KATE, False, 200)
    assert (off.state, off.starts_at) == ("lobby", None)
    again = machine.set_ready(off, KATE, True, 300)
    assert again.starts_at == 300 + COUNTDOWN_MS


def test_who_leaves_the_countdown_calls_it_off_unless_enough_are_left() -> None:
    assert machine.leave(counting(HOST, KATE), KATE, 200).state == "lobby"
    three = machine.leave(counting(HOST, KATE, LEO), KATE, 200)
    assert (three.state, three.starts_at) == ("countdown", 100 + COUNTDOWN_MS)


def test_a_room_is_full_with_eight_and_a_freed_seat_is_taken_again() -> None:
    full = room(*range(1, MOST + 1))
    with pytest.raises(RaceFull):
        machine.join(full, 50, 9)
    assert seats(machine.join(machine.leave(full, 3, 9), 50, 9))[3] == 50


@pytest.mark.parametrize("begun", [counting(HOST, KATE), running(HOST, KATE)])
def test_who_comes_too_late_may_watch(begun: Room) -> None:
    with pytest.raises(RaceUnderWay):
        machine.join(begun, LEO, 300)
    assert machine.join(begun, KATE, 300) == begun


def test_the_host_goes_to_who_came_next_and_computers_never_are_it() -> None:
    found = machine.add_computer(room(HOST), HOST, COMPUTER, "strong", "steady", 2)
    found = machine.join(machine.join(found, KATE, 4), LEO, 3)
    left = machine.leave(found, HOST, 9)
    assert left.host == next(each.seat for each in left.entries if each.player_id == LEO)
    assert machine.leave(left, KATE, 10).host == left.host


def test_the_last_human_closes_the_room() -> None:
    found = machine.add_computer(room(HOST), HOST, COMPUTER, "strong", "steady", 2)
    closed = machine.leave(found, HOST, 3)
    assert (closed.state, closed.entries) == ("closed", ())
    with pytest.raises(RaceClosed):
        machine.join(closed, KATE, 4)
    assert machine.leave(closed, HOST, 5) == closed


def test_an_answer_that_comes_too_late_changes_nothing() -> None:
    begun = running(HOST, KATE)
    tried: tuple[Callable[[], Room], ...] = (
        lambda: machine.set_ready(begun, KATE, False, 900),
        lambda: machine.leave(begun, KATE, 900),
        lambda: machine.remove(begun, HOST, 2, 900),
        lambda: machine.add_computer(begun, HOST, COMPUTER, "strong", "steady", 900),
    )
    for late in tried:
        with pytest.raises(RaceUnderWay):
            late()
    over = machine.end(begun, 1000)
    assert machine.leave(over, KATE, 1001) == over
    with pytest.raises(RaceUnderWay):
        machine.set_ready(over, KATE, True, 1001)


def test_only_the_host_adds_and_sends_away() -> None:
    found = room(HOST, KATE)
    for by, refusal in ((KATE, NotTheHost), (LEO, NotInRace)):
        with pytest.raises(refusal):
            machine.remove(found, by, 1, 9)
        with pytest.raises(refusal):
            machine.add_computer(found, by, COMPUTER, "strong", "steady", 9)
    assert seats(machine.remove(found, HOST, 2, 9)) == {1: HOST}
    assert machine.remove(found, HOST, 1, 9) == found
    assert machine.remove(found, HOST, 7, 9) == found
    with pytest.raises(NotInRace):
        machine.leave(found, LEO, 9)
    with pytest.raises(NotInRace):
        machine.set_ready(found, LEO, True, 9)


def test_computers_are_always_ready() -> None:
    found = machine.set_ready(room(HOST), HOST, True, 1)
    found = machine.add_computer(found, HOST, COMPUTER, "greedy", "quick", 2)
    assert (found.state, found.starts_at) == ("countdown", 2 + COUNTDOWN_MS)


def test_a_race_ends_by_its_limit_and_a_room_by_idleness() -> None:
    begun = running(HOST, KATE)
    start = begun.starts_at or 0
    assert not machine.is_late(begun, start + LIMIT_MS - 1)
    assert machine.is_late(begun, start + LIMIT_MS)
    idle = room(HOST)
    assert not machine.is_idle(idle, 1 + IDLE_MS - 1)
    assert machine.is_idle(idle, 1 + IDLE_MS)
    assert not machine.is_idle(begun, 10 * IDLE_MS)


def test_every_refusal_says_why() -> None:
    with pytest.raises(Problem) as refused:
        machine.join(running(HOST, KATE), LEO, 1)
    assert refused.value.detail == "The race has begun"


def runner(
    seat: int, state: RunnerState, cards: int = 0, moves: int = 0, at: int | None = None
) -> Runner:
    return Runner(seat, seat, None, None, None, state, cards, 52, moves, 0, at)


def test_the_order_of_the_finish() -> None:
    found = [
        runner(1, "ended", 40, 90, 5),
        runner(2, "won", 52, 140, 900),
        runner(3, "racing", 12, 50),
        runner(4, "racing", 12, 40),
        runner(5, "won", 52, 200, 800),
        runner(6, "ended", 0, 7, 4),
        runner(7, "racing", 0, 3),
        runner(8, "racing", 0, 0),
    ]
    assert [each.seat for each in standing.order(found)] == [5, 2, 4, 3, 7, 8, 1, 6]
    assert standing.places(found, is_over=False) == {5: 1, 2: 2}
    assert standing.places(found, is_over=True)[6] == 8
