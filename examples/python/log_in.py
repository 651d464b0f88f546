import base64
import hashlib
import json
import os
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

BASE = os.environ["MERCADITO_URL"]
CLIENT = {"client_id": os.environ["MERCADITO_CLIENT_ID"], "client_secret": os.environ["MERCADITO_CLIENT_SECRET"]}
REDIRECT_URI = os.environ["MERCADITO_REDIRECT_URI"]


class OAuthError(Exception):
    pass


def begin_login():
    """The address that the person opens, and what must be kept until they return."""
    state, verifier = secrets.token_hex(16), secrets.token_urlsafe(32)
    digest = hashlib.sha256(verifier.encode()).digest()
    query = {
        "response_type": "code",
        "client_id": CLIENT["client_id"],
        "redirect_uri": REDIRECT_URI,
        "state": state,
        "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
        "code_challenge_method": "S256",
    }
    return f"{BASE}/authorization?{urlencode(query)}", state, verifier


def request_tokens(**parameters):
    try:
        with urlopen(f"{BASE}/oauth/token", urlencode({**CLIENT, **parameters}).encode()) as response:
            return json.load(response)
    except HTTPError as error:
        answer = json.load(error)
        raise OAuthError(f"{answer['error']}: {answer['error_description']}") from None


class Session:
    """Keeps the tokens of one user. Threads that need new ones at the same time share one refresh."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.lock = threading.Lock()

    def get(self, path):
        used = self.tokens["access_token"]
        try:
            return self.send(path, used)
        except HTTPError as error:
            if error.code != 401:
                raise
        with self.lock:
            if self.tokens["access_token"] == used:
                # Store both tokens before they are used: the old refresh token no longer works.
                self.tokens = request_tokens(grant_type="refresh_token", refresh_token=self.tokens["refresh_token"])
                print("refreshed")
        return self.send(path, self.tokens["access_token"])

    def send(self, path, token):
        with urlopen(Request(BASE + path, headers={"Authorization": f"Bearer {token}"})) as response:
            return json.load(response)


def pick_user(address, user_id):
    """A person would open the address in a browser; a test picks the user with the same form."""
    url = urlsplit(address)
    connection = HTTPConnection(url.netloc)
    connection.request("POST", f"{url.path}?{url.query}&user_id={user_id}")
    response = connection.getresponse()
    if response.status != 302:
        raise OAuthError(response.read().decode())
    return parse_qs(urlsplit(response.headers["location"]).query)


address, state, verifier = begin_login()
returned = pick_user(address, os.environ["MERCADITO_SELLER_ID"])
if returned["state"] != [state]:
    raise SystemExit("the answer belongs to another login")
exchange = {
    "grant_type": "authorization_code",
    "code": returned["code"][0],
    "redirect_uri": REDIRECT_URI,
    "code_verifier": verifier,
}
tokens = request_tokens(**exchange)
session = Session(tokens)
print(f"logged in as {session.get('/users/me')['nickname']}")

try:
    request_tokens(**exchange)
except OAuthError as error:
    print(f"the code again: {error}")

# Six hours later, for the world only.
urlopen(f"{BASE}/_sandbox/clock/advance", b'{"by":"PT6H"}').close()
with ThreadPoolExecutor() as pool:
    users = list(pool.map(session.get, ["/users/me", "/users/me"]))
print(f"two calls after six hours: {', '.join(user['nickname'] for user in users)}")

try:
    request_tokens(grant_type="refresh_token", refresh_token=tokens["refresh_token"])
except OAuthError as error:
    print(f"the first refresh token again: {error}")
