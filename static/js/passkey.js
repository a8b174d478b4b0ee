// Passkeys on the account's page: adding one, and signing in by one.
const API = "/api/v1/account/passkeys";
const supported = "PublicKeyCredential" in window && "credentials" in navigator;

const toBytes = (text) => {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
};
const toText = (buffer) => {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

/** WebAuthn's JSON as the browser takes it, also by browsers that cannot read it themselves. */
function read(options, how) {
  const own = PublicKeyCredential[how];
  if (own) return own.call(PublicKeyCredential, options);
  const bare = (list) => (list ?? []).map((each) => ({ ...each, id: toBytes(each.id) }));
  const known = { ...options, challenge: toBytes(options.challenge) };
  if (options.user) known.user = { ...options.user, id: toBytes(options.user.id) };
  if (options.excludeCredentials) known.excludeCredentials = bare(options.excludeCredentials);
  if (options.allowCredentials) known.allowCredentials = bare(options.allowCredentials);
  return known;
}

/** A credential as JSON. */
function written(credential) {
  if (credential.toJSON) return credential.toJSON();
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[name]) response[name] = toText(credential.response[name]);
  }
  return { id: credential.id, rawId: toText(credential.rawId), type: credential.type, response, clientExtensionResults: {} };
}

class Refused extends Error {}

async function post(path, body) {
  const answer = await fetch(API + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: body ? JSON.stringify(body) : undefined,
  });
  const said = await answer.json();
  if (answer.ok) return said;
  throw Object.assign(new Refused(said.detail), { code: said.code });
}

async function add() {
  const { publicKey } = await post("/options");
  const options = read(publicKey, "parseCreationOptionsFromJSON");
  const credential = await navigator.credentials.create({ publicKey: options });
  await post("", { credential: written(credential) });
  location.assign("/account?done=passkey");
}

async function signIn(form) {
  const { publicKey } = await post("/sign-in/options");
  const options = read(publicKey, "parseRequestOptionsFromJSON");
  const credential = await navigator.credentials.get({ publicKey: options });
  const games = new FormData(form).get("games") ?? "leave";
  try {
    await post("/sign-in", { credential: written(credential), games });
  } catch (error) {
    if (error.code === "passkey-unknown") {
      // the browser need not offer it again
      PublicKeyCredential.signalUnknownCredential?.({ rpId: publicKey.rpId, credentialId: credential.id })?.catch(() => {});
    }
    throw error;
  }
  location.assign("/account?done=signed-in#main");
}

/** Which of the page's sentences says what went wrong; the server's refusals say it themselves. */
function reason(error) {
  if (error instanceof TypeError) return "unreachable";
  return {
    NotAllowedError: "cancelled",
    AbortError: "cancelled",
    InvalidStateError: "there",
    SecurityError: "insecure",
    NotSupportedError: "unsupported",
  }[error.name] ?? "failed";
}

function tell(what, sentence) {
  const place = document.querySelector(`[data-passkey-says="${what}"]`);
  place.hidden = !sentence;
  place.textContent = place.dataset[sentence] ?? sentence;
}

async function press(button) {
  const what = button.dataset.passkey;
  tell(what, "");
  button.disabled = true;
  try {
    await (what === "add" ? add() : signIn(button.form));
  } catch (error) {
    tell(what, error instanceof Refused ? error.message : reason(error));
    button.disabled = false;
  }
}

for (const button of document.querySelectorAll("[data-passkey]")) {
  if (supported) {
    button.hidden = false;
    button.addEventListener("click", () => press(button));
  } else if (button.dataset.passkey === "add") tell("add", isSecureContext ? "unsupported" : "insecure");
}
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("[data-passkey]")) button.disabled = false;
});
