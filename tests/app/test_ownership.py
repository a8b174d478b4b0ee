"""Whose game it is: everybody may look, only its player may write; sealed deals stay sealed."""

import re

import pytest

from app.db import Database
from app.games.service import GameService
from engine.deals import commitment, sealed_code
from tests.app.support import (
    LEGAL,
    Client,
    Json,
    good,
    new_player,
    play,
    refused,
    rows,
    short_win,
    start_sealed,
    unchanged,
)

WRITES: list[tuple[str, Json]] = [
    ("moves", {"move": "t4x3-t3"}),
    ("moves", {"move": "nonsense"}),
    ("undo", {}),
    ("redo", {}),
    ("end", {}),
]


@pytest.mark.parametrize(("what", "body"), WRITES)
@pytest.mark.parametrize("version", [0, 1, 2])
def test_nobody_else_writes_to_a_game(
    client: Client, other: Client, database: Database, what: str, body: Json, version: int
) -> None:
    game = client.move(client.start(), LEGAL)
    other.start()
    with unchanged(database):
        problem = refused(other.write(game, what, **body, version=version), 403, "not-your-game")
    assert "game" not in problem


@pytest.mark.parametrize(("what", "body"), [("restart", None), ("clock", {"state": "hidden"})])
def test_nobody_else_restarts_a_game_or_stops_its_clock(
    client: Client, other: Client, database: Database, what: str, body: Json | None
) -> None:
    game = client.move(client.start(), LEGAL)
    with unchanged(database):
        for stranger in (other, other):
            path = f"/api/v1/games/{game['id']}/{what}"
            refused(stranger.post(path, body), 403, "not-your-game")
            stranger.http.cookies["player"] = "A" * 43


def test_nobody_else_is_asked_about_a_restart(client: Client, other: Client) -> None:
    game = client.move(client.start(), LEGAL)
    assert client.get(f"/games/{game['id']}/restart").status_code == 200
    assert other.get(f"/games/{game['id']}/restart").status_code == 403


@pytest.mark.parametrize("what", ["moves", "undo", "redo", "end", "restart", "clock"])
@pytest.mark.parametrize("htmx", [True, False])
def test_forms_of_others_are_refused(
    client: Client, other: Client, database: Database, what: str, htmx: bool
) -> None:
    game = client.move(client.start(), LEGAL)
    form = {"move": "t4x3-t3", "version": "1", "state": "shown"}
    with unchanged(database):
        headers = {"hx-request": "true"} if htmx else {}
        answer = other.post(f"/games/{game['id']}/{what}", form, headers=headers)
    assert answer.status_code == 403
    assert answer.headers["content-type"].startswith("text/html")


def test_everybody_may_look_at_an_open_game(client: Client, other: Client) -> None:
    game = client.move(client.start(), LEGAL)
    assert other.see(game) == game
    assert f'[Deal "{game["code"]}"]' in other.get(f"/games/{game['id']}/record").text


class TestSealed:
    """A game on a sealed deal, and whether its code is in anything that is sent."""

    CODE = str(sealed_code("C", 2**129))
    BODY = CODE.split("-")[2]

    @pytest.fixture
    def game(self, client: Client, database: Database) -> Json:
        client.http.cookies["player"] = new_player(database, "Kate")
        stored = start_sealed(database, client.token)
        assert str(stored.code) == self.CODE
        return client.see({"id": stored.id})

    def _sent(self, client: Client, path: str, **how: object) -> str:
        method = str(how.pop("method", "GET"))
        answer = client.request(method, path, **how)
        return f"{answer.headers}\n{answer.text}"

    def test_nothing_sent_names_the_code_before_the_end(self, client: Client, game: Json) -> None:
        assert game["code"] is None
        api, page = f"/api/v1/games/{game['id']}", f"/games/{game['id']}"
        move = {"move": game["legal_moves"][0], "version": 0}
        sent = [
            self._sent(client, api),
            self._sent(client, api + "/moves", method="POST", json=move),
            self._sent(client, api + "/moves", method="POST", json={**move, "move": "t1-t2"}),
            self._sent(client, api + "/moves", method="POST", json={**move, "version": 9}),
            self._sent(client, api + "/undo", method="POST", json={"version": 1}),
            self._sent(client, api + "/redo", method="POST", json={"version": 0}),
            self._sent(client, page + "/record"),
            self._sent(client, "/api/v1/games", method="POST", json={"code": "YU1-C-A"}),
            self._sent(client, "/api/v1/leaderboard"),
            self._sent(client, page),
            self._sent(client, page, headers={"hx-request": "true"}),
            self._sent(client, page + "/moves", method="POST", data={**move, "version": "2"}),
            self._sent(client, page + "/restart"),
            self._sent(client, "/"),
        ]
        for text in sent:
            assert self.BODY not in text
            assert self.BODY.lower() not in text.lower()
        assert '[Deal "sealed"]' in sent[6]
        assert 'filename="sealed.txt"' in sent[6]
        assert client.see(game)["code"] is None

    def test_the_code_is_revealed_after_the_end(
        self, client: Client, other: Client, game: Json
    ) -> None:
        game = client.move(game, game["legal_moves"][0])
        ended = client.end(game)
        assert ended["code"] == self.CODE
        assert other.see(game)["code"] == self.CODE
        record = client.get(f"/games/{game['id']}/record")
        assert f'[Deal "{self.CODE}"]' in record.text
        assert f'filename="{self.CODE}.txt"' in record.headers["content-disposition"]
        assert client.start(self.CODE)["tableau"] != []

    def test_nobody_else_looks_on_while_it_is_played(
        self, other: Client, game: Json, database: Database
    ) -> None:
        with unchanged(database):
            problem = refused(other.get(f"/api/v1/games/{game['id']}"), 403, "not-your-game")
            assert self.BODY not in str(problem)
            for path in ("", "/record", "/restart"):
                answer = other.get(f"/games/{game['id']}{path}")
                assert answer.status_code == 403
                assert self.BODY not in answer.text

    def test_a_restart_is_as_sealed(self, client: Client, game: Json, database: Database) -> None:
        again = good(client.post(f"/api/v1/games/{game['id']}/restart"), 201)
        assert again["code"] is None
        assert again["tableau"] == game["tableau"]
        assert [row[4] for row in rows(database)["games"]] == [True, True]

    def test_a_win_reveals_it_too(self, client: Client, service: GameService) -> None:
        """No win on this deal is known: an open deal's win is taken as if it were sealed."""
        code, win = short_win()
        started = service.start(None, "", str(code), "")
        client.http.cookies["player"] = started.token
        stored = play(service, started, win.moves)
        assert client.see({"id": stored.id})["code"] == str(code)

    def test_its_commitment_is_known_from_the_start(self) -> None:
        assert re.fullmatch("[0-9a-f]{64}", commitment(sealed_code("C", 2**129)))
