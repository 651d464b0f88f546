package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

type object = map[string]any

type person struct {
	ID    int64  `json:"id"`
	Token string `json:"token"`
}

// world is the answer to POST /_sandbox/worlds.
type world struct {
	URL   string `json:"url"`
	World struct {
		ID int `json:"id"`
	} `json:"world"`
	Sellers []person `json:"sellers"`
	Buyers  []person `json:"buyers"`
}

// must makes a call that is not under test.
func must(t *testing.T, method, url string, body any, token string, result any) {
	t.Helper()
	if err := call(method, url, body, token, result); err != nil {
		t.Fatal(err)
	}
}

// newWorld creates a world for one test, so that tests can run at the same time.
func newWorld(t *testing.T) (made world) {
	t.Helper()
	base := os.Getenv("MERCADITO_URL")
	must(t, "POST", base+"/_sandbox/worlds", object{"scenario": "demo", "now": "2026-03-02T12:00:00Z"}, "", &made)
	t.Cleanup(func() {
		must(t, "DELETE", fmt.Sprintf("%s/_sandbox/worlds/%d", base, made.World.ID), nil, "", nil)
	})
	return made
}

func TestAnswersEveryOpenQuestion(t *testing.T) {
	t.Parallel()
	world := newWorld(t)
	url, seller, buyer := world.URL, world.Sellers[0], world.Buyers[0]

	var asked struct {
		ID int64 `json:"id"`
	}
	question := object{"item_id": "MLA1400000001", "from": buyer.ID, "text": "¿Hay stock?"}
	must(t, "POST", url+"/_sandbox/questions", question, "", &asked)
	if count, err := answerAll(url, seller.Token, "¡Hola! Sí."); err != nil || count == 0 {
		t.Fatalf("%d questions answered, %v", count, err)
	}

	var read struct {
		Answer struct {
			Text string `json:"text"`
		} `json:"answer"`
	}
	must(t, "GET", fmt.Sprintf("%s/questions/%d", url, asked.ID), nil, seller.Token, &read)
	if read.Answer.Text != "¡Hola! Sí." {
		t.Errorf("the answer is %q", read.Answer.Text)
	}
	expected := object{"method": "POST", "path": "/answers", "body": object{"question_id": asked.ID}, "times": 1}
	must(t, "POST", url+"/_sandbox/verify", expected, "", nil)
}

func TestReportsAnErrorOfTheService(t *testing.T) {
	t.Parallel()
	world := newWorld(t)
	fault := object{"match": object{"path": "/answers"}, "action": object{"status": 500}}
	must(t, "POST", world.URL+"/_sandbox/faults", fault, "", nil)
	_, err := answerAll(world.URL, world.Sellers[0].Token, "Sí")
	if err == nil || !strings.Contains(err.Error(), "/answers: 500") {
		t.Errorf("the error is %v", err)
	}
}
