package experiments

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

const whole = `
name: faq
corpus: manual
dataset: faq-153
suite: [correctness, hit]
judge: {provider: openai, model: gpt-4.1, explain_lang: ja}
analyses: [causes]
base:
  chunk: {by: sentences, size: 12, overlap: 2}
  embedding: {provider: offline, model: ngram}
  rewrite: expand
  retrieve: {mode: hybrid, k: 5}
  rerank: {mode: llm, provider: openai, model: gpt-4.1-mini, depth: 20}
  generate: {provider: openai, model: gpt-4.1, prompt: answer.md, temperature: 0.2, max_tokens: 400}
  post_process: [truncate, strip_citations]
sweep:
  chunk.size: [8, 12]
  retrieve.k: [3, 5]
  corpus: [manual, manual-joined]
goals: [{theme: refunds, metric: low_score_share, target: 0.05, owner: CS, agreed_on: 2026-11-20}]
low_score: 3
tags: [nightly]
notes: for the steering committee
`

func TestParseDefinition(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "answer.md"), []byte("Be brief.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := ParseDefinition([]byte(whole), dir)
	if err != nil {
		t.Fatal(err)
	}
	openai := func(name string) rag.Model { return rag.Model{Provider: "openai", Name: name} }
	want := rag.Config{
		Chunk:     rag.Chunking{By: "sentences", Size: 12, Overlap: 2},
		Embedding: rag.Embedding{Model: rag.Model{Provider: "offline", Name: "ngram"}},
		Rewrite:   rag.Rewrite{Mode: "expand"},
		Retrieve:  rag.Retrieve{Mode: "hybrid", K: 5},
		Rerank:    rag.Rerank{Mode: "llm", Depth: 20, Model: openai("gpt-4.1-mini")},
		Generate:  rag.Generate{Model: openai("gpt-4.1"), Prompt: "Be brief.\n", Temperature: 0.2, MaxTokens: 400},
		PostProcess: rag.PostModes{
			"truncate", "strip_citations",
		},
	}
	if diff := cmp.Diff(want, d.Base); diff != "" {
		t.Errorf("base (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"chunk.size", "retrieve.k", "corpus"}, d.SweepNames()); diff != "" {
		t.Errorf("axes keep the order of the file (-want +got):\n%s", diff)
	}
	if d.Judge.Name != "gpt-4.1" || d.Judge.ExplainLang != "ja" || d.Judge.Embedding.Name != "ngram" {
		t.Errorf("judge = %+v", d.Judge)
	}
	if d.LowScore != 3 || len(d.Goals) != 1 || d.Goals[0].Target != 0.05 || d.Notes == "" || d.Tags[0] != "nightly" {
		t.Errorf("definition = %+v", d)
	}
}

func TestDefinitionDefaults(t *testing.T) {
	t.Parallel()
	d, err := ParseDefinition([]byte("{name: a, corpus: b, dataset: c}"), "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rag.DefaultConfig(), d.Base); diff != "" {
		t.Errorf("base (-want +got):\n%s", diff)
	}
	if d.LowScore != DefaultLowScore || d.Judge.Provider != "offline" || d.Suite[0] != "standard" {
		t.Errorf("definition = %+v", d)
	}
}

func TestOneLineSwitchesJudgeAndGenerator(t *testing.T) {
	t.Parallel()
	const head = "{name: a, corpus: b, dataset: c, model: openai/org/m-1"
	tests := map[string]struct{ yaml, judge, generator string }{
		"both":           {head + "}", "openai/org/m-1", "openai/org/m-1"},
		"with a prompt":  {head + ", base: {generate: {prompt: Be brief.}}}", "openai/org/m-1", "openai/org/m-1"},
		"named judge":    {head + ", judge: {provider: offline, model: lexical}}", "offline/lexical", "openai/org/m-1"},
		"named writer":   {head + ", base: {generate: {provider: offline, model: terse}}}", "openai/org/m-1", "offline/terse"},
		"japanese judge": {head + ", judge: {explain_lang: ja}}", "openai/org/m-1", "openai/org/m-1"},
	}
	for name, tt := range tests {
		d, err := ParseDefinition([]byte(tt.yaml), "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d.Judge.Model.String() != tt.judge || d.Base.Generate.Model.String() != tt.generator {
			t.Errorf("%s: judge %s, generator %s", name, d.Judge.Model, d.Base.Generate.Model)
		}
	}
}

func TestDefinitionMistakes(t *testing.T) {
	t.Parallel()
	const head = "name: a\ncorpus: b\ndataset: c\n"
	tests := map[string]struct{ yaml, says string }{
		"not yaml":           {"name: [", "line"},
		"model":              {head + "model: gpt\n", "model is gpt; it must be provider/model"},
		"unknown field":      {head + "corpsu: x\n", `line 4: there is no field "corpsu" (did you mean "corpus"?)`},
		"unknown in base":    {head + "base: {chunk: {siez: 3}}\n", `there is no field "base.chunk.siez" (did you mean "size"?)`},
		"wrong type":         {head + "base: {chunk: {size: big}}\n", "line 4: base.chunk.size is big; it must be a whole number"},
		"fraction for whole": {head + "base: {retrieve: {k: 2.5}}\n", "base.retrieve.k"},
		"impossible": {head + "base: {retrieve: {mode: psychic}}\n",
			"base.retrieve.mode is psychic; it must be dense, bm25 or hybrid"},
		"offline embedder": {head + "base: {embedding: {provider: offline, model: ada}}\n",
			"base.embedding.model is ada; it must be hash or ngram where the provider is offline"},
		"offline generator": {head + "base: {generate: {provider: offline, model: gpt}}\n",
			"base.generate.model is gpt; it must be closed-book, extractive or terse where the provider is offline"},
		"offline judge": {head + "judge: {model: gpt-4.1}\n", "judge.model is gpt-4.1; it must be lexical where the provider is offline"},
		"judge's embedder": {head + "judge: {embedding: {model: ada}}\n",
			"judge.embedding.model is ada; it must be hash or ngram where the provider is offline"},
		"overlap":      {head + "base: {chunk: {size: 100, overlap: 100}}\n", "less than chunk.size, which is 100"},
		"name":         {"corpus: b\ndataset: c\n", "name is missing"},
		"bad name":     {"name: a/b\ncorpus: b\ndataset: c\n", `"a/b" is not a name`},
		"corpus":       {"name: a\ndataset: c\n", "corpus is missing"},
		"metric":       {head + "suite: [correctnes]\n", `there is no metric or suite "correctnes" (did you mean "correctness"?)`},
		"no metrics":   {head + "suite: []\n", "suite is empty; it must be a suite name or a list of metric ids"},
		"judge model":  {head + "judge: {provider: openai}\n", "judge.model is missing"},
		"judge field":  {head + "judge: {provder: openai}\n", `there is no field "judge.provder" (did you mean "provider"?)`},
		"axis":         {head + "sweep: {chunk.siez: [1]}\n", `line 4: there is no field "sweep.chunk.siez" (did you mean "size"?)`},
		"axis no list": {head + "sweep: {chunk.size: 400}\n", "sweep.chunk.size is 400; it must be a list"},
		"axis type":    {head + "sweep: {chunk.size: [a]}\n", "sweep.chunk.size is a; it must be a whole number"},
		"analyses":     {head + "analyses: [magic]\n", "analyses is magic"},
		"goal":         {head + "goals: [{metric: joy, target: 1}]\n", "goals (entry 1).metric is joy"},
		"goal date":    {head + "goals: [{metric: hit, target: 1, agreed_on: soon}]\n", "goals (entry 1).agreed_on is soon"},
		"threshold":    {head + "low_score: 9\n", "low_score is 9"},
		"prompt file":  {head + "base: {generate: {prompt: nowhere.md}}\n", "nowhere.md, which cannot be read"},
		"llm rewriter": {head + "base: {rewrite: llm}\n", "base.rewrite is llm"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseDefinition([]byte(tt.yaml), t.TempDir())
			if err == nil {
				t.Fatal("accepted")
			}
			if p := problem.From(err); p.Kind != problem.Invalid || !strings.Contains(p.Message, tt.says) {
				t.Errorf("%s problem %q, want it to say %q", p.Kind, p.Message, tt.says)
			}
		})
	}
}

func TestExpand(t *testing.T) {
	t.Parallel()
	d, err := ParseDefinition([]byte(`
name: a
corpus: b
dataset: c
sweep:
  chunk.size: [200, 400]
  chunk.overlap: [0, 200]
  corpus: [b, b2]
`), "")
	if err != nil {
		t.Fatal(err)
	}
	combinations, skipped, err := d.Expand()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range combinations {
		got = append(got, c.Corpus+" "+Describe(c.Params))
	}
	want := []string{
		"b chunk.size=200 chunk.overlap=0 corpus=b", "b2 chunk.size=200 chunk.overlap=0 corpus=b2",
		"b chunk.size=400 chunk.overlap=0 corpus=b", "b2 chunk.size=400 chunk.overlap=0 corpus=b2",
		"b chunk.size=400 chunk.overlap=200 corpus=b", "b2 chunk.size=400 chunk.overlap=200 corpus=b2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("combinations (-want +got):\n%s", diff)
	}
	if len(skipped) != 2 || skipped[0].Why.EN != "the overlap of chunks (200) is not smaller than the chunk size (200)" ||
		skipped[0].Why.JA != "チャンクの重なり（200）がチャンクサイズ（200）以上です" {
		t.Errorf("skipped = %+v", skipped)
	}
	if combinations[4].Config.Chunk.Size != 400 || combinations[4].Config.Chunk.Overlap != 200 {
		t.Errorf("config = %+v", combinations[4].Config)
	}
}

func TestExpandRefusesImpossibleValues(t *testing.T) {
	t.Parallel()
	d, err := ParseDefinition([]byte("{name: a, corpus: b, dataset: c, sweep: {retrieve.k: [3, 0]}}"), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Expand(); err == nil || !strings.Contains(err.Error(), "sweep.retrieve.k is 0") {
		t.Errorf("error = %v", err)
	}
}

func TestSweepOverStagesAndModels(t *testing.T) {
	t.Parallel()
	d, err := ParseDefinition([]byte(`
name: a
corpus: b
dataset: c
sweep:
  rewrite: [none, expand, {mode: llm, provider: offline, model: extractive}]
  post_process: [none, truncate, [truncate, strip_citations]]
  embedding: [{provider: offline, model: hash}, {provider: offline, model: ngram}]
  generate.model: [extractive, closed-book]
`), "")
	if err != nil {
		t.Fatal(err)
	}
	combinations, skipped, err := d.Expand()
	if err != nil || len(skipped) != 0 || len(combinations) != 36 {
		t.Fatalf("%d combinations, %d skipped, %v", len(combinations), len(skipped), err)
	}
	last := combinations[35].Config
	if last.Rewrite.Mode != "llm" || last.Embedding.Name != "ngram" || last.Generate.Name != "closed-book" || len(last.PostProcess) != 2 {
		t.Errorf("last = %+v", last)
	}
	if first := combinations[0].Config; first.Rewrite.Mode != "none" || len(first.PostProcess) != 0 {
		t.Errorf("first = %+v", first)
	}
}

func FuzzParseDefinition(f *testing.F) {
	f.Add(whole)
	f.Add("{name: a, corpus: b, dataset: c, sweep: {retrieve.k: [3, 0]}}")
	f.Add("name: &a [*a]")
	f.Add("goals:\n  ! #0000")
	f.Fuzz(func(t *testing.T, yaml string) {
		d, err := ParseDefinition([]byte(yaml), t.TempDir())
		if err != nil {
			return
		}
		if err := d.Validate(); err != nil {
			t.Errorf("accepted what does not validate: %v", err)
		}
		if len(d.Sweep) > 0 {
			_, _, _ = d.Expand() // must not panic
		}
	})
}

func TestEvidenceInOtherCorpora(t *testing.T) {
	t.Parallel()
	labelled := rag.NewCorpus("a", []rag.Document{{ID: "x", Text: "一つ目の文。返金は７日以内です。"}, {ID: "y", Text: "other"}})
	q := Question{Evidence: []Evidence{{Span: rag.Span{DocID: "x", Start: 6, End: 16}, Quote: "返金は７日以内です。"}}}
	if got := labelled.Text(q.Evidence[0].Span); got != q.Evidence[0].Quote {
		t.Fatalf("the example is wrong: %q", got)
	}
	joined := rag.JoinCorpus(rag.NewCorpus("j", []rag.Document{labelled.Documents[1], labelled.Documents[0]}), "j")
	moved := rag.NewCorpus("m", []rag.Document{{ID: "x", Text: "新しい段落。𠮷野。返金は７日以内です。おわり。返金は７日以内です。"}})
	stale := rag.NewCorpus("s", []rag.Document{{ID: "x", Text: "返金は14日以内です。"}})
	small := rag.NewCorpus("y", labelled.Documents[1:])
	tests := map[string]struct {
		corpus *rag.Corpus
		want   string
	}{
		"same":                {labelled, "返金は７日以内です。"},
		"joined":              {joined, "返金は７日以内です。"},
		"moved":               {moved, "返金は７日以内です。"},
		"words are gone":      {stale, ""},
		"document is missing": {small, ""},
	}
	for name, tt := range tests {
		got := q.EvidenceIn(tt.corpus)[0]
		if text := tt.corpus.Text(got); text != tt.want {
			t.Errorf("%s: %v is %q, want %q", name, got, text, tt.want)
		}
		if got.End-got.Start != 10 {
			t.Errorf("%s: the length of the evidence changed: %v", name, got)
		}
	}
	if at := q.EvidenceIn(moved)[0].Start; at != 9 {
		t.Errorf("of two occurrences the nearer one counts: %d", at)
	}
}
