from urllib.error import HTTPError

import pytest
from answers import answer_all


@pytest.mark.mercadito(scenario="quiet")
def test_reports_an_error_of_the_service(world):
    # Only in the world of this test.
    world.call("POST", "/faults", {"match": {"path": "/answers"}, "action": {"status": 500}})
    world.ask("MLA1400000001", "¿Hay stock?")
    with pytest.raises(HTTPError, match="500"):
        answer_all(world.url, world.sellers[0]["token"], "Sí.")
    world.verify(method="POST", path="/answers", times=1)
