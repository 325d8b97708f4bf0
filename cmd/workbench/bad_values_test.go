package main

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// badValues are values that hardly any flag takes, and those that people write for numbers, times and pairs.
var badValues = []string{"zz zz", "3,5", "1,250", "30%", "x=0,5", "NaN", "99999999999999999999", "{a: ["}

// programmers are words that say how a program failed instead of what was wrong.
var programmers = regexp.MustCompile(`(?i)strconv|\bpars(?:e|ing)\b|invalid syntax|unmarshal|out of range|\(string\)|bit int|map value|<key>|` +
	`expected an? (?:int|float)|missing unit|unknown unit|unexpected end|cannot scan|regexp:|yaml:|json:|%!|nil pointer|reflect`)

// reading are verbs that read what stands behind their flags themselves; of all others the parser does.
var reading = []string{"gate", "compare", "import-results", "dataset import", "run", "sweep", "schedule add", "agreement set", "runs list"}

// flagsOf are the verbs with their flags, as kong has them, and with what each cannot do without.
func flagsOf(t *testing.T) (map[string][]*kong.Flag, map[string][]string) {
	t.Helper()
	parser, err := kong.New(whole().verbs, slices.Concat(program.Values(), []kong.Option{
		kong.Name("workbench"), kong.ExplicitGroups(groups), kong.Vars{"data": "", "database": "", "config": "", "memory": ""}})...)
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string][]*kong.Flag{}
	needed := map[string][]string{}
	for _, leaf := range parser.Model.Leaves(false) {
		path := ""
		for n := leaf; n.Parent != nil; n = n.Parent {
			path = strings.TrimSpace(n.Name + " " + path)
		}
		for _, level := range leaf.AllFlags(false) {
			flags[path] = append(flags[path], level...)
		}
		needed[path] = neededBy(leaf)
	}
	return flags, needed
}

// TestNoFlagAnswersInAProgrammersWords gives every flag of every verb values that it cannot take: what is said of them, in either language,
// is for people.
func TestNoFlagAnswersInAProgrammersWords(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if err := os.WriteFile(b.path("scores.csv"), []byte("id,faithfulness\nq1,0.5\nq2,0.75\nq3,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tried := 0
	verbs, _ := flagsOf(t)
	for path, flags := range verbs {
		for _, f := range flags {
			if f.IsBool() || slices.Contains([]string{"help", "data", "database", "config", "concurrency", "memory", "lang"}, f.Name) {
				continue
			}
			args := append(strings.Fields(path), argumentsFor(path)...)
			last := []string{"--quiet"}
			texts := f.Target.Kind() == reflect.String || f.Target.Kind() == reflect.Slice
			if texts && (!slices.Contains(reading, path) || f.PlaceHolder == "FILE") { // which would be written
				continue
			}
			if !texts {
				last = []string{"--no-such-flag"} // ends it where the value is read after all
			}
			// A number below nothing is a value too, not another flag.
			if o := b.run(slices.Concat(args, []string{"--" + f.Name, "-3"}, last)...); strings.Contains(o.stderr, "short flag") {
				t.Errorf("%s --%s -3: %s", path, f.Name, o.stderr)
			}
			for i, value := range badValues {
				for _, lang := range []string{"en", "ja"}[:2-min(1, i)] {
					o := b.run(slices.Concat(args, []string{"--lang", lang, "--" + f.Name + "=" + value}, last)...)
					tried++
					if wrong := programmers.FindString(withoutValue(o.stderr, value)); wrong != "" {
						t.Errorf("%s --%s=%s: %q in %s", path, f.Name, value, wrong, o.stderr)
					}
				}
			}
		}
	}
	if tried < 500 {
		t.Errorf("%d values were tried", tried)
	}
}

// argumentsFor are arguments with which a verb comes as far as its flags.
func argumentsFor(path string) []string {
	switch path {
	case "gate", "compare":
		return []string{"{}/scores.csv", "{}/scores.csv"}
	case "import-results", "dataset import":
		return []string{"{}/scores.csv"}
	}
	return nil
}

// withoutValue is what was said, apart from what people wrote themselves.
func withoutValue(said, value string) string { return strings.ReplaceAll(said, value, "") }

// TestNumbersBehindFlagsAreReadAsWritten: a decimal comma and a percentage mean what they mean in the country of whoever writes them.
func TestNumbersBehindFlagsAreReadAsWritten(t *testing.T) {
	t.Parallel()
	b := bareBench(t)
	if err := os.WriteFile(b.path("scores.csv"), []byte("id,latency\nq1,3\nq2,3.2\nq3,3.4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"gate", "{}/scores.csv", "--min", "latency <= 3,5"},
		{"gate", "{}/scores.csv", "--min", "latency <= 3,5,latency >= 2,5"},
		{"gate", "{}/scores.csv", "--min", "latency <= 4", "--allowance", "30%", "--margin", "5 %"},
		{"compare", "{}/scores.csv", "{}/scores.csv", "--delta", "latency=0,5"},
	} {
		if o := b.run(args...); o.code != 0 {
			t.Errorf("%v: exit %d\n%s%s", args, o.code, o.stdout, o.stderr)
		}
	}
	if o := b.run("gate", "{}/scores.csv", "--min", "latency <= 3,1"); o.code != program.ExitGateFail {
		t.Errorf("exit %d\n%s", o.code, o.stdout)
	}
	if o := b.run("gate", "{}/scores.csv", "--min", "latency <= 3", "--allowance", "much"); o.code != program.ExitUsage ||
		!strings.Contains(o.stderr, `"much" is no share; write it as 0.05 or 5%`) {
		t.Errorf("exit %d\n%s", o.code, o.stderr)
	}
}

// TestMetricsAreNamedWhateverTheirCapitals, in limits, choices and directions, of files and of an import.
func TestMetricsAreNamedWhateverTheirCapitals(t *testing.T) {
	t.Parallel()
	b := bareBench(t)
	body := "question,answer,Faithfulness,Vibes\nHow long?,Ten days.,0.5,1\nWhere?,At home.,0.75,2\nWho?,Anybody.,1,3\n"
	if err := os.WriteFile(b.path("a.csv"), []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"compare", "{}/a.csv", "{}/a.csv", "--metric", "faithfulness"},
		{"compare", "{}/a.csv", "{}/a.csv", "--metric", "VIBES", "--lower", "vibes", "--delta", "vibes=1"},
		{"gate", "{}/a.csv", "--min", "faithfulness >= 0.5"},
		{"import-results", "{}/a.csv", "--higher", "vibes"},
	} {
		if o := b.run(args...); o.code != 0 {
			t.Errorf("%v: exit %d\n%s%s", args, o.code, o.stdout, o.stderr)
		}
	}
}

// TestWhoNamesAQuestionThatIsNoneIsSentToTheList in which the questions are.
func TestWhoNamesAQuestionThatIsNoneIsSentToTheList(t *testing.T) {
	t.Parallel()
	b := imported(t, 12, func(int) bool { return false })
	for _, args := range [][]string{{"runs", "show", "old", "--question", "nope"}, {"compare", "old", "new", "--question", "nope"}} {
		o := b.run(args...)
		_, hint, _ := strings.Cut(o.stderr, "hint: workbench ")
		list, _, said := strings.Cut(hint, " lists them")
		if !said {
			t.Errorf("%v: %s", args, o.stderr)
			continue
		}
		if shown := b.must(strings.Fields(list)...); !strings.Contains(shown.stdout, "12 questions") {
			t.Errorf("%s: %s", list, shown.stdout)
		}
	}
}

// TestNothingNeverMeansEverything gives every flag of every verb an empty text, as a shell does with a variable that is not set, and 0 to
// the flags that count: they would mean what they mean where they are left out.
func TestNothingNeverMeansEverything(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	tried, counted := 0, 0
	verbs, needed := flagsOf(t)
	for path, flags := range verbs {
		for _, f := range flags {
			if f.IsBool() || f.Tag.Has("clears") || f.Name == "data" {
				continue
			}
			values := [][]string{{"--" + f.Name, ""}, {"--" + f.Name + "="}}
			if f.Tag.Type == "count" {
				values = append(values, []string{"--" + f.Name, "0"})
				counted++
			}
			for _, value := range values {
				tried++
				o := b.run(slices.Concat(strings.Fields(path), value, needed[path])...)
				if o.code != program.ExitUsage || !strings.Contains(o.stderr, "--"+f.Name) || !strings.Contains(o.stderr, "hint: ") {
					t.Errorf("workbench %s %q: exit %d\n%s%s", path, value, o.code, o.stdout, o.stderr)
				}
			}
		}
	}
	if tried < 500 || counted < 8 {
		t.Errorf("%d values were tried, %d flags count", tried, counted)
	}
	for _, args := range [][]string{{"sweep", "{}/sweep.yaml", "--by", "ndcg", "--plan"}} {
		if o := b.run(args...); o.code != program.ExitUsage || !strings.Contains(o.stderr, "write --top N beside it") {
			t.Errorf("%v: exit %d\n%s%s", args, o.code, o.stdout, o.stderr)
		}
	}
	o := b.run("run", "faq", "--lang", "ja", "--filter", "")
	if !strings.Contains(o.stderr, "--filter の値が空です") || strings.Contains(o.stderr, "hint") {
		t.Error(o.stderr)
	}
}

// TestNothingIsDoneToNothing: a search needs a word, and a number is no name. What is documented as none is taken.
func TestNothingIsDoneToNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	b.must("reviews", "queue", "closed", "--answers", "1", "--twice", "-1")
	for _, c := range []struct {
		args []string
		want map[string]string
	}{
		{[]string{"search", "faq", " "}, map[string]string{"en": "the question is blank", "ja": "質問が空です"}},
		{[]string{"reviews", "queue", "closed", "--reviewers", "0"}, map[string]string{"en": "is a number and no name of a reviewer",
			"ja": "は数字で、レビュー担当の名前ではありません"}},
	} {
		for lang, want := range c.want {
			if o := b.run(append(c.args, "--lang", lang)...); o.code != program.ExitUsage || !strings.Contains(o.stderr, want) {
				t.Errorf("%v ends with %d: %s", c.args, o.code, o.stderr)
			}
		}
	}
}

// neededBy are arguments and flags that a verb cannot do without, so that its other flags are read.
func neededBy(leaf *kong.Node) (args []string) {
	value := func(v *kong.Value) string {
		switch {
		case v.Target.CanInt():
			return "1"
		case v.Enum != "":
			return v.EnumSlice()[0]
		case strings.HasPrefix(v.Tag.Type, "existingfile"):
			return "{}/questions.csv"
		case strings.HasPrefix(v.Tag.Type, "existing"):
			return "{}"
		}
		return "x"
	}
	for _, arg := range leaf.Positional {
		if arg.Required {
			args = append(args, value(arg))
		}
	}
	for _, f := range leaf.Flags {
		if f.Required {
			args = append(args, "--"+f.Name, value(f.Value))
		}
	}
	return args
}
