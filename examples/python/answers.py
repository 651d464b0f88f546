import json
from urllib.request import Request, urlopen


def call(method, url, body=None, token=None):
    """Sends one request and returns the parsed answer. Control calls need no token."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers, method=method)) as response:
        text = response.read()
        return json.loads(text) if text else None


def answer_all(url, token, text):
    """The program under test: answers every open question of a seller with the same text."""
    questions = call("GET", f"{url}/questions/search?status=UNANSWERED&limit=100", token=token)["questions"]
    for question in questions:
        call("POST", f"{url}/answers", {"question_id": question["id"], "text": text}, token)
    return len(questions)
