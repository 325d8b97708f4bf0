package validation

import (
	"bytes"
	"context"
	"encoding/json"
	"hash/fnv"
	"os"
	"sync"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// readersPairs are the pairs of testdata, parted into two halves by a hash of their ids: the offline judge was improved on the first
// and is measured on the second.
func readersPairs(t testing.TB) (halves [2][]ReadersPair) {
	t.Helper()
	body, err := os.ReadFile("testdata/verdict_pairs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(body) {
		var p ReadersPair
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		h := fnv.New32a()
		_, _ = h.Write([]byte("verdict halves 18 " + p.ID))
		half := int(h.Sum32()>>7) & 1
		halves[half] = append(halves[half], p)
	}
	return halves
}

// keptStages holds stages in memory. Calls of one question go out side by side.
type keptStages struct{ bodies sync.Map }

func (k *keptStages) Stage(_ context.Context, key string) ([]byte, bool, error) {
	b, ok := k.bodies.Load(key)
	body, _ := b.([]byte)
	return body, ok, nil
}
func (k *keptStages) PutStage(_ context.Context, s rag.Stage) error {
	k.bodies.Store(s.Key, s.Body)
	return nil
}

type offlineOnly struct{ p llm.Provider }

func (o offlineOnly) Provider(string) (llm.Provider, error) { return o.p, nil }

func judgePairs(t testing.TB, pairs []ReadersPair) []JudgedPair {
	t.Helper()
	provider := llm.NewOffline(metrics.OfflineHandlers(), nil)
	specs, err := metrics.Resolve([]string{"correctness", "factual_correctness"})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]JudgedPair, len(pairs))
	for i, p := range pairs {
		for side, sample := range p.PairSamples() {
			stages := &keptStages{}
			suite, err := metrics.NewSuite(specs, metrics.DefaultJudge(), offlineOnly{provider}, stages)
			if err != nil {
				t.Fatal(err)
			}
			scores, err := suite.Score(context.Background(), sample)
			if err != nil {
				t.Fatal(err)
			}
			e, err := metrics.Explain(context.Background(), stages, scores)
			if err != nil {
				t.Fatal(err)
			}
			out[i].Grades[side] = scores[0].Value
			if f, ok := compare.FactsOf(e.Grounds()); ok {
				f = f.With(scores[0].Reason)
				out[i].Facts[side] = &f
			}
		}
		if suite, err := metrics.NewSuite(nil, metrics.DefaultJudge(), offlineOnly{provider}, &keptStages{}); err != nil {
			t.Fatal(err)
		} else if p.Tied(out[i]) {
			if out[i].Prefer, err = suite.Prefer(context.Background(), p.PairSamples()[0], p.Before, p.After); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// TestOfflineVerdicts holds the offline judge's verdicts against careful readers: a floor for each half with room for one or two pairs.
// Choices were made by the first half; the figures of the second were printed beside them, and some of its texts had been read before.
func TestOfflineVerdicts(t *testing.T) {
	t.Parallel()
	halves := readersPairs(t)
	for i, floor := range [2][4]float64{{0.66, 0.69, 0.76, 0.77}, {0.63, 0.69, 0.77, 0.79}} {
		s := ScoreVerdicts(halves[i], judgePairs(t, halves[i]))
		for k, figure := range []*float64{s.Worse.Precision, s.Worse.Recall, s.Better.Precision, s.Better.Recall} {
			if figure == nil || *figure < floor[k] {
				t.Errorf("half %d, figure %d is %v, want at least %.2f", i, k, figure, floor[k])
			}
		}
		counted := 0
		for _, readers := range []compare.Label{compare.Worse, compare.Mixed, compare.NoChange, compare.Better} {
			for _, n := range s.Confusion[readers] {
				counted += n
			}
			t.Logf("half %d of %d, readers say %-9s the judge says %v", i, s.Pairs, readers, s.Confusion[readers])
		}
		if counted != s.Pairs || s.Agreement != nil {
			t.Errorf("half %d counts %d of %d pairs, agreement %v", i, counted, s.Pairs, s.Agreement)
		}
		t.Logf("half %d: worse %.2f %.2f of %d, better %.2f %.2f of %d, ties %d", i, *s.Worse.Precision, *s.Worse.Recall, s.Worse.N,
			*s.Better.Precision, *s.Better.Recall, s.Better.N, s.TieBreaks)
	}
}
