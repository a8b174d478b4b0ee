"""Passkeys as WebAuthn has them (W3C, Level 3): what browsers are asked for, what is believed.

The package `webauthn` does the cryptography; here is what this site asks and accepts.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from app.errors import PasskeyRefused
from app.i18n import gettext as _
from app.i18n import later

LASTS_MS = 5 * 60_000
"""For how long a challenge can be answered."""
_NAME = "Yukon Solitaire"
_LONGEST_ID = 1023  # bytes: the longest that WebAuthn allows
_LONGEST_KEY = 2048  # bytes: an RSA key of 8192 bits fits
_REFUSED = later("This passkey’s answer cannot be believed; try again")


@dataclass(frozen=True, slots=True)
class Site:
    """What a passkey is bound to: the host's name, and the origins its pages have."""

    rp_id: str
    origins: tuple[str, ...]


def site_of(host: str) -> Site:
    """The site that answers at this host (with its port, where it is not the usual one).

    Its pages come over https, which a proxy may end; without, browsers know passkeys only where
    the page comes from the same machine.
    """
    name = urlsplit(f"//{host}").hostname or ""
    local = name == "localhost" or name.endswith(".localhost")
    return Site(name, (f"https://{host}", f"http://{host}") if local else (f"https://{host}",))


def new_challenge() -> bytes:
    """What an answer must have signed."""
    return secrets.token_bytes(32)


def new_handle() -> bytes:
    """What an authenticator knows a player by: it says nothing of them."""
    return secrets.token_bytes(32)


def to_make(
    site: Site, challenge: bytes, handle: bytes, name: str, known: Sequence[bytes]
) -> dict[str, Any]:
    """The options of `navigator.credentials.create`; on what holds a `known` one none is made."""
    options = generate_registration_options(
        rp_id=site.rp_id,
        rp_name=_NAME,
        user_name=name,
        user_id=handle,
        challenge=challenge,
        timeout=LASTS_MS,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=each) for each in known],
    )
    return dict(json.loads(options_to_json(options)))


def to_use(site: Site, challenge: bytes) -> dict[str, Any]:
    """The options of `navigator.credentials.get`, for whichever passkey the player has."""
    options = generate_authentication_options(
        rp_id=site.rp_id,
        challenge=challenge,
        timeout=LASTS_MS,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return dict(json.loads(options_to_json(options)))


@dataclass(frozen=True, slots=True)
class Made:
    """A new passkey: its id, its public key (COSE), how often it has signed."""

    credential_id: bytes
    public_key: bytes
    sign_count: int


def made(site: Site, challenge: bytes, answer: Mapping[str, Any]) -> Made:
    """The passkey that an authenticator has made. Raises PasskeyRefused."""
    try:
        found = verify_registration_response(
            credential=dict(answer),
            expected_challenge=challenge,
            expected_rp_id=site.rp_id,
            expected_origin=list(site.origins),
        )
    except Exception as error:  # of many kinds: the answer is whatever somebody sends
        raise PasskeyRefused(_(_REFUSED)) from error
    if len(found.credential_id) > _LONGEST_ID or len(found.credential_public_key) > _LONGEST_KEY:
        raise PasskeyRefused(_(_REFUSED))
    return Made(found.credential_id, found.credential_public_key, found.sign_count)


def id_of(answer: Mapping[str, Any]) -> bytes:
    """Which passkey answers; empty where that cannot be read."""
    text = answer.get("id")
    try:
        return base64url_to_bytes(text) if isinstance(text, str) else b""
    except ValueError:
        return b""


def handle_of(answer: Mapping[str, Any]) -> bytes:
    """By which handle the passkey knows its player; empty where it does not say."""
    response = answer.get("response")
    text = response.get("userHandle") if isinstance(response, Mapping) else None
    try:
        return base64url_to_bytes(text) if isinstance(text, str) else b""
    except ValueError:
        return b""


def used(
    site: Site, challenge: bytes, answer: Mapping[str, Any], public_key: bytes, sign_count: int
) -> int:
    """How often a passkey has signed by now, as its answer proves. Raises PasskeyRefused.

    A count that does not grow tells of a copy (authenticators that do not count say 0).
    """
    try:
        return verify_authentication_response(
            credential=dict(answer),
            expected_challenge=challenge,
            expected_rp_id=site.rp_id,
            expected_origin=list(site.origins),
            credential_public_key=public_key,
            credential_current_sign_count=sign_count,
        ).new_sign_count
    except Exception as error:  # of many kinds: the answer is whatever somebody sends
        raise PasskeyRefused(_(_REFUSED)) from error
