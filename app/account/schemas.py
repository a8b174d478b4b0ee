"""What programs say and are told of accounts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.account.keyring import Passkey
from app.account.service import Account

_PASSKEY = {
    "id": 1,
    "device": "Firefox · Windows",
    "created_at": "2026-12-01T08:00:00.000+00:00",
    "used_at": None,
}
_ACCOUNT = {
    "name": "Klondike Kate",
    "has_password": True,
    "devices": 2,
    "games": 40,
    "passkeys": [_PASSKEY],
}
_NAME, _PASSWORD, _OTHER = "Klondike Kate", "one ace at a time", "two kings in a row"
_ANSWER = {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": {}}


def _like(*examples: dict[str, Any]) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": list(examples)})


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


class PasskeyOut(BaseModel):
    """A passkey: `device` is the browser and system that added it, empty where it did not say."""

    model_config = _like(_PASSKEY)

    id: int
    device: str
    created_at: str
    used_at: str | None

    @classmethod
    def of(cls, passkey: Passkey) -> PasskeyOut:
        """The passkey, its times as ISO 8601."""
        used_at = None if passkey.used_at is None else _time(passkey.used_at)
        return cls(
            id=passkey.id,
            device=passkey.device,
            created_at=_time(passkey.created_at),
            used_at=used_at,
        )


class PasskeysOut(BaseModel):
    """A player's passkeys, the oldest first."""

    model_config = _like({"passkeys": [_PASSKEY]})

    passkeys: list[PasskeyOut]


class AccountOut(BaseModel):
    """The player of this cookie. `devices` is 0 where nobody has played by it yet."""

    model_config = _like(_ACCOUNT)

    name: str | None
    has_password: bool
    devices: int
    games: int
    passkeys: list[PasskeyOut]

    @classmethod
    def of(cls, account: Account | None, passkeys: list[Passkey]) -> AccountOut:
        """The account, or nobody's."""
        return cls(
            name=account.player.name if account else None,
            has_password=account is not None and account.player.has_password,
            devices=account.devices if account else 0,
            games=account.games if account else 0,
            passkeys=[PasskeyOut.of(each) for each in passkeys],
        )


class ExportOut(BaseModel):
    """All that is kept of a player; `games` with their records, events and results."""

    model_config = _like(
        {
            "format": "yukon-export-1",
            "player": {"name": "Klondike Kate", "has_password": True, "passkeys": []},
            "friends": [{"name": "Leo", "since": "2026-12-01T08:00:00.000+00:00"}],
            "settings": {"deck": "four"},
            "games": [],
        }
    )

    format: str
    player: dict[str, Any]
    friends: list[dict[str, Any]]
    settings: dict[str, str]
    games: list[dict[str, Any]]


class LinkOut(BaseModel):
    """A one-time link, told this once; it lets one device in until `ends_at`."""

    model_config = _like(
        {
            "url": "https://yukon.example/take/" + "A" * 43,
            "ends_at": "2026-12-01T08:10:00.000+00:00",
        }
    )

    url: str
    ends_at: str

    @classmethod
    def of(cls, url: str, ends_at: int) -> LinkOut:
        """The link, its end as ISO 8601."""
        return cls(url=url, ends_at=_time(ends_at))


class TakeIn(BaseModel):
    """A one-time link, or what stands behind its `/take/`; what becomes of a guest’s own games."""

    model_config = _like({"link": "https://yukon.example/take/" + "A" * 43, "games": "bring"})

    link: str = Field(max_length=1000)
    games: Literal["bring", "leave"] = "leave"

    @property
    def secret(self) -> str:
        """The link’s secret."""
        return self.link.strip().rpartition("/take/")[2]


class SignUpIn(BaseModel):
    """A name of 2 to 24 characters and a password of 8 to 200, for the player of this cookie."""

    model_config = _like({"name": _NAME, "password": _PASSWORD})

    name: str = Field(max_length=1000)
    password: str = Field(max_length=1000)


class _Bringing(BaseModel):
    games: Literal["bring", "leave"] = "leave"
    """What becomes of a guest's own games."""


class SignInIn(_Bringing):
    """A name and its password; a guest's own games come along, or are left."""

    model_config = _like({"name": _NAME, "password": _PASSWORD, "games": "bring"})

    name: str = Field(max_length=1000)
    password: str = Field(max_length=1000)


class PasswordIn(BaseModel):
    """The password until now, and the next one."""

    model_config = _like({"old": _PASSWORD, "new": _OTHER})

    old: str = Field(max_length=1000)
    new: str = Field(max_length=1000)


class PasskeyIn(BaseModel):
    """What `navigator.credentials.create` gave, as its `toJSON` says it."""

    model_config = _like({"credential": _ANSWER})

    credential: dict[str, Any]


class PasskeySignInIn(_Bringing):
    """What `navigator.credentials.get` gave, as its `toJSON` says it."""

    model_config = _like({"credential": _ANSWER, "games": "bring"})

    credential: dict[str, Any]


class OptionsOut(BaseModel):
    """Options for `navigator.credentials` (WebAuthn's JSON), as `publicKey`."""

    model_config = _like(
        {"publicKey": {"challenge": "A" * 43, "rpId": "yukon.example", "timeout": 300000}}
    )

    public_key: dict[str, Any] = Field(alias="publicKey")


class SignOutIn(BaseModel):
    """Here, or everywhere."""

    model_config = _like({"where": "here"})

    where: Literal["here", "everywhere"] = "here"


class DeleteIn(BaseModel):
    """The password, where the player has one; and that they are sure."""

    model_config = _like({"sure": True, "password": _OTHER})

    sure: Literal[True]
    password: str = Field("", max_length=1000)
