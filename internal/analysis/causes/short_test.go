package causes

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// generated is a diagnosis as it is read from the store, with anything that one can have.
func generated(t *testing.T, random *rand.Rand, id string) Diagnosis {
	t.Helper()
	methods, all := []CauseMethod{Tested, Observed, PaperWay}, Components()
	d := Diagnosis{QuestionID: id, Method: methods[random.IntN(len(methods))], Component: all[random.IntN(len(all))],
		Confidence: random.Float64(), Detail: []string{"", "stale", "partly_untested"}[random.IntN(3)], Calls: random.IntN(3),
		Votes: []string{"database"}, Pattern: []Pattern{"", PatternWrong}[random.IntN(2)], Evidence: []QuotedSpan{{Quote: id}},
		Rationale: experiments.Rationale{EN: "why " + id, JA: "理由 " + id}}
	d.Data, d.Certainty = d.Component.Data(), CertaintyOf(d.Confidence)
	for range random.IntN(3) {
		d.Repairs = append(d.Repairs, []Repair{kTo(4), kTo(6), embedderB()}[random.IntN(3)])
		d.Alternatives = append(d.Alternatives, kTo(random.IntN(9)))
	}
	for _, step := range []string{"rejudge", "regenerate", "prompt", "deep"}[random.IntN(4):] {
		d.Steps = append(d.Steps, CauseStep{Step: step, Passes: random.IntN(3), Trials: 2})
	}
	return throughJSON(t, d)
}

func throughJSON[T any](t *testing.T, v T) (out T) {
	t.Helper()
	if err := json.Unmarshal([]byte(mustJSON(t, v)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestShortsSayWhatDiagnosesSay reports causes of whole diagnoses and of those that were kept in short: only what readers of one answer ask
// for is missing.
func TestShortsSayWhatDiagnosesSay(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 27)) //nolint:gosec // no secret
		e := lowRun(t, 12)
		var list []Diagnosis
		var questions []string
		found, short := map[string]Diagnosis{}, map[string]Diagnosis{}
		for i := range random.IntN(13) { // the others are not diagnosed yet
			id := fmt.Sprint("q", i+1)
			found[id] = generated(t, random, id)
			list, questions = append(list, found[id]), append(questions, id)
		}
		shorts, err := ShortsOf(list)
		if err != nil {
			t.Fatal(err)
		}
		kept, ok := throughJSON(t, shorts).Of(questions)
		if !ok {
			t.Fatalf("%d diagnoses are not those of %d questions", len(shorts.Which), len(questions))
		}
		for _, d := range kept {
			short[d.QuestionID] = d
		}
		in := CauseReportInput{Method: Tested, Patterns: map[string]Pattern{"q1": PatternNotFound}}
		want, got := ReportCauses(e, found, in), ReportCauses(e, short, in)
		told, toldShort := want.Told(), got.Told()
		for i := range told {
			if told[i].QuestionID != toldShort[i].QuestionID {
				t.Errorf("seed %d: %s is told through, and in short %s", seed, told[i].QuestionID, toldShort[i].QuestionID)
			}
		}
		for i := range want.Diagnoses {
			want.Diagnoses[i] = want.Diagnoses[i].InShort()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

func TestEqualDiagnosesAreKeptOnce(t *testing.T) {
	t.Parallel()
	list := []Diagnosis{retrieverDiagnosis("q1", kTo(4)), retrieverDiagnosis("q2", kTo(4)), retrieverDiagnosis("q3", kTo(5))}
	shorts, err := ShortsOf(list)
	if err != nil || len(shorts.Different) != 2 || shorts.Which[0] != shorts.Which[1] {
		t.Errorf("kept %+v, %v", shorts, err)
	}
	if _, ok := shorts.Of([]string{"q1", "q2"}); ok {
		t.Error("three diagnoses were given to two questions")
	}
}
