package apptest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// Bought is the file of an experiment whose calls the provider charges.
const Bought = `
name: bought
judge: {provider: openai, model: judge-1}
base:
  chunk: {size: 80}
  embedding: {provider: openai, model: embed-1}
  retrieve: {mode: dense, k: 2}
  generate: {provider: openai, model: writer-1}
`

// Watch is a clock that stands until it is set.
type Watch struct {
	mu   sync.Mutex
	Time time.Time
}

// Now is the time that was set.
func (w *Watch) Now() time.Time { w.mu.Lock(); defer w.mu.Unlock(); return w.Time }

// Set sets the time.
func (w *Watch) Set(t time.Time) { w.mu.Lock(); defer w.mu.Unlock(); w.Time = t }

// Add lets time pass.
func (w *Watch) Add(d time.Duration) { w.Set(w.Now().Add(d)) }

// Swept registers an experiment and plans the jobs of its sweep.
func (w *World) Swept(t *testing.T, yaml string) (experiments.Experiment, []app.Job) {
	t.Helper()
	e := w.Registered(t, yaml)
	jobs, _, err := w.SweepJobs(t.Context(), e, app.Select{})
	if err != nil {
		t.Fatal(err)
	}
	return e, jobs
}

// Doubt is a world with n questions, in which the judge likes every answer but those of writer-2 to planted questions, and
// turns one vote in ten round.
type Doubt struct {
	*World
	flip  float64
	Mutex sync.Mutex
	asked map[string]int
}

// NewDoubt makes such a world; flip is the share of votes that are turned round, planted are the indexes of the questions that
// writer-2 fails.
func NewDoubt(t *testing.T, n int, flip float64, planted ...int) *Doubt {
	t.Helper()
	return NewDoubtIn(t, "", n, flip, planted...)
}

// NewDoubtIn is NewDoubt in a database as for [NewWorld].
func NewDoubtIn(t *testing.T, database string, n int, flip float64, planted ...int) *Doubt {
	t.Helper()
	d := &Doubt{World: NewWorld(t, database), flip: flip, asked: map[string]int{}}
	path := d.Write(t, "many.jsonl", Lines(n, func(i int) any {
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
	d.Provider = fakeprovider.New(fakeprovider.Options{Key: d.Env["OPENAI_API_KEY"], Answer: d.Answer})
	return d
}

// Answer writes and judges. A vote is turned round by what is judged and how often that was asked, never by the order of
// arrival.
func (d *Doubt) Answer(r fakeprovider.Request) (string, error) {
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
	d.Mutex.Lock()
	d.asked[key]++
	nth := d.asked[key]
	d.Mutex.Unlock()
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

// Evaluate registers an experiment that writes with a model, and works it.
func (d *Doubt) Evaluate(t *testing.T, name, writer string) experiments.Run {
	t.Helper()
	return d.Asks(t, fmt.Sprintf(`name: %s
corpus: rules
dataset: many
suite: [correctness]
judge: {provider: openai, model: judge-1}
base:
  retrieve: {mode: bm25, k: 1}
  generate: {provider: openai, model: %s}
`, name, writer))
}

// Asks runs an experiment file.
func (d *Doubt) Asks(t *testing.T, file string) experiments.Run {
	t.Helper()
	name, _, _ := strings.Cut(strings.TrimPrefix(file, "name: "), "\n")
	path := d.Write(t, name+".yaml", file)
	e, _, err := d.Experiment(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	j, err := d.Job(t.Context(), e, app.Select{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := d.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// Worse compares two runs and returns the ids of the questions that are worse, and of those that need a check.
func (d *Doubt) Worse(t *testing.T, baseline, candidate string) (worse, check []string) {
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

// Found demands that only planted questions are worse, and at least so many of them: one whose first vote the judge turned
// round looks unchanged and is not asked again.
func Found(t *testing.T, worse []string, atLeast int, planted ...string) {
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
