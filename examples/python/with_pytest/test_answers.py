import pytest
from answers import answer_all

pytestmark = pytest.mark.mercadito(scenario="quiet", now="2026-03-02T12:00:00Z")


def test_answers_every_open_question(world):
    world.ask("MLA1400000001", "¿Hay stock?")
    assert answer_all(world.url, world.sellers[0]["token"], "Sí.") == 1
    # Counts the calls of this test only: all others have worlds of their own.
    world.verify(method="POST", path="/answers", times=1)


@pytest.mark.parametrize("count", [2, 3])
def test_answers_several_questions(world, count):
    for _ in range(count):
        world.ask("MLA1400000001", "¿Hay stock?")
    assert answer_all(world.url, world.sellers[0]["token"], "Sí.") == count
    world.verify(method="POST", path="/answers", times=count)
