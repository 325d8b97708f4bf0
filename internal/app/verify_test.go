package app

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

// doubt is a world with n questions, in which the judge likes every answer but those of writer-2 to planted questions, and
// turns one vote in ten round.
type doubt struct {
	*world
	flip  float64
	mutex sync.Mutex
	asked map[string]int
}

func newDoubt(t *testing.T, n int, flip float64, planted ...int) *doubt {
	t.Helper()
	d := &doubt{world: newWorld(t, ""), flip: flip, asked: map[string]int{}}
	path := d.write(t, "many.jsonl", lines(n, func(i int) any {
		word := "asked"
		if slices.Contains(planted, i) {
			word = "planted"
		}
		return map[string]any{
			"question_id": fmt.Sprintf("m%03d", i), "question": fmt.Sprintf("Which rule was %s as number %d?", word, i),
			"reference": "Rule " + strconv.Itoa(i), "critical": i == 0,
		}
	}))
	if _, _, err := d.ImportDataset(t.Context(), path, "many", "rules", nil); err != nil {
		t.Fatal(err)
	}
	d.provider = fakeprovider.New(fakeprovider.Options{Key: d.env["OPENAI_API_KEY"], Answer: d.answer})
	return d
}

// answer writes and judges. A vote is turned round by what is judged and how often that was asked, never by the order of
// arrival.
func (d *doubt) answer(r fakeprovider.Request) (string, error) {
	var data struct {
		Question string `json:"question"`
		Answer   string `json:"answer"`
	}
	if err := json.Unmarshal(r.Data(), &data); err != nil {
		return "", err
	}
	if len(r.Schema) == 0 {
		return r.Model + " answers: " + data.Question, nil
	}
	score := 5
	if strings.Contains(data.Question, "planted") && strings.Contains(data.Answer, "writer-2") {
		score = 2
	}
	key := r.System + "|" + data.Question + "|" + data.Answer
	d.mutex.Lock()
	d.asked[key]++
	nth := d.asked[key]
	d.mutex.Unlock()
	if drawn(key, nth) < d.flip {
		score = 6 - score
	}
	return fmt.Sprintf(`{"reason":"as seen","score":%d}`, score), nil
}

func drawn(key string, nth int) float64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d|%s|%d", nth, key, nth)
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}

func (d *doubt) evaluate(t *testing.T, name, writer string) experiments.Run {
	t.Helper()
	return d.asks(t, fmt.Sprintf(`name: %s
corpus: rules
dataset: many
suite: [correctness]
judge: {provider: openai, model: judge-1}
base:
  retrieve: {mode: bm25, k: 1}
  generate: {provider: openai, model: %s}
`, name, writer))
}

// asks runs an experiment file.
func (d *doubt) asks(t *testing.T, file string) experiments.Run {
	t.Helper()
	name, _, _ := strings.Cut(strings.TrimPrefix(file, "name: "), "\n")
	path := d.write(t, name+".yaml", file)
	e, _, err := d.Experiment(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	j, err := d.Job(t.Context(), e, Select{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := d.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func (d *doubt) worse(t *testing.T, baseline, candidate string) (worse, check []string) {
	t.Helper()
	c, _, err := d.Compare(t.Context(), baseline, candidate)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range c.Questions {
		switch q.Label {
		case compare.Worse:
			worse = append(worse, q.QuestionID)
		case compare.NeedsCheck:
			check = append(check, q.QuestionID)
		case compare.NoChange, compare.Better:
		}
	}
	slices.Sort(worse)
	return worse, check
}

// found demands that only planted questions are worse, and at least so many of them: one whose first vote the judge turned
// round looks unchanged and is not asked again.
func found(t *testing.T, worse []string, atLeast int, planted ...string) {
	t.Helper()
	for _, id := range worse {
		if !slices.Contains(planted, id) {
			t.Errorf("%s is called worse and was not planted", id)
		}
	}
	if len(worse) < atLeast {
		t.Errorf("worse %v: fewer than %d of %v", worse, atLeast, planted)
	}
}

// TestVerifyFindsPlantedRegressions and nothing else: the drops that noise made are cleared by asking again.
func TestVerifyFindsPlantedRegressions(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	d := newDoubt(t, 60, 0.1, 3, 14, 27, 41)
	d.evaluate(t, "old", "writer-1")
	d.evaluate(t, "new", "writer-2")
	_, before := d.worse(t, "old", "new")
	if len(before) < 6 {
		t.Fatalf("only %d questions need a check: the judge makes no noise to see through", len(before))
	}
	calls := len(d.provider.Ledger())
	plan, err := d.PlanVerify(t.Context(), "old", "new", VerifyRules{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.provider.Ledger()) != calls {
		t.Errorf("the plan made %d calls", len(d.provider.Ledger())-calls)
	}
	if plan.Answers == 0 || plan.Price.Calls == 0 || len(plan.Next.Votes) == 0 {
		t.Errorf("plan %+v", plan)
	}
	got, err := d.VerifyComparison(t.Context(), "old", "new", VerifyRules{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if bought := len(d.provider.Ledger()) - calls; bought != got.Calls || got.Bought == 0 || bought > 2*got.Next.Budget {
		t.Errorf("%d calls arrived, %d are counted, for %d votes", bought, got.Calls, got.Bought)
	}
	worse, check := d.worse(t, "old", "new")
	t.Logf("before: %d need a check; after %d votes (%d calls, stop %s): worse %v, need a check %v", len(before), got.Bought, got.Calls, got.Next.Stop, worse, check)
	found(t, worse, 3, "m003", "m014", "m027", "m041")
	if len(check) >= len(before)/2 {
		t.Errorf("%d of %d still need a check", len(check), len(before))
	}
	again, err := d.VerifyComparison(t.Context(), "old", "new", VerifyRules{}, nil)
	if err != nil || again.Bought != 0 {
		t.Errorf("a second verification bought %d votes (%s), %v", again.Bought, again.Next.Stop, err)
	}
}

// TestVerifyOfEqualSystems calls nothing worse.
func TestVerifyOfEqualSystems(t *testing.T) {
	t.Parallel()
	d := newDoubt(t, 60, 0.1)
	d.evaluate(t, "old", "writer-1")
	d.evaluate(t, "new", "writer-2")
	_, before := d.worse(t, "old", "new")
	got, err := d.VerifyComparison(t.Context(), "old", "new", VerifyRules{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	worse, check := d.worse(t, "old", "new")
	t.Logf("before: %d need a check; after %d votes (stop %s): worse %v, need a check %d", len(before), got.Bought, got.Next.Stop, worse, len(check))
	if len(worse) > 0 || len(before) == 0 {
		t.Errorf("equal systems: worse %v, %d needed a check before", worse, len(before))
	}
}

// TestVerifyBuysNothingWhereOneVoteSettles says so instead.
func TestVerifyBuysNothingWhereOneVoteSettles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.run(t, "name: a\nbase: {retrieve: {mode: bm25, k: 1}}\n")
	w.run(t, "name: b\nbase: {retrieve: {mode: bm25, k: 3}}\n")
	got, err := w.VerifyComparison(t.Context(), "a", "b", VerifyRules{}, nil)
	if err != nil || got.Next.Stop != compare.StopSettled || got.Bought != 0 || len(got.Runs) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestVerifyKeepsToItsBudget and goes on where it stopped.
func TestVerifyKeepsToItsBudget(t *testing.T) {
	t.Parallel()
	d := newDoubt(t, 40, 0.1, 5, 6)
	d.evaluate(t, "old", "writer-1")
	d.evaluate(t, "new", "writer-2")
	calls := len(d.provider.Ledger())
	got, err := d.VerifyComparison(t.Context(), "old", "new", VerifyRules{Budget: experiments.Budget{Calls: 12}}, nil)
	if err != nil || got.Next.Stop != compare.StopBudget {
		t.Errorf("stop %q, %v", got.Next.Stop, err)
	}
	if spent := len(d.provider.Ledger()) - calls; spent > 12 || spent == 0 {
		t.Errorf("%d calls under a budget of 12", spent)
	}
	if got, err = d.VerifyComparison(t.Context(), "old", "new", VerifyRules{Votes: 5}, nil); err != nil || got.Bought != 5 || got.Next.Stop != compare.StopBudget {
		t.Errorf("%d votes under a bound of 5, stop %q, %v", got.Bought, got.Next.Stop, err)
	}
	if _, err = d.VerifyComparison(t.Context(), "old", "new", VerifyRules{Budget: experiments.Budget{Micros: 1000}}, nil); problem.CodeOf(err) != "price_unknown" {
		t.Errorf("a budget in money without prices: %v", err)
	}
	if _, err = d.VerifyComparison(t.Context(), "old", "new", VerifyRules{}, nil); err != nil {
		t.Fatal(err)
	}
	worse, _ := d.worse(t, "old", "new")
	found(t, worse, 1, "m005", "m006")
}

// TestVerifyGoesOnAfterAnOutage works the votes that were asked for and not given.
func TestVerifyGoesOnAfterAnOutage(t *testing.T) {
	t.Parallel()
	d := newDoubt(t, 40, 0.1, 5, 6)
	d.evaluate(t, "old", "writer-1")
	d.evaluate(t, "new", "writer-2")
	honest := d.provider
	d.provider = fakeprovider.New(fakeprovider.Options{Key: "another key"})
	stopped, err := d.VerifyComparison(t.Context(), "old", "new", VerifyRules{}, nil)
	if err == nil || len(stopped.Runs) != 1 {
		t.Fatalf("without a provider: %+v, %v", stopped, err)
	}
	d.provider = honest
	got, err := d.VerifyComparison(t.Context(), "old", "new", VerifyRules{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	child, err := d.Store.Run(t.Context(), stopped.Runs[0])
	if err != nil || child.State != experiments.Finished {
		t.Errorf("the interrupted votes are %s, %v", child.State, err)
	}
	worse, _ := d.worse(t, "old", "new")
	t.Logf("after %d votes: %s", got.Bought, got.Next.Stop)
	found(t, worse, 1, "m005", "m006")
}

// TestBaselineIsScoredThreeTimesOnce and comparisons then need less.
func TestBaselineIsScoredThreeTimesOnce(t *testing.T) {
	t.Parallel()
	d := newDoubt(t, 20, 0.1)
	old := d.evaluate(t, "old", "writer-1")
	missing, err := d.MissingVotes(t.Context(), "old", 3)
	if err != nil || missing.Votes != 40 || missing.Calls == 0 {
		t.Errorf("missing %+v, %v", missing, err)
	}
	b, runs, err := d.ScoreBaseline(t.Context(), "old", 3)
	if err != nil || b.RunID != old.ID || len(runs) != 2 {
		t.Fatalf("%+v, %d runs, %v", b, len(runs), err)
	}
	e, err := d.Evaluation(t.Context(), "old")
	if err != nil || e.Run.ID != old.ID || len(e.Results) != 60 {
		t.Errorf("run %s with %d results, %v", e.Run.ID, len(e.Results), err)
	}
	if _, runs, err = d.ScoreBaseline(t.Context(), "old", 3); err != nil || len(runs) != 0 {
		t.Errorf("pinning again bought %d runs, %v", len(runs), err)
	}
	if _, err := d.MissingVotes(t.Context(), "old", 9); !problem.Is(err, problem.Invalid) {
		t.Errorf("nine votes: %v", err)
	}
}

func TestGateOfRuns(t *testing.T) {
	t.Parallel()
	d := newDoubt(t, 60, 0, 0, 3, 14, 27)
	d.evaluate(t, "old", "writer-1")
	d.evaluate(t, "new", "writer-2")
	rules := compare.DefaultGateRules()
	if _, _, err := d.Gate(t.Context(), "", "new", rules); problem.CodeOf(err) != "baseline_unknown" {
		t.Errorf("without a baseline: %v", err)
	}
	threshold, err := compare.ParseThreshold("correctness >= 4.5")
	if err != nil {
		t.Fatal(err)
	}
	rules.Thresholds = []compare.Threshold{threshold}
	got, _, err := d.Gate(t.Context(), "", "new", rules)
	if err != nil || len(got.Checks) != 1 || got.Decision != "PASS" {
		t.Errorf("a threshold alone: %+v, %v", got, err)
	}
	if _, err := d.SetBaseline(t.Context(), "old"); err != nil {
		t.Fatal(err)
	}
	if got, _, err = d.Gate(t.Context(), "", "new", rules); err != nil || got.Decision != "INCONCLUSIVE" || !strings.Contains(strings.Join(got.Reasons, " "), "m000") {
		t.Errorf("a critical question in doubt: %s %q, %v", got.Decision, got.Reasons, err)
	}
	if _, err := d.VerifyComparison(t.Context(), "old", "new", VerifyRules{}, nil); err != nil {
		t.Fatal(err)
	}
	got, offline, err := d.Gate(t.Context(), "", "new", rules)
	if err != nil || got.Decision != "FAIL" || !got.Blocks() || len(got.Worse) != 4 || offline {
		t.Errorf("after checking: %s %q, worse %v, %v", got.Decision, got.Reasons, got.Worse, err)
	}
}
