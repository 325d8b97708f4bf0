package experiments

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// programmers are words that nobody who writes an experiment file has to know.
var programmers = regexp.MustCompile(`(?i)\bGo (value|type)|\bstruct\b|unmarshal|float64|map\[|interface|\bstat |mapping value|sequence|scalar|` +
	`\bjson\b|non-map|\[\]any|%!|<nil>|\bentry 0\b|\ba array\b|\ba object\b`)

// everything is an experiment file with every field that one may have beside another.
const everything = `name: faq
corpus: manual
dataset: faq-153
suite: [correctness, trust, faithfulness]
metrics:
  - id: politeness
    kind: rubric
    instruction: How polite is the answer?
    levels: {1: rude, 5: polite}
    title: Politeness
  - id: promises
    kind: critic
    instruction: The answer promises something.
    lower_is_better: true
    inputs: [question, answer]
preset: langchain
judge:
  provider: offline
  model: lexical
  explain_lang: ja
  embedding: {provider: offline, model: ngram}
  prompts: {verify: Look it up.}
analyses: [causes]
base:
  chunk: {by: chars, size: 1000, overlap: 0}
  embedding: {provider: offline, model: hash}
  rewrite: none
  retrieve: {mode: dense, k: 3}
  rerank: none
  generate: {provider: offline, model: extractive, temperature: 0}
  post_process: none
sweep:
  chunk.size: [400, 800]
  retrieve.k: [3, 4]
pairs:
  - {chunk.overlap: [0, 20], chunk.min: [10, 20]}
except:
  - {chunk.size: 400, retrieve.k: [4]}
generate: {top: 2, by: ndcg}
goals:
  - {theme: refunds, metric: low_score_share, target: 0.05, owner: CS, agreed_on: 2026-11-20}
low_score: 2
decide_by: [correctness, trust]
pairwise: on
tags: [pilot]
notes: What this is about.
`

// others stand in the place of a value: a text, a number, a list, a mapping, nothing, and what stands in quotation marks.
var others = map[string]any{"text": "something else", "number": 17.5, "list": []any{"a", "b"},
	"mapping": map[string]any{"a": "b"}, "nothing": nil,
	"quoted": "3", "percent": "5%", "truth": true, "empty list": []any{}, "negative": -1}

// changed calls with the text for each way in which one value of it can be wrong.
func changed(t *testing.T, v any, path string, at func(any), call func(what, path string)) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(others)) {
		at(others[what])
		call(what, path)
	}
	at(v)
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			here, old := strings.TrimPrefix(path+"."+name, "."), v[name]
			changed(t, old, here, func(x any) { v[name] = x }, call)
			delete(v, name)
			call("left out", here)
			if runes := []rune(name); len(runes) > 1 && runes[0] != runes[1] {
				runes[0], runes[1] = runes[1], runes[0]
				v[string(runes)] = old
				call("swapped", strings.TrimSuffix(here, name)+string(runes))
				delete(v, string(runes))
			}
			v[name] = old
		}
	case []any:
		for i := range v {
			old := v[i]
			changed(t, old, fmt.Sprintf("%s[%d]", path, i), func(x any) { v[i] = x }, call)
			v[i] = old
		}
	}
}

// TestEachMistakeInAnExperimentFileIsSaidInPlainWords: each value of the file becomes one of another kind, is left out, or has its name
// mistyped. What is refused is said with its line and its field, and without a word of the program's inside.
func TestEachMistakeInAnExperimentFileIsSaidInPlainWords(t *testing.T) {
	t.Parallel()
	if _, err := ParseDefinition([]byte(everything), ""); err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := yaml.Read([]byte(everything), &fields); err != nil {
		t.Fatal(err)
	}
	refused, meantCount, swapped := 0, 0, 0
	call := func(what, path string) {
		raw, err := yaml.Write(fields)
		if err != nil {
			t.Fatal(err)
		}
		_, err = ParseDefinition(raw, t.TempDir())
		if err == nil {
			return
		}
		refused++
		p := problem.From(err)
		field, _ := p.Params["field"].(string)
		said := p.Message + " " + p.Hint
		ja := p.In("ja")
		switch {
		case field == "" || !strings.Contains(said, strings.SplitN(field, "[", 2)[0]) &&
			!strings.Contains(said, field[strings.LastIndexByte(field, '.')+1:]):
			t.Errorf("%s of %s names no field: %s", what, path, said)
		case !regexp.MustCompile(`^line [1-9][0-9]*: `).MatchString(p.Message):
			t.Errorf("%s of %s names no line: %s", what, path, said)
		case p.Hint == "" || programmers.MatchString(said):
			t.Errorf("%s of %s is said as programmers do (%q): %s", what, path, programmers.FindString(said), said)
		case !regexp.MustCompile(`^[1-9][0-9]*行目：.*[ぁ-ん]`).MatchString(ja.Message) ||
			!regexp.MustCompile(`[ぁ-んァ-ヶ一-龠]`).MatchString(ja.Hint):
			t.Errorf("%s of %s in Japanese: %s / %s (%s)", what, path, ja.Message, ja.Hint, said)
		}
		if what == "swapped" {
			swapped++
			if strings.Contains(said, "did you mean") {
				meantCount++
			}
		}
	}
	changed(t, fields, "", func(x any) {
		if m, is := x.(map[string]any); is && len(m) > 1 {
			fields = m
		}
	}, func(what, path string) {
		if path != "" {
			call(what, path)
		}
	})
	if refused < 300 || swapped < 40 || meantCount < swapped-6 {
		t.Errorf("%d files were refused; of %d swapped names %d were told", refused, swapped, meantCount)
	}
}
