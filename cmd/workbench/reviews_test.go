package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app/reviews"
)

// TestReviewsOnTheCommandLine: two people decide in turn, one by keys, and the judge is silent until they did.
func TestReviewsOnTheCommandLine(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	b.run("reviews", "next", "closed").says(t, program.ExitUsage, "no answers of run", "workbench reviews queue")
	b.must("reviews", "queue", "closed", "--reviewers", "Ann,Ben", "--answers", "3", "--twice", "3").
		says(t, program.ExitDone, "3 answers are dealt, 3 of them to two reviewers or more", "REVIEWER")
	b.run("reviews", "next", "closed").says(t, program.ExitUsage, "say who you are with --as NAME")

	shown := b.must("reviews", "next", "closed", "--as", "Ann", "--json")
	var first struct{ Next reviews.QueueItem }
	if err := json.Unmarshal([]byte(shown.stdout), &first); err != nil || first.Next.QuestionID == "" || first.Next.Answer == "" {
		t.Fatalf("%v: %s", err, shown.stdout)
	}
	for _, word := range []string{"judge", "correctness", "trust", "low", "score"} {
		if strings.Contains(shown.stdout, `"`+word) {
			t.Errorf("what the judge says is told before the decision (%s):\n%s", word, shown.stdout)
		}
	}
	b.stdin = "x\ns\nc\nz\nc\ni\nu\n"
	b.interactive = true
	b.must("reviews", "next", "closed", "--as", "Ann").
		says(t, program.ExitDone, "c correct   i incorrect", "the judge says: correctness", "Ann: 1 of 3 decided",
			"Ann: all 3 answers are decided")
	b.interactive = false
	for range 3 {
		b.must("reviews", "say", "closed", "incorrect", "--as", "Ben", "--trust", "4").says(t, program.ExitDone, "the judge says")
	}
	b.run("reviews", "say", "closed", "correct", "--as", "Ben").says(t, program.ExitUsage, "nothing waits for Ben")
	b.must("reviews", "undo", "closed", "--as", "Ben").says(t, program.ExitDone, "Ben: 2 of 3 decided")
	b.must("reviews", "skip", "closed", "--as", "Ben").says(t, program.ExitDone, "Ben: 2 of 3 decided")
	b.must("reviews", "say", "closed", "incorrect", "--as", "Ben").says(t, program.ExitDone, "all 3 answers are decided")
	b.must("reviews", "show", "closed").says(t, program.ExitDone, "people among each other", "Too few to tell; reviews still needed")
	b.must("reviews", "show", "closed", "--lang", "ja").says(t, program.ExitDone, "人どうし", "少なすぎて判断できません")
	for lang, words := range map[string]string{"en": "people contradict it in", "ja": "人の判定と食い違ったのは"} {
		b.must("report", "closed", "--lang", lang, "-o", "{}/"+lang+".md")
		if page, err := os.ReadFile(b.path(lang + ".md")); err != nil || !strings.Contains(string(page), words) {
			t.Errorf("the %s report does not say %q: %v", lang, words, err)
		}
	}
	b.run("reviews", "align", "closed", "--apply").says(t, program.ExitUsage, "no examples were tested")
}
