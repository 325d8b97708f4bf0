package metrics_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// python writes a JSON value as Python prints it.
func python(v any) string {
	switch v := v.(type) {
	case map[string]any:
		parts := []string{}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, python(k)+": "+python(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		parts := []string{}
		for _, inner := range v {
			parts = append(parts, python(inner))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(v) + "'"
	case bool:
		return strings.ToUpper(fmt.Sprint(v)[:1]) + fmt.Sprint(v)[1:]
	}
	return fmt.Sprint(v)
}

func printed(object string) string {
	var v any
	if err := json.Unmarshal([]byte(object), &v); err != nil {
		panic(err)
	}
	return python(v)
}

var (
	numbersIn = regexp.MustCompile(`("(?:score|claim|passage)":)(\d+)`)
	verdictIn = regexp.MustCompile(`"verdict":"supported"`)
)

// strange are ways in which real models have been seen to give the one object they were asked for.
var strange = map[string]func(object string) string{
	"as asked":            func(o string) string { return o },
	"fence":               func(o string) string { return "```json\n" + o + "\n```" },
	"prose before, after": func(o string) string { return "Sure, here is my verdict:\n\n" + o + "\n\nLet me know what you think." },
	"prose and fence":     func(o string) string { return "採点しました。\n```\n" + o + "\n```\n以上です。" },
	"thinking":            func(o string) string { return "<think>\nPerhaps {\"score\": 1}? No.\n</think>\n" + o },
	"thinking, no mark":   func(o string) string { return "Perhaps {\"score\": 1}? No.\n</think>\n" + o },
	"remark":              func(o string) string { return strings.Replace(o, "{", "{ // my verdict\n", 1) },
	"comma":               func(o string) string { return o[:len(o)-1] + ",\n}" },
	"quotes":              printed,
	"numbers as text":     func(o string) string { return numbersIn.ReplaceAllString(o, `$1"$2"`) },
	"wrapper":             func(o string) string { return `{"result": ` + o + `}` },
	"a fourth question":   func(o string) string { return strings.Replace(o, `"questions":[`, `"questions":["Why?",`, 1) },
	"an empty claim":      func(o string) string { return strings.Replace(o, `"claims":[`, `"claims":["",`, 1) },
	"other letters":       func(o string) string { return verdictIn.ReplaceAllString(o, `"verdict":"Supported"`) },
}

// strangeMetrics are the judged metrics that the strange replies are tried with.
var strangeMetrics = []string{"standard", "context_utilization_ranked", "factual_recall", "inclusion", "contradiction", "consistency"}

// shareScored scores a question with a judge that says its replies like this, and counts the cells.
func shareScored(t *testing.T, say func(string) string) (scored, cells, calls int) {
	t.Helper()
	w := wire(t, func(purpose string, data json.RawMessage) (string, error) {
		object, err := metrics.Careful(purpose, data)
		if err != nil {
			return "", err
		}
		return say(object), nil
	}, nil)
	suite := metrics.SuiteOf(t, w, metrics.NewKept(), metrics.JudgeConfigOf(""), strangeMetrics...)
	scores, err := suite.Score(t.Context(), metrics.LongSample(5))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scores {
		if s.State == metrics.NotApplicable {
			continue
		}
		cells++
		if s.State == metrics.Scored {
			scored++
		}
	}
	calls, _, _, _ = w.bill()
	return scored, cells, calls
}

// TestStrangeRepliesAreScored is the table of strange replies: where one valid object is there, at least 99 of 100 cells are scored,
// and no reply is asked for twice.
func TestStrangeRepliesAreScored(t *testing.T) {
	t.Parallel()
	_, _, usual := shareScored(t, strange["as asked"])
	for _, how := range slices.Sorted(maps.Keys(strange)) {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			scored, cells, calls := shareScored(t, strange[how])
			t.Logf("%-20s %d of %d cells scored, %d calls", how, scored, cells, calls)
			if float64(scored) < 0.99*float64(cells) || cells == 0 || calls != usual {
				t.Errorf("%d of %d cells scored in %d calls, want 99%% in %d", scored, cells, calls, usual)
			}
		})
	}
}

// TestTwoObjectsAreNoVerdict gives two different grades in each reply: nothing is scored from them.
func TestTwoObjectsAreNoVerdict(t *testing.T) {
	t.Parallel()
	w := wire(t, func(string, json.RawMessage) (string, error) {
		return `At first {"reason":"fine","score":4}, but then {"reason":"no","score":2}`, nil
	}, nil)
	scores, err := metrics.SuiteOf(t, w, metrics.NewKept(), metrics.JudgeConfigOf(""), "correctness", "trust").
		Score(t.Context(), metrics.LongSample(2))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scores {
		if s.State != metrics.Errored || s.Reason != "reply_schema" {
			t.Errorf("%s is %s %v (%s)", s.Metric, s.State, s.Value, s.Reason)
		}
	}
}
