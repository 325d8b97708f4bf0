package library

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// TestPlainQuestionsAreReadAsJSON writes questions of every kind: what is read as plain is what encoding/json reads, and nothing is read
// as plain that it refuses.
func TestPlainQuestionsAreReadAsJSON(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	words := []string{"", "q1", "東京は？", "a, b", "é ü", "[]", "{}", "1", " x ", "a]", "},",
		"tab\t", `"quoted"`, "<b>", "line\n", "\u2028", "back\\slash"}
	const plainWords = 11
	word := func() string {
		if random.IntN(20) > 0 {
			return words[random.IntN(plainWords)]
		}
		return words[random.IntN(len(words))]
	}
	list := func() (out []string) {
		for range random.IntN(3) {
			out = append(out, word())
		}
		return out
	}
	plain := 0
	for range 20_000 {
		q := experiments.Question{ID: word(), Text: word(), Lang: word(), Reference: word(), References: list(),
			Answerable: random.IntN(2) == 0, Critical: random.IntN(2) == 0, ExpectedURLs: list(), Tags: list()}
		for range random.IntN(3) {
			q.Evidence = append(q.Evidence, experiments.Evidence{
				Span:  rag.Span{DocID: word(), Start: random.IntN(100) - 50, End: random.IntN(1 << 40)},
				Quote: word(),
			})
		}
		if random.IntN(4) == 0 {
			q.Metadata = map[string]string{word(): word()}
		}
		body, err := sqldb.EncodeJSON(q)
		if err != nil {
			t.Fatal(err)
		}
		if random.IntN(2) == 0 { // as somebody may have damaged it
			at := random.IntN(len(body))
			damage := []string{"", ",", `"`, "0", "\x01", "\xff", "]", " ", `,"answerable":true`}
			body = body[:at] + damage[random.IntN(len(damage))] + body[at+random.IntN(2):]
		}
		got, ok := readQuestion(body)
		if !ok {
			continue
		}
		plain++
		var want experiments.Question
		if err := json.Unmarshal([]byte(body), &want); err != nil {
			t.Fatalf("%s was read as plain, and is no JSON: %v", body, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s: %s", body, diff)
		}
	}
	if plain < 1000 {
		t.Errorf("%d questions were plain", plain)
	}
	usual := `{"question_id":"q1","question":"How much?","lang":"en","reference":"5 coins","answerable":true,` +
		`"evidence":[{"doc_id":"d","start":1,"end":2,"quote":"5"}],"tags":["theme:fees"]}`
	if _, ok := readQuestion(usual); !ok || !strings.Contains(usual, "theme") {
		t.Errorf("%s is not read as plain", usual)
	}
}
