import json
import os
import unittest
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = os.environ["MERCADITO_URL"]


def call(method, url, body=None, token=None):
    """Calls the marketplace, or with no token the sandbox's control plane."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers, method=method)) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def answer_all(url, token, text):
    """What is tested: answers every open question of a seller with the same text."""
    questions = call("GET", f"{url}/questions/search?status=UNANSWERED&limit=100", token=token)["questions"]
    for question in questions:
        call("POST", f"{url}/answers", {"question_id": question["id"], "text": text}, token)
    return len(questions)


class Answers(unittest.TestCase):
    def setUp(self):
        # A marketplace for one test alone, so that tests run side by side.
        self.world = call("POST", f"{URL}/_sandbox/worlds", {"scenario": "demo", "now": "2026-03-02T12:00:00Z"})
        self.addCleanup(call, "DELETE", f"{URL}/_sandbox/worlds/{self.world['world']['id']}")

    def test_every_open_question_is_answered(self):
        url, seller, buyer = self.world["url"], self.world["sellers"][0], self.world["buyers"][0]
        question = {"item_id": "MLA1400000001", "from": buyer["id"], "text": "¿Hay stock?"}
        asked = call("POST", f"{url}/_sandbox/questions", question)
        self.assertGreater(answer_all(url, seller["token"], "¡Hola! Sí."), 0)
        read = call("GET", f"{url}/questions/{asked['id']}", token=seller["token"])
        self.assertEqual(read["answer"]["text"], "¡Hola! Sí.")
        expected = {"method": "POST", "path": "/answers", "body": {"question_id": asked["id"]}, "times": 1}
        call("POST", f"{url}/_sandbox/verify", expected)

    def test_what_the_service_refuses_is_told(self):
        url, seller = self.world["url"], self.world["sellers"][0]
        call("POST", f"{url}/_sandbox/faults", {"match": {"path": "/answers"}, "action": {"status": 500}})
        with self.assertRaises(HTTPError):
            answer_all(url, seller["token"], "Sí")


if __name__ == "__main__":
    unittest.main()
