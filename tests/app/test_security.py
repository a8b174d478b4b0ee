"""What stands before every route: writes from other sites, security headers, cookies."""

import pytest
from fastapi import FastAPI

from app.config import Settings
from app.db import Database
from app.main import create_app
from app.security import SECURITY_HEADERS
from tests.app.html import Html
from tests.app.support import (
    ILLEGAL,
    LEGAL,
    Client,
    Clients,
    refused,
    services_of,
    unchanged,
    win_game,
)

HOST = "yukon.test"


@pytest.mark.parametrize(
    ("headers", "passes"),
    [
        ({}, True),
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "anything"}, False),
        ({"sec-fetch-site": ""}, False),
        ({"origin": f"http://{HOST}"}, True),
        ({"origin": f"HTTP://{HOST.upper()}"}, True),
        ({"origin": f"http://{HOST}:80"}, True),
        ({"origin": f"http://{HOST}:8000"}, False),
        ({"origin": "http://evil.test"}, False),
        ({"origin": f"http://{HOST}.evil.test"}, False),
        ({"origin": f"http://evil{HOST}"}, False),
        ({"origin": f"http://{HOST}@evil.test"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
        ({"origin": "http://["}, False),
        ({"origin": "http://[::1"}, False),
        ({"origin": HOST}, False),
        ({"sec-fetch-site": "same-origin", "origin": f"http://{HOST}"}, True),
        ({"sec-fetch-site": "same-origin", "origin": "http://evil.test"}, False),
        ({"sec-fetch-site": "cross-site", "origin": f"http://{HOST}"}, False),
        ({"origin": f"http://{HOST}", "host": ""}, False),
        ({"origin": "null", "host": ""}, False),
    ],
)
def test_writes_from_other_sites_are_refused(
    client: Client, database: Database, headers: dict[str, str], passes: bool
) -> None:
    game = client.start()
    path = f"/games/{game['id']}"
    api = "/api/v1" + path
    for prefix, body in ((api, {"move": ILLEGAL, "version": 0}), (path, {"state": "tick"})):
        what = "moves" if prefix == api else "clock"
        if passes:
            answer = client.post(f"{prefix}/{what}", body, headers=headers)
            assert answer.status_code in (422, 204)
            continue
        with unchanged(database):
            answer = client.post(f"{prefix}/{what}", body, headers=headers)
        if prefix == api:
            refused(answer, 403, "cross-site")
        else:
            assert answer.status_code == 403
            assert "another site" in answer.text


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "POST", "BREW"])
def test_every_method_that_could_write_is_looked_at(client: Client, method: str) -> None:
    headers = {"sec-fetch-site": "cross-site"}
    refused(client.request(method, "/api/v1/players/me", headers=headers), 403, "cross-site")


def test_reading_from_other_sites_is_let_through(client: Client) -> None:
    headers = {"sec-fetch-site": "cross-site", "origin": "http://evil.test"}
    for path in ("/", "/api/v1/leaderboard", "/healthz"):
        answer = client.get(path, headers=headers)
        assert answer.status_code == 200
        assert "access-control-allow-origin" not in answer.headers


def test_a_port_of_its_own_is_the_same_origin(clients: Clients) -> None:
    client = clients.new("http://localhost:8123")
    headers = {"origin": "http://localhost:8123", "sec-fetch-site": "same-origin"}
    assert client.post("/games", {"game": "yukon"}, headers=headers).status_code == 303


def _answers(client: Client) -> list[tuple[str, str, dict[str, object]]]:
    game = client.move(client.start(), LEGAL)
    page, api = f"/games/{game['id']}", f"/api/v1/games/{game['id']}"
    hx = {"hx-request": "true"}
    return [
        ("GET", "/", {}),
        ("GET", "/new", {}),
        ("GET", "/leaderboard", {}),
        ("GET", f"/d/{game['code']}", {}),
        ("GET", "/d/nonsense", {}),
        ("GET", f"/d/{game['code'].lower()}", {}),
        ("GET", page, {}),
        ("GET", page, {"headers": hx}),
        ("GET", page + "/record", {}),
        ("GET", page + "/restart", {}),
        ("GET", "/games/nothing", {}),
        ("POST", page + "/moves", {"data": {"move": ILLEGAL, "version": "1"}}),
        ("POST", page + "/moves", {"data": {"move": ILLEGAL, "version": "1"}, "headers": hx}),
        ("POST", page + "/undo", {"data": {"version": "7"}, "headers": hx}),
        ("POST", page + "/undo", {"headers": {"origin": "http://evil.test"}}),
        ("POST", page + "/clock", {"data": {"state": "tick"}}),
        ("POST", "/games", {"data": {"game": "yukon"}}),
        ("POST", "/games", {"content": b"x" * 70000}),
        ("GET", "/static/icon.svg", {}),
        ("GET", "/static/nothing", {}),
        ("GET", "/healthz", {}),
        ("GET", "/api/v1/openapi.json", {}),
        ("GET", "/api/v1/leaderboard", {}),
        ("GET", api, {}),
        ("GET", "/api/v1/games/nothing", {}),
        ("PUT", api, {}),
        ("HEAD", "/", {}),
        ("OPTIONS", api, {}),
        ("POST", api + "/moves", {"json": {}}),
        ("POST", api + "/moves", {"content": b"x" * 70000}),
    ]


def test_every_answer_has_the_security_headers(client: Client) -> None:
    for method, path, how in _answers(client):
        answer = client.request(method, path, **how)
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers.get_list(name) == [value], (method, path)
        assert "strict-transport-security" not in answer.headers
        assert "server" not in answer.headers


def test_the_policy_allows_no_inline_code_and_no_other_site() -> None:
    policy = SECURITY_HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy


def test_no_page_has_inline_code_or_style(client: Client) -> None:
    won = win_game(services_of(client.app).games, None)
    pages = [(path, how) for method, path, how in _answers(client) if method == "GET"]
    for path, how in [*pages, (f"/games/{won.id}", {})]:
        answer = client.get(path, **how)
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        for tag in Html(answer.text).tags:
            assert tag.name != "style", path
            assert "style" not in tag.attributes, (path, tag)
            assert not [name for name in tag.attributes if name.startswith("on")], (path, tag)
            for name in ("href", "src", "action", "formaction", "hx-get", "hx-post"):
                address = tag.attributes.get(name, "")
                assert not address.lower().startswith(("javascript:", "data:", "//")), (path, tag)
                assert not address.startswith("http") or HOST in address, (path, tag)
            if tag.name == "script":
                assert tag.attributes["src"].startswith("/static/"), path


def test_what_people_type_is_text_on_every_page(client: Client) -> None:
    nasty = '"><script>alert(1)</script>'
    named = {"name": "<b>&\"'x"}
    assert client.request("PUT", "/api/v1/players/me", json=named).status_code == 200
    client.end(client.move(client.start(), LEGAL))
    for path in (
        f"/new?code={nasty}&game={nasty}&from={nasty[:20]}",
        f"/d/{nasty}",
        f"/leaderboard?game={nasty}&period={nasty}",
        "/leaderboard",
        f"/{nasty}",
        f"/games/{nasty}",
    ):
        source = client.get(path, headers={"cookie": f"player={client.token}"}).text
        assert "<script>" not in source
        assert '<b>&"' not in source
    answer = client.post("/games", {"code": nasty})
    assert "<script>" not in answer.text
    assert Html(answer.text).one("input", name="code").attributes["value"] == nasty


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("path", ["/games", "/api/v1/games"])
def test_the_cookie_is_guarded(clients: Clients, scheme: str, path: str) -> None:
    client = clients.new(f"{scheme}://{HOST}")
    answer = client.post(path, {"game": "yukon"})
    (cookie,) = answer.headers.get_list("set-cookie")
    parts = [part.strip().lower() for part in cookie.split(";")]
    assert len(client.token) == 43
    assert parts[0] == f"player={client.token}".lower()
    assert {"httponly", "samesite=lax", "path=/"} < set(parts)
    assert ("secure" in parts) == (scheme == "https")
    assert f"max-age={400 * 24 * 3600}" in parts
    hsts = answer.headers.get("strict-transport-security")
    assert hsts == ("max-age=31536000" if scheme == "https" else None)


@pytest.mark.parametrize("secure", [True, False])
def test_the_cookie_s_secure_flag_can_be_forced(database: Database, secure: bool) -> None:
    url = database.url.render_as_string(hide_password=False)
    app = create_app(Settings(database_url=url, secure_cookies=secure))
    client = Client(app, f"https://{HOST}")
    answer = client.post("/games", {"game": "yukon"})
    assert ("secure" in answer.headers["set-cookie"].lower()) == secure
    client.close()
    services_of(app).database.close()


def test_the_database_holds_no_token(client: Client, database: Database) -> None:
    client.start()
    with database.read() as connection:
        rows = connection.exec_driver_sql("SELECT token_hash FROM devices").all()
    assert client.token not in str(rows)


class _Broken(Exception):
    pass


def test_a_fault_of_the_server_is_told_as_a_problem(
    app: FastAPI, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object) -> None:
        raise _Broken("the secret of the house")

    monkeypatch.setattr(services_of(app).games, "see", broken)
    client = clients.new(may_break=True)
    problem = client.get("/api/v1/games/x")
    refused(problem, 500, "server-error")
    page = client.get("/games/x")
    assert page.status_code == 500
    assert Html(page.text).one("main")
    for answer in (problem, page):
        assert "secret" not in answer.text
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers.get_list(name) == [value]
    with pytest.raises(_Broken):
        clients.new().get("/games/x")
