package stats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// vectorCase is one case of the vectors: inputs by name, and what must come out of them. Numbers are json.Number, so that
// 64-bit seeds keep their digits.
type vectorCase struct {
	Name     string
	Input    map[string]any
	Expected map[string]any

	got map[string]any // by the names of Expected; an error where there is no result
}

// TestVectors runs the vectors of this repository, TestSharedVectors those of the shared folder, which may be others of
// the same form.
func TestVectors(t *testing.T) {
	t.Parallel()
	runVectors(t, filepath.Join("..", "..", "testdata", "cases", "stat_vectors.json"))
}

func TestSharedVectors(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	file := filepath.Join(shared, "cases", "stat_vectors.json")
	if _, err := os.Stat(file); err != nil {
		if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
			t.Fatalf("the statistics vectors are required: %v", err)
		}
		t.Skipf("the statistics vectors are not here: %v", err)
	}
	runVectors(t, file)
}

// tally counts the cases of a group or of the whole file. A case fails when any figure differs, and counts as skipped
// when it asks for a figure that no function here computes.
type tally struct{ passed, failed, skipped int }

func (t tally) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", t.passed, t.failed, t.skipped)
}

func runVectors(t *testing.T, file string) {
	t.Helper()
	names, groups, tolerance := readVectors(t, file)
	var total tally
	for _, name := range names {
		var group tally
		for _, c := range groups[name] {
			wrong, unknown := c.check(name, tolerance)
			switch {
			case len(wrong) > 0:
				group.failed++
				t.Errorf("%s, %q:\n\t%s", name, c.Name, strings.Join(wrong, "\n\t"))
			case len(unknown) > 0:
				group.skipped++
			default:
				group.passed++
			}
			if len(unknown) > 0 {
				t.Logf("%s, %q: no function for %s", name, c.Name, strings.Join(unknown, ", "))
			}
		}
		t.Logf("%-22s %v", name, group)
		total.passed, total.failed, total.skipped = total.passed+group.passed, total.failed+group.failed, total.skipped+group.skipped
	}
	t.Logf("%-22s %v", "total", total)
	if total.passed == 0 {
		t.Errorf("no case of %s passed", file)
	}
}

// readVectors returns the groups with their names in the order of the file's alphabet.
func readVectors(t *testing.T, file string) (names []string, groups map[string][]*vectorCase, tolerance float64) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Meta   struct{ Tolerance float64 }
		Groups map[string][]*vectorCase
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if len(all.Groups) == 0 {
		t.Fatalf("%s has no groups", file)
	}
	if !(all.Meta.Tolerance > 0 && all.Meta.Tolerance <= 1e-9) {
		all.Meta.Tolerance = 1e-9
	}
	return slices.Sorted(maps.Keys(all.Groups)), all.Groups, all.Meta.Tolerance
}

// check computes a case and compares every expected figure.
func (c *vectorCase) check(group string, tolerance float64) (wrong, unknown []string) {
	run, ok := vectorRunners[group]
	if !ok {
		return nil, []string{"the group " + group}
	}
	c.got = map[string]any{}
	func() {
		defer func() {
			if r := recover(); r != nil {
				wrong = append(wrong, fmt.Sprintf("panic: %v", r))
			}
		}()
		run(c)
	}()
	for _, key := range slices.Sorted(maps.Keys(c.Expected)) {
		got, ok := c.got[key]
		if !ok {
			unknown = append(unknown, key)
			continue
		}
		if why := differs(got, c.Expected[key], tolerance); why != "" {
			wrong = append(wrong, key+": "+why)
		}
	}
	return wrong, unknown
}

// differs says how a result is not what was expected; an undefined result (NaN, infinite or an error) is null there.
func differs(got, want any, tolerance float64) string {
	if err, ok := got.(error); ok {
		if want == nil {
			return ""
		}
		return err.Error()
	}
	// Everything goes through JSON values, so that the kinds of numbers and lists do not matter.
	got = plain(got)
	switch want := want.(type) {
	case nil:
		if v, ok := got.(float64); got == nil || ok && (math.IsNaN(v) || math.IsInf(v, 0)) {
			return ""
		}
	case json.Number:
		w, err := want.Float64()
		if v, ok := got.(float64); err == nil && ok && math.Abs(v-w) <= tolerance {
			return ""
		}
		if v, ok := got.(bool); ok && indicator(v) == w {
			return ""
		}
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return fmt.Sprintf("%v, want %v", got, want)
		}
		for i := range want {
			if why := differs(list[i], want[i], tolerance); why != "" {
				return fmt.Sprintf("[%d] %s", i, why)
			}
		}
		return ""
	default:
		if got == want {
			return ""
		}
	}
	return fmt.Sprintf("%v, want %v", got, want)
}

// plain turns the results of the functions into float64, bool, string and []any.
func plain(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case Decision:
		return string(v)
	case GuardLabel:
		return string(v)
	case Interval:
		return []any{v.Low, v.High}
	case [2]float64:
		return list(v[:])
	case [3]float64:
		return list(v[:])
	case []float64:
		return list(v)
	case []int:
		return list(v)
	case []bool:
		return list(v)
	case []string:
		return list(v)
	case [][]int:
		return list(v)
	case [][]float64:
		return list(v)
	case [][][]float64:
		return list(v)
	case [][2][]int:
		return list(v)
	case [2][]int:
		return list(v[:])
	case []GuardLabel:
		return list(v)
	}
	return v
}

func list[T any](values []T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = plain(v)
	}
	return out
}

// A harness that passes everything would prove nothing: each of these changes must show.
func TestVectorsNoticeChanges(t *testing.T) {
	t.Parallel()
	want := func(text string) map[string]any {
		var out map[string]any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	for text, kind := range map[string]string{
		`{"p_two_sided": 0.2265625, "p_worse_one_sided": 0.11328125}`: "passed",
		`{"p_two_sided": 0.226562502}`:                                "failed",
		`{"p_two_sided": [0.2265625]}`:                                "failed",
		`{"p_two_sided": null}`:                                       "failed",
		`{"p_two_sided": "0.2265625"}`:                                "failed",
		`{"p_two_sided": 0.2265625, "p_of_the_moon": 1}`:              "skipped",
	} {
		c := &vectorCase{Input: want(`{"worse": 8, "better": 3}`), Expected: want(text)}
		wrong, unknown := c.check("sign_test", 1e-9)
		got := "passed"
		switch {
		case len(wrong) > 0:
			got = "failed"
		case len(unknown) > 0:
			got = "skipped"
		}
		if got != kind {
			t.Errorf("%s: %s, want %s (%v, %v)", text, got, kind, wrong, unknown)
		}
	}
	c := &vectorCase{Input: want(`{"worse": -1, "better": 3}`), Expected: want(`{"p_two_sided": null}`)}
	if wrong, _ := c.check("sign_test", 1e-9); len(wrong) > 0 {
		t.Errorf("a refusal is undefined, which is null: %v", wrong)
	}
	if _, unknown := c.check("horoscopes", 1e-9); len(unknown) == 0 {
		t.Error("an unknown group was not named")
	}
	c.Input = want(`{"worse": "many", "better": 3}`)
	if wrong, _ := c.check("sign_test", 1e-9); len(wrong) == 0 {
		t.Error("an input that is no number passed")
	}
}
