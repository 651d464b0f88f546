import os
import unittest
from urllib.error import HTTPError

from answers import answer_all, call

URL = os.environ["MERCADITO_URL"]


class Answers(unittest.TestCase):
    def setUp(self):
        # A world for one test, so that tests can run at the same time.
        self.world = call("POST", f"{URL}/_sandbox/worlds", {"scenario": "demo", "now": "2026-03-02T12:00:00Z"})
        self.addCleanup(call, "DELETE", f"{URL}/_sandbox/worlds/{self.world['world']['id']}")

    def test_answers_every_open_question(self):
        url, seller, buyer = self.world["url"], self.world["sellers"][0], self.world["buyers"][0]
        question = {"item_id": "MLA1400000001", "from": buyer["id"], "text": "¿Hay stock?"}
        asked = call("POST", f"{url}/_sandbox/questions", question)
        self.assertGreater(answer_all(url, seller["token"], "¡Hola! Sí."), 0)
        read = call("GET", f"{url}/questions/{asked['id']}", token=seller["token"])
        self.assertEqual(read["answer"]["text"], "¡Hola! Sí.")
        expected = {"method": "POST", "path": "/answers", "body": {"question_id": asked["id"]}, "times": 1}
        call("POST", f"{url}/_sandbox/verify", expected)

    def test_reports_an_error_of_the_service(self):
        url, seller = self.world["url"], self.world["sellers"][0]
        call("POST", f"{url}/_sandbox/faults", {"match": {"path": "/answers"}, "action": {"status": 500}})
        with self.assertRaises(HTTPError):
            answer_all(url, seller["token"], "Sí")


if __name__ == "__main__":
    unittest.main()
