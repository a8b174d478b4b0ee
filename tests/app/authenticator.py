"""An authenticator in software, for the application's tests: it makes passkeys and signs by them.

Written by the specification (W3C Web Authentication, Level 3, 6.1 and 6.5), not by the package
that the application reads it with.
"""

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

Json = dict[str, Any]
PRESENT, VERIFIED, BACKED_UP, HAS_KEY = 0x01, 0x04, 0x18, 0x40


def text_of(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Key:
    """One passkey."""

    rp_id: str
    handle: bytes
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    private: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    count: int = 0

    def public(self) -> bytes:
        """Its public key, by COSE (RFC 9053): EC2, ES256, P-256."""
        at = self.private.public_key().public_numbers()
        x, y = at.x.to_bytes(32, "big"), at.y.to_bytes(32, "big")
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})


@dataclass
class Authenticator:
    """Answers as a browser does that is at `origin`; `counts`: it counts what it signs."""

    origin: str = "https://yukon.test"
    counts: bool = True
    flags: int = PRESENT | VERIFIED | BACKED_UP

    def _client_data(self, kind: str, challenge: str) -> bytes:
        said = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(said).encode()

    def _data(self, key: Key, flags: int) -> bytes:
        rp = hashlib.sha256(key.rp_id.encode()).digest()
        return rp + bytes([flags]) + key.count.to_bytes(4, "big")

    def make(self, options: Json, rp_id: str | None = None) -> tuple[Key, Json]:
        """A passkey as the options ask, and the answer."""
        assert -7 in [each["alg"] for each in options["pubKeyCredParams"]]
        assert options["authenticatorSelection"]["residentKey"] == "required"
        key = Key(rp_id or options["rp"]["id"], bytes_of(options["user"]["id"]))
        key.count = int(self.counts)
        data = self._data(key, self.flags | HAS_KEY)
        data += bytes(16) + len(key.id).to_bytes(2, "big") + key.id + key.public()
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", options["challenge"])
        response = {"clientDataJSON": client_data, "attestationObject": attestation}
        return key, self._answer(key, response)

    def sign(self, key: Key, options: Json) -> Json:
        """The passkey's answer to a challenge."""
        key.count += self.counts
        client_data = self._client_data("webauthn.get", options["challenge"])
        data = self._data(key, self.flags)
        signed = data + hashlib.sha256(client_data).digest()
        response = {
            "clientDataJSON": client_data,
            "authenticatorData": data,
            "signature": key.private.sign(signed, ec.ECDSA(hashes.SHA256())),
            "userHandle": key.handle,
        }
        return self._answer(key, response)

    def _answer(self, key: Key, response: dict[str, bytes]) -> Json:
        return {
            "id": text_of(key.id),
            "rawId": text_of(key.id),
            "type": "public-key",
            "response": {name: text_of(value) for name, value in response.items()},
            "clientExtensionResults": {},
        }
