package metrics

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestExamplesAreAnotherJudge: without examples no byte of a request changes, and with some the prompts, the version of correctness and
// the requests about correctness do, and nothing else.
func TestExamplesAreAnotherJudge(t *testing.T) {
	t.Parallel()
	bare := DefaultJudge()
	shown := bare.WithExamples([]JudgeExample{{Question: "Q?", Answer: "A.", Reference: "R.", Accepted: true}})
	other := bare.WithExamples([]JudgeExample{{Question: "Q?", Answer: "A.", Reference: "R."}})
	versions := map[string]bool{bare.PromptVersion(): true, shown.PromptVersion(): true, other.PromptVersion(): true}
	if len(versions) != 3 || bare.WithExamples([]JudgeExample{}).PromptVersion() != bare.PromptVersion() {
		t.Errorf("prompt versions %v", versions)
	}
	specs, err := Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range shown.Versioned(specs) {
		if (s.Version != specs[i].Version) != (s.ID == "correctness") {
			t.Errorf("%s: version %s, was %s", s.ID, s.Version, specs[i].Version)
		}
		if now, same := s.Current(); !same || now != s.Version {
			t.Errorf("%s: version %s is not current (%s)", s.ID, s.Version, now)
		}
	}
	request := func(c JudgeConfig, purpose string, data any) llm.Request {
		return (&Suite{config: c}).request(t.Context(), task{purpose: purpose, lang: "en", data: data})
	}
	plain := correctnessData{Question: "q", Answer: "a", Reference: "r", Answerable: true}
	if got := request(bare, PurposeCorrectness,
		plain); string(got.Data) != `{"question":"q","answer":"a","reference":"r","answerable":true}` ||
		got.Instruction != instructions[PurposeCorrectness]["en"]+explainIn["en"] {
		t.Errorf("a request without examples has changed: %s %s", got.Instruction, got.Data)
	}
	with := plain
	with.Examples = shown.Examples
	got := request(shown, PurposeCorrectness, with)
	if !strings.Contains(got.Instruction, "Under examples") || !bytes.HasPrefix(got.Data, []byte(`{"examples":[{"question":"Q?"`)) {
		t.Errorf("%s %s", got.Instruction, got.Data)
	}
	trust := trustData{Question: "q", Answer: "a"}
	if a, b := request(bare, PurposeTrust, trust), request(shown, PurposeTrust, trust); a.Instruction != b.Instruction {
		t.Error("examples of correctness change how trust is asked for")
	}
}

// TestTheOfflineJudgeDoesNotReadExamples, which the pages and the command line say of it.
func TestTheOfflineJudgeDoesNotReadExamples(t *testing.T) {
	t.Parallel()
	data := correctnessData{Question: "How long is the warranty?", Answer: "The warranty is two years.", Reference: "Two years.",
		Answerable: true}
	without := offlineCorrectness(data, "en")
	data.Examples = []JudgeExample{{Question: data.Question, Answer: data.Answer, Reference: data.Reference}}
	if with := offlineCorrectness(data, "en"); with != without {
		t.Errorf("%+v, with examples %+v", without, with)
	}
}

func TestCheckExamples(t *testing.T) {
	t.Parallel()
	right := JudgeExample{Question: "q", Answer: "a", Reference: "r"}
	long := right
	long.Answer = strings.Repeat("長", MostExampleRunes+1)
	for name, list := range map[string][]JudgeExample{
		"judge.examples": make([]JudgeExample, MostExamples+1), "judge.examples[1].reference": {right, {Question: "q", Answer: "a"}},
		"judge.examples[0].answer": {long},
	} {
		err := DefaultJudge().WithExamples(list).CheckExamples()
		if problem.CodeOf(err) != "judge_examples" || problem.From(err).Params["field"] != name {
			t.Errorf("want %s: %v", name, err)
		}
	}
	longest := right
	longest.Answer = strings.Repeat("長", MostExampleRunes)
	if err := DefaultJudge().WithExamples(slices.Repeat([]JudgeExample{longest}, MostExamples)).CheckExamples(); err != nil {
		t.Error(err)
	}
	body, err := json.Marshal(DefaultJudge())
	if err != nil || strings.Contains(string(body), "examples") {
		t.Errorf("a judge without examples names them: %s %v", body, err)
	}
}
