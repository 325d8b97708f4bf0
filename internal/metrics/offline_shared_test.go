package metrics

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// realQuestion is a question of a real data set with the document that holds its evidence.
type realQuestion struct {
	ID        string `json:"question_id"`
	Question  string `json:"question"`
	Lang      string `json:"lang"`
	Reference string `json:"reference"`
	Evidence  []struct {
		DocID string `json:"doc_id"`
		Start int    `json:"start"`
		End   int    `json:"end"`
		Text  string `json:"text"`
	} `json:"evidence"`

	document string
}

// realSets are the data sets that these tests read, which are not part of the project.
func realSets(t *testing.T) map[string][]realQuestion {
	t.Helper()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	sets := map[string][]realQuestion{}
	for _, name := range []string{"nta_tax_qa", "covid_qa"} {
		folder := filepath.Join(shared, "data", name)
		if _, err := os.Stat(folder); err != nil {
			if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
				t.Fatalf("the real data sets are required: %v", err)
			}
			t.Skipf("the real data sets are not here: %v", err)
		}
		documents := map[string]string{}
		for _, d := range lines[rag.Document](t, filepath.Join(folder, "corpus.jsonl")) {
			documents[d.ID] = d.Text
		}
		for _, q := range lines[realQuestion](t, filepath.Join(folder, "questions.jsonl")) {
			if len(q.Evidence) > 0 {
				q.document = documents[q.Evidence[0].DocID]
				sets[name] = append(sets[name], q)
			}
		}
		if len(sets[name]) < 100 {
			t.Fatalf("%s holds only %d questions with evidence", name, len(sets[name]))
		}
	}
	return sets
}

func lines[T any](t *testing.T, file string) []T {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	scanner := bufio.NewScanner(bytes.NewReader(raw))
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		var v T
		if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, v)
	}
	return out
}

// around is the piece of the document that a retriever would show: the evidence and some text on both sides.
func (q realQuestion) around() string {
	e := q.Evidence[0]
	return text.NewIndex(q.document).Slice(e.Start-300, e.End+300)
}

// share fails when fewer than least of the questions pass, and says which do not.
func share(t *testing.T, what string, questions []realQuestion, least float64, passes func(i int, q realQuestion) bool) {
	t.Helper()
	passed := 0
	var failed []string
	for i, q := range questions {
		if passes(i, q) {
			passed++
		} else {
			failed = append(failed, q.ID)
		}
	}
	got := float64(passed) / float64(len(questions))
	t.Logf("%s: %.1f %% of %d", what, 100*got, len(questions))
	if got < least {
		t.Errorf("%s: %.1f %% of %d, want at least %.0f %%; not %v", what, 100*got, len(questions), 100*least, failed)
	}
}

func TestOfflineJudgeOnRealQuestions(t *testing.T) {
	t.Parallel()
	for name, questions := range realSets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := func(i int) realQuestion { return questions[(i+len(questions)/2)%len(questions)] }
			correctness := func(q realQuestion, answer string) int {
				return judgeCorrectness(t, judgedCase{question: q.Question, answer: answer, reference: q.Reference}).Score
			}
			trust := func(q realQuestion, answer, context string) int {
				return judgeTrust(t, judgedCase{question: q.Question, answer: answer, contexts: []string{context}}).Score
			}
			share(t, "the reference itself is a 5", questions, 1,
				func(_ int, q realQuestion) bool { return correctness(q, q.Reference) == 5 })
			lead := map[string]string{"en": "This is the answer: ", "ja": "回答は次のとおりです。\n"}
			share(t, "the reference after a lead is a 5", questions, 0.95, func(_ int, q realQuestion) bool {
				return correctness(q, lead[q.Lang]+q.Reference+" [1]") == 5
			})
			share(t, "the reference of another question is at most a 2", questions, 0.95, func(i int, q realQuestion) bool {
				return correctness(q, other(i).Reference) <= 2
			})
			share(t, "an answer copied from the contexts has a trust of 4 or more", questions, 0.99, func(_ int, q realQuestion) bool {
				return trust(q, q.Evidence[0].Text, q.around()) >= 4
			})
			share(t, "an answer from elsewhere has a trust of at most 2", questions, 0.9, func(i int, q realQuestion) bool {
				return trust(q, q.Evidence[0].Text, other(i).around()) <= 2
			})
		})
	}
}

// TestLosingEvidenceNeverHelps deletes the evidence from the contexts: neither trust nor context recall may rise.
func TestLosingEvidenceNeverHelps(t *testing.T) {
	t.Parallel()
	for name, questions := range realSets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fell := 0
			for _, q := range questions {
				e, x := q.Evidence[0], text.NewIndex(q.document)
				full := q.around()
				without := x.Slice(e.Start-300, e.Start) + x.Slice(e.End, e.End+300)
				with, lost := offlineScores(t, q, full), offlineScores(t, q, without)
				for _, metric := range []string{"trust", "context_recall"} {
					before, after := with[metric], lost[metric]
					if after.State == Scored && before.State == Scored && after.Value > before.Value {
						t.Errorf("%s: without the evidence %s rises from %g to %g", q.ID, metric, before.Value, after.Value)
					}
					if after.Value < before.Value {
						fell++
					}
				}
			}
			t.Logf("%d of %d scores fell", fell, 2*len(questions))
			if fell < len(questions) {
				t.Errorf("only %d of %d scores fell", fell, 2*len(questions))
			}
		})
	}
}

// offlineScores scores the reference as answer over one context.
func offlineScores(t *testing.T, q realQuestion, context string) map[string]Score {
	t.Helper()
	scores, err := offlineSuite(t, newKept(), "", "trust", "context_recall").Score(t.Context(), Sample{
		QuestionID: q.ID, Question: q.Question, Lang: q.Lang, Reference: q.Reference, Answerable: true, Answer: q.Reference,
		Contexts: contextsOf(context),
	})
	if err != nil {
		t.Fatal(err)
	}
	return byMetric(scores)
}
