package formula

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// sharedCase is one case of ragas_cases.json: inputs, the replies of the judge in the order the metric asks, and the result.
type sharedCase struct {
	ID            string                     `json:"id"`
	Metric        string                     `json:"metric"`
	Variant       string                     `json:"variant"` // "both", "legacy" or "collections"
	Inputs        map[string]json.RawMessage `json:"inputs"`
	Params        map[string]json.RawMessage `json:"params"`
	Replies       []json.RawMessage          `json:"canned_llm_outputs"`
	Embeddings    map[string][]float64       `json:"canned_embeddings"`
	Expected      json.RawMessage            `json:"expected"` // number, "NaN" or "ERROR:<exception>"
	Fixed         json.RawMessage            `json:"expected_if_fixed"`
	ExpectedCalls *int                       `json:"expected_llm_calls"`
	ExpectedTexts *int                       `json:"expected_embedded_texts"`
}

// tolerance is how far a value may be from the case's.
const tolerance = 1e-9

// readSharedCases reads the cases; it skips when they are not here, unless they are required.
func readSharedCases(t *testing.T) []sharedCase {
	t.Helper()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "..", "shared")
	}
	raw, err := os.ReadFile(filepath.Join(shared, "cases", "ragas_cases.json"))
	if err != nil {
		if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
			t.Fatalf("the shared cases are required: %v", err)
		}
		t.Skipf("the shared cases are not here: %v", err)
	}
	var cases []sharedCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("the file holds no case")
	}
	return cases
}

// TestSharedCases runs every case: on the fixed profile when the case says what a right formula returns, else on the profiles
// of its variant. A case is skipped only when its metric is one that we do not have.
func TestSharedCases(t *testing.T) {
	t.Parallel()
	type count struct{ passed, failed, skipped int }
	counts := map[string]*count{}
	var total count
	for _, c := range readSharedCases(t) {
		n := counts[c.Metric]
		if n == nil {
			n = &count{}
			counts[c.Metric] = n
		}
		play, ok := plays[c.Metric]
		if !ok {
			n.skipped++
			total.skipped++
			continue
		}
		if wrong := c.run(t, play); len(wrong) > 0 {
			n.failed++
			total.failed++
			t.Errorf("%s: %s", c.ID, strings.Join(wrong, "; "))
			continue
		}
		n.passed++
		total.passed++
	}
	var b strings.Builder
	for _, metric := range slices.Sorted(maps.Keys(counts)) {
		n := counts[metric]
		fmt.Fprintf(&b, "%-28s %d passed, %d failed, %d skipped\n", metric, n.passed, n.failed, n.skipped)
	}
	fmt.Printf("%s%-28s %d passed, %d failed, %d skipped\n", b.String(), "total", total.passed, total.failed, total.skipped)
	if total.passed == 0 {
		t.Error("no case passed")
	}
}

// run plays the case on its profiles and says what is wrong.
func (c *sharedCase) run(t *testing.T, play func(*casePlay) Reduction) (wrong []string) {
	t.Helper()
	profiles, expected := c.profiles()
	for _, p := range profiles {
		r := &casePlay{sharedCase: c, profile: p, judge: cannedJudge{profile: p, replies: c.Replies}, known: map[string]bool{}}
		got, err := r.finish(play)
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %v", p, err))
			continue
		}
		if p == textual.ProfileFixed && c.Metric == "factual_correctness" && got.Outcome == Valued {
			// The cases give this metric in steps of 0.01 on every profile; fixed does not round (ragas.md 9), so the test does.
			got.Value = toCents(got.Value)
		}
		if complaint := compareReduction(got, expected); complaint != "" {
			wrong = append(wrong, fmt.Sprintf("%s: %s", p, complaint))
		}
		wrong = append(wrong, r.callsWrong()...)
		for name := range c.Params {
			if !r.known[name] {
				t.Logf("%s: the parameter %s changes nothing here", c.ID, name)
			}
		}
	}
	return wrong
}

// finish plays the case; a parameter that cannot be read ends it.
func (r *casePlay) finish(play func(*casePlay) Reduction) (got Reduction, err error) {
	defer func() {
		if unread := recover(); unread != nil {
			err = fmt.Errorf("cannot be played: %v", unread)
		}
	}()
	return play(r), nil
}

func (c *sharedCase) profiles() ([]textual.Profile, json.RawMessage) {
	switch {
	case len(c.Fixed) > 0 && string(c.Fixed) != "null":
		return []textual.Profile{textual.ProfileFixed}, c.Fixed
	case c.Variant == "legacy":
		return []textual.Profile{textual.ProfileLegacy}, c.Expected
	case c.Variant == "collections":
		return []textual.Profile{textual.ProfileCollections}, c.Expected
	default:
		return []textual.Profile{textual.ProfileLegacy, textual.ProfileCollections}, c.Expected
	}
}

func compareReduction(got Reduction, expected json.RawMessage) string {
	var word string
	if json.Unmarshal(expected, &word) == nil {
		want := Failed
		switch {
		case word == "NaN":
			want = NotApplicable
		case !strings.HasPrefix(word, "ERROR"):
			return "cannot read the expectation " + word
		}
		if got.Outcome != want {
			return fmt.Sprintf("got %+v, want %s", got, word)
		}
		return ""
	}
	var value float64
	if err := json.Unmarshal(expected, &value); err != nil {
		return "cannot read the expectation " + string(expected)
	}
	if got.Outcome != Valued || !(math.Abs(got.Value-value) <= tolerance) {
		return fmt.Sprintf("got %+v, want %v", got, value)
	}
	return ""
}

// callsWrong compares what was asked with the call plan of the Ragas profiles. A judge that had no reply left was asked
// once more than it could answer; such a case says nothing about the plan.
func (r *casePlay) callsWrong() (wrong []string) {
	if r.profile == textual.ProfileFixed || r.judge.ranOut {
		return nil
	}
	if n := r.ExpectedCalls; n != nil && *n != r.judge.next {
		wrong = append(wrong, fmt.Sprintf("%s: %d judge calls, want %d", r.profile, r.judge.next, *n))
	}
	if n := r.ExpectedTexts; n != nil && *n != r.embedded {
		wrong = append(wrong, fmt.Sprintf("%s: %d embedded texts, want %d", r.profile, r.embedded, *n))
	}
	return wrong
}

// casePlay is one case on one profile while it runs.
type casePlay struct {
	*sharedCase
	profile  textual.Profile
	judge    cannedJudge
	embedded int             // texts
	known    map[string]bool // parameters that were looked at
}

// text is a text of the inputs, "" when it is missing, null or no text.
func (r *casePlay) text(name string) string {
	var s string
	_ = json.Unmarshal(r.Inputs[name], &s)
	return s
}

func (r *casePlay) texts(name string) []string {
	var list []string
	_ = json.Unmarshal(r.Inputs[name], &list)
	return list
}

// ids are identifiers, which may be numbers.
func (r *casePlay) ids(name string) []string {
	var list []json.RawMessage
	_ = json.Unmarshal(r.Inputs[name], &list)
	out := make([]string, len(list))
	for i, raw := range list {
		if json.Unmarshal(raw, &out[i]) != nil {
			out[i] = string(raw)
		}
	}
	return out
}

func (r *casePlay) number(name string, standard float64) float64 {
	x := standard
	_ = json.Unmarshal(r.Inputs[name], &x)
	return x
}

func caseParam[T any](r *casePlay, name string, standard T) T {
	r.known[name] = true
	v := standard
	if raw, ok := r.Params[name]; ok && string(raw) != "null" {
		if err := json.Unmarshal(raw, &v); err != nil {
			panic(fmt.Sprintf("%s: parameter %s: %v", r.ID, name, err))
		}
	}
	return v
}

// wholeNumber reports whether a parameter is written as a whole number, which Python tells apart from a real one.
func (r *casePlay) wholeNumber(name string) bool {
	raw, ok := r.Params[name]
	return ok && !strings.ContainsAny(string(raw), ".eE")
}

func (r *casePlay) rowInputs() reduceInput {
	return reduceInput{Question: r.text("user_input"), Answer: r.text("response"), Reference: r.text("reference"),
		Contexts: r.texts("retrieved_contexts")}
}

// cosine embeds nothing itself: it takes the vectors of the case. ok is false when one is missing.
func (r *casePlay) cosine(a, b string) (float64, bool) {
	x, okA := r.Embeddings[a]
	y, okB := r.Embeddings[b]
	if !okA || !okB {
		return 0, false
	}
	return vectorCosine(x, y)
}
