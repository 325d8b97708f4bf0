package experiments

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
)

// swept parses a definition with this sweep, as a file says it, and again as it is stored.
func swept(t *testing.T, sweep string) (Definition, error) {
	t.Helper()
	d, err := ParseDefinition([]byte("name: x\ncorpus: c\ndataset: d\nbase:\n  chunk: {by: recursive, size: 800, overlap: 10%}\n"+sweep),
		".")
	if err != nil {
		return d, err
	}
	body, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var stored Definition
	if err := json.Unmarshal(body, &stored); err != nil {
		t.Fatal(err)
	}
	return stored, stored.Validate()
}

// Lists that move together make one combination for each place, and conditions take combinations out and say so.
func TestPairsAndExceptions(t *testing.T) {
	t.Parallel()
	d, err := swept(t, `
sweep:
  retrieve.k: [3, 5]
pairs:
  - {chunk.size: [400, 800, 1200], chunk.overlap: [40, 12%, 0]}
except:
  - {chunk.size: [400, 1200], retrieve.k: 5}
generate: {top: 2}
`)
	if err != nil {
		t.Fatal(err)
	}
	all, skipped, err := d.Expand()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range all {
		if c.Config.Chunk.OverlapShare != 0 {
			t.Errorf("%s keeps the share", Describe(c.Params))
		}
		got = append(got, Describe(c.Params)+" "+string(rune('A'+c.Config.Chunk.Overlap)))
	}
	want := []string{"retrieve.k=3 chunk.size=400 chunk.overlap=40 i", "retrieve.k=3 chunk.size=800 chunk.overlap=12% \u00a1",
		"retrieve.k=3 chunk.size=1200 chunk.overlap=0 A", "retrieve.k=5 chunk.size=800 chunk.overlap=12% \u00a1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("combinations (-want +got):\n%s", diff)
	}
	if len(skipped) != 2 || skipped[0].Why.EN != "the file leaves out passages given to the model (k): 5, chunk size: 400" {
		t.Errorf("skipped %+v", skipped)
	}
	if d.Best == nil || *d.Best != (Best{Top: 2, By: ByEvidence}) {
		t.Errorf("the best: %+v", d.Best)
	}
}

// A file begins where another library does, and says what is different.
func TestPreset(t *testing.T) {
	t.Parallel()
	const file = "name: x\ncorpus: c\ndataset: d\npreset: %s\nbase: {chunk: {overlap: 100}, retrieve: {k: 5}}\n"
	d, err := ParseDefinition([]byte(strings.Replace(file, "%s", "langchain", 1)), ".")
	if err != nil {
		t.Fatal(err)
	}
	if c := d.Base; c.Chunk.Size != 4000 || c.Chunk.Overlap != 100 || c.Chunk.Keep != "start" || c.Retrieve.K != 5 {
		t.Errorf("base %+v", c)
	}
	if _, err := ParseDefinition([]byte(strings.Replace(file, "%s", "haystack", 1)), "."); !problem.Is(err, problem.Invalid) ||
		!strings.Contains(err.Error(), "langchain-cjk") {
		t.Errorf("an unknown preset: %v", err)
	}
}

// A share of the overlap follows the size, whatever the order of the axes, and a run keeps the number.
func TestOverlapAsAShare(t *testing.T) {
	t.Parallel()
	d, err := swept(t, "sweep:\n  chunk.overlap: [50, 25%]\n  chunk.size: [100, 400]\n")
	if err != nil {
		t.Fatal(err)
	}
	if c := d.Base.Frozen().Chunk; c.Overlap != 80 || c.OverlapShare != 0 {
		t.Errorf("10%% of 800 is %d", c.Overlap)
	}
	all, _, err := d.Expand()
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, c := range all {
		got = append(got, c.Config.Chunk.Overlap)
	}
	if diff := cmp.Diff([]int{50, 50, 25, 100}, got); diff != "" {
		t.Errorf("overlaps (-want +got):\n%s", diff)
	}
}

// What cannot be is refused where it stands, with what was said and what could be.
func TestSweepsThatCannotBe(t *testing.T) {
	t.Parallel()
	const k = "sweep:\n  retrieve.k: [3, 5]\n"
	for sweep, want := range map[string][]string{
		"pairs:\n  - {chunk.size: [400, 800], chunk.overlap: [0]}\n": {"sweep.chunk.overlap", "list of 1 values",
			"list of 2, as chunk.size has"},
		"pairs:\n  - {chunk.size: [400, 800]}\n":                     {"pairs (entry 1)", "one list", "two or more"},
		"pairs:\n  - {chunk.size: 400, chunk.overlap: [0]}\n":        {"sweep.chunk.size", "400", "a list of values"},
		k + "pairs:\n  - {retrieve.k: [3, 4], chunk.size: [1, 2]}\n": {"sweep.retrieve.k", "there twice"},
		k + "except:\n  - {chunk.size: 400}\n":                       {"except (entry 1).chunk.size", "no axis", "retrieve.k"},
		k + "except:\n  - {retrieve.k: 4}\n":                         {"except (entry 1).retrieve.k", "is 4", "3, 5"},
		k + "except:\n  - {}\n":                                      {"except (entry 1)", "empty"},
		k + "generate: {top: 0}\n":                                   {"generate.top", "is 0", "1 to 50"},
		k + "generate: {top: 2, by: luck}\n":                         {"generate.by", "luck", "evidence_recall or ndcg"},
		"generate: {top: 2}\n":                                       {"generate.top", "no sweep"},
		"sweep:\n  chunk.overlap: [120%]\n  chunk.size: [400]\n":     {"sweep.chunk.overlap", "120%", "below 100%"},
		"sweep:\n  chunk.overlap: [much]\n":                          {"chunk.overlap"},
		"sweep:\n  rerank: [none, {mode: lexical, depth: 2}]\n":      {"rerank.depth", "is 2", "at least retrieve.k, which is 3"},
	} {
		d, err := swept(t, sweep)
		if err == nil {
			_, _, err = d.Expand()
		}
		if !problem.Is(err, problem.Invalid) {
			t.Errorf("%s: %v", sweep, err)
			continue
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", sweep, err, w)
			}
		}
	}
}
