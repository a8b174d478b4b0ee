"""An account moved to a second profile: by link and by password, and both play on."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from tests.e2e.api import Player
from tests.e2e.conftest import Browse
from tests.e2e.lines import winning_line
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.watch import Watch

CODE, ALSO = "YU1-F-AAAAACE", "YU1-F-AAAAACT"
LINE = winning_line(CODE)
NAME, PASSWORD = "Soapy Smith", "the longest con in Skagway"


def one_time_link(page: Page) -> str:
    page.goto("/account")
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_role("img", name="QR code of this link")).to_be_visible()
    link = page.get_by_role("link", name="Copy link").get_attribute("href")
    assert link
    return link


def test_a_link_moves_the_account_to_a_second_profile(
    browse: Browse, player: Player, other: Player, watch: Watch
) -> None:
    watch.allow("status of 404")
    game = player.start(CODE, LINE[:2])
    first = browse(color_scheme="dark")
    player.enter(first)
    here = Table.open(first, game)
    link = one_time_link(here.page)

    mine = other.start(ALSO, winning_line(ALSO)[:1])
    second = browse(viewport={"width": 390, "height": 844}, has_touch=True)
    other.enter(second)
    page = second.new_page()
    page.goto(link)
    expect(page.get_by_text("This device has 1 game of its own")).to_be_visible()
    page.get_by_label("Bring them along").check()
    page.get_by_role("button", name="Take along").click()
    expect(page.get_by_role("link", name="Resume")).to_be_visible()

    there = Table.open(second, game)
    there.play(there.drag, LINE[2:3])
    here.page.goto(f"/games/{game['id']}")
    here.wait()
    here.play(here.drag, LINE[3:4])
    assert player.see(game["id"])["version"] == 4
    for context in (first, second):
        Table.open(context, mine)
    page.goto(link)
    expect(page.get_by_role("heading", name="leads nowhere")).to_be_visible()


def test_a_password_does_too_without_scripts(browse: Browse, player: Player, watch: Watch) -> None:
    watch.allow(r"\.js.*: csp$")
    game = player.start(CODE, LINE[:2])
    first = browse(java_script_enabled=False)
    player.enter(first)
    page = first.new_page()
    page.goto("/account")
    form = page.locator("#sign-up")
    form.get_by_label("Name", exact=True).fill(NAME)
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("status").first).to_contain_text("sign in on any device")

    second = browse(java_script_enabled=False)
    away = second.new_page()
    away.goto("/account")
    form = away.locator("#sign-in")
    form.get_by_label("Name").fill(NAME)
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Sign in").click()
    expect(away.get_by_role("status").first).to_contain_text("Signed in.")
    assert away.url.endswith("/account?done=signed-in#main")
    away.goto(f"/games/{game['id']}")
    away.goto("/account/sign-out")
    away.get_by_role("button", name="Sign out here").click()
    expect(away.get_by_text("Signed out.")).to_be_visible()
    page.goto("/account/delete")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_text("Everything of yours is deleted.")).to_be_visible()


def authenticator(context: BrowserContext, page: Page) -> tuple[CDPSession, str]:
    """A virtual authenticator of this page's: the browser's own, as a phone has one."""
    devtools = context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    added = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return devtools, str(added["authenticatorId"])


def test_a_passkey_moves_the_account_to_a_second_profile(
    browse: Browse, server: Server, watch: Watch
) -> None:
    watch.allow("another host: http://localhost:", "status of 40[34]")
    local = server.url.replace("127.0.0.1", "localhost")  # a passkey's site has a name
    first = browse(base_url=local)
    here = first.new_page()
    mine, own = authenticator(first, here)
    here.goto("/account")
    here.get_by_role("button", name="Add a passkey").click()
    expect(here.get_by_role("status").first).to_contain_text("With this passkey you can sign in")
    here.wait_for_load_state()
    expect(here.get_by_role("listitem").filter(has_text="Added on")).to_have_count(1)
    here.get_by_role("button", name="Add another passkey").click()
    expect(here.get_by_role("alert")).to_contain_text("has a passkey of yours already")
    game = here.request.post("/api/v1/games", data={"code": CODE}).json()

    second = browse(base_url=local, viewport={"width": 390, "height": 844}, has_touch=True)
    there = second.new_page()
    devtools, copied = authenticator(second, there)
    there.goto("/account")
    button = there.get_by_role("button", name="Sign in with a passkey")
    button.click()
    expect(there.get_by_role("alert")).to_contain_text("cancelled")
    (credential,) = mine.send("WebAuthn.getCredentials", {"authenticatorId": own})["credentials"]
    devtools.send("WebAuthn.addCredential", {"authenticatorId": copied, "credential": credential})
    button.click()
    expect(there.get_by_role("status").first).to_contain_text("Signed in.")
    there.wait_for_load_state()  # a page that is left early fails its scripts
    there.goto(f"/games/{game['id']}")
    expect(there.locator("#table")).to_be_visible()
    expect(there.locator("#table[data-watch]")).to_have_count(0)

    there.goto("/account")
    there.get_by_role("link", name="Remove the passkey").click()
    there.get_by_role("button", name="Remove").click()
    expect(there.get_by_text("it lets nobody in any more")).to_be_visible()
    there.wait_for_load_state()
    there.goto("/account/sign-out")
    there.get_by_role("button", name="Sign out here").click()
    there.get_by_role("button", name="Sign in with a passkey").click()
    expect(there.get_by_role("alert")).to_contain_text("may have been removed")
