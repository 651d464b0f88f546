"""A pytest plugin: `mercadito` is a server, `world` a world of its own for each test. Needs only the standard library.

The server is the one of MERCADITO_URL (`mercadito exec -- pytest`), else one that the plugin starts for the session and for all
workers of pytest-xdist. `mercadito_command` in the ini file says how. A server that the plugin has started reviews the worlds of all
tests at the end; with `mercadito_fail_on` in the ini file the run fails on findings of that severity or above.
"""

import json
import os
import shlex
import subprocess
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

_server = pytest.StashKey()
_audit = pytest.StashKey()
_SEVERITIES = ["info", "warn", "error"]


def pytest_addoption(parser):
    parser.addini("mercadito_command", "the command that runs mercadito", default="npx mercadito")
    parser.addini("mercadito_fail_on", "info, warn or error: the audit fails on findings of this severity or above")


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "mercadito(scenario, seed, now, assume): what the world of the test begins with; default: the scenario demo"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    # A worker inherits the address from the process that starts it.
    if os.environ.get("MERCADITO_URL") or session.config.option.collectonly:
        return
    command = shlex.split(session.config.getini("mercadito_command"))
    server = subprocess.Popen([*command, "start", "--port", "0", "--ready-json"], stdout=subprocess.PIPE)
    session.config.stash[_server] = server
    line = server.stdout.readline()
    if not line:
        raise pytest.UsageError(f"{shlex.join(command)} did not start (exit code {server.wait()})")
    os.environ["MERCADITO_URL"] = json.loads(line)["url"]
    Control(os.environ["MERCADITO_URL"]).call("PUT", "/run", {})


def pytest_sessionfinish(session, exitstatus):
    if _server not in session.config.stash:
        return
    audit = Control(os.environ["MERCADITO_URL"]).call("GET", "/run")["audit"]
    fail_on = session.config.getini("mercadito_fail_on")
    failing = _SEVERITIES[_SEVERITIES.index(fail_on) :] if fail_on else []
    failures = sum(finding["severity"] in failing for finding in audit["findings"])
    has_calls = audit["audited"]["requests"] + audit["audited"]["dropped"] > 0
    session.config.stash[_audit] = audit
    if fail_on and exitstatus == pytest.ExitCode.OK and (failures or not has_calls):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    audit = config.stash.get(_audit, None)
    if not audit:
        return
    terminalreporter.section("mercadito requests audit")
    for finding in audit["findings"]:
        terminalreporter.line(f"{finding['severity']}: {finding['title']}: {'; '.join(finding['evidence']['subjects'])}")
        terminalreporter.line(f"  {finding['fix']}")
    audited = audit["audited"]
    terminalreporter.line(f"{len(audit['findings'])} findings in {audited['requests']} requests of {audited['worlds']} worlds")


def pytest_unconfigure(config):
    server = config.stash.get(_server, None)
    if server:
        del os.environ["MERCADITO_URL"]
        server.terminate()
        server.wait()


class Control:
    """Sends control calls to a server, or to one of its worlds."""

    def __init__(self, url):
        self.url = url

    def call(self, method, path, body=None):
        """Returns the parsed answer. An error answer is an AssertionError with its message."""
        token = os.environ.get("MERCADITO_ADMIN_TOKEN")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(f"{self.url}/_sandbox{path}", data, headers, method=method)) as response:
                return json.loads(response.read() or "null")
        except HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from None


class World(Control):
    """`url`, `sellers` and `buyers` with their tokens, `application`, and control calls."""

    def __init__(self, created):
        super().__init__(created["url"])
        self.id = created["world"]["id"]
        self.application = created["application"]
        self.sellers = created["sellers"]
        self.buyers = created["buyers"]

    def ask(self, item_id, text):
        return self.call("POST", "/questions", {"item_id": item_id, "text": text})

    def verify(self, **expected):
        return self.call("POST", "/verify", expected)


@pytest.fixture(scope="session")
def mercadito():
    return Control(os.environ["MERCADITO_URL"])


@pytest.fixture
def world(mercadito, request):
    marker = request.node.get_closest_marker("mercadito")
    content = {"scenario": "demo", **(marker.kwargs if marker else {})}
    # The server deletes the world itself if the test is killed.
    world = World(mercadito.call("POST", "/worlds", {**content, "name": request.node.name[:100], "expires_in": 3600}))
    yield world
    mercadito.call("DELETE", f"/worlds/{world.id}")
