package validation

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestHarnessKnowsNoThreshold keeps the harness honest. How the generator and the judge behave was written down in science.md 9
// before there was a decision procedure; here the harness is shown to use no name that the procedure declares, but for the contract
// between the two: the diagnosis, the lab, the rules that a caller may set, and the call itself.
func TestHarnessKnowsNoThreshold(t *testing.T) {
	t.Parallel()
	procedure, contract := map[string]string{}, map[string]bool{"Diagnose": true, "CauseRules": true, "EvidenceLabel": true}
	sources := func(pattern string) (files []string) {
		all, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(all, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
	}
	parse := func(path string) *ast.File {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, body, 0)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	for _, path := range sources(filepath.Join("..", "causes", "*.go")) {
		for name := range parse(path).Scope.Objects {
			procedure[name] = path
			if base := filepath.Base(path); base == "cause.go" || base == "lab.go" {
				contract[name] = true
			}
		}
	}
	files := sources("harness*.go")
	if len(files) < 5 || len(procedure) < 20 {
		t.Fatalf("only %d files of the harness and %d names of the procedure were found", len(files), len(procedure))
	}
	for _, path := range files {
		ast.Inspect(parse(path), func(n ast.Node) bool {
			used, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, ok := used.X.(*ast.Ident)
			if from := procedure[used.Sel.Name]; ok && of.Name == "causes" && !contract[used.Sel.Name] {
				t.Errorf("%s uses %s of %s", path, used.Sel.Name, from)
			}
			return true
		})
	}
}

// TestHarnessWorldIsAsDescribed checks the recipe: facts, values and the places where they stand.
func TestHarnessWorldIsAsDescribed(t *testing.T) {
	t.Parallel()
	w := newSyntheticBatch(3, 0)
	if n := len(w.clean.corpus.Documents); n != harnessDocuments || len(w.facts) != harnessDocuments*harnessFacts {
		t.Fatalf("%d documents, %d facts", n, len(w.facts))
	}
	values := map[string]bool{}
	for i, f := range w.facts {
		if values[f.value] || values[f.outdated] {
			t.Fatalf("value of fact %d is not the only one", i)
		}
		values[f.value], values[f.outdated] = true, true
		if got := w.clean.corpus.Text(w.spans[i]); got != f.sentence(f.value) {
			t.Fatalf("fact %d stands elsewhere: %q", i, got)
		}
	}
	states := map[int]factState{0: factDeleted, 1: factOutdated}
	corpus, spans := renderFacts("changed", w.facts, states)
	if spans[0].DocID != "" || corpus.Text(spans[1]) != w.facts[1].sentence(w.facts[1].outdated) ||
		corpus.Text(spans[2]) != w.facts[2].sentence(w.facts[2].value) {
		t.Errorf("deleted %v, outdated %q", spans[0], corpus.Text(spans[1]))
	}
}

// TestScriptedGeneratorErrsAsOften as its recipe says, answer by answer anew and yet the same each time it is asked.
func TestScriptedGeneratorErrsAsOften(t *testing.T) {
	t.Parallel()
	w := newSyntheticBatch(5, 0)
	item := syntheticItem(w.facts, []int{4}, w.spans, nil)
	for _, c := range []struct {
		name     string
		change   func(*rag.Config)
		swap     causes.Swap
		complete bool
		want     float64
	}{
		{"own", func(*rag.Config) {}, causes.Swap{}, true, .93},
		{"nothing to read", func(*rag.Config) {}, causes.Swap{}, false, .03},
		{"weak", setModel(weakModel), causes.Swap{}, true, .12},
		{"closed book", setModel(closedBookModel), causes.Swap{}, true, .12},
		{"ten words", setPrompt(tenWordsPrompt), causes.Swap{}, true, .05},
		{"own knowledge", setPrompt(ownKnowledge), causes.Swap{}, true, .05},
		{"reference model", setModel(weakModel), causes.Swap{Model: true}, true, .97},
		{"reference model under a bad prompt", setPrompt(ownKnowledge), causes.Swap{Model: true}, true, .05},
		{"weak model under a good prompt", both(setModel(weakModel), setPrompt(tenWordsPrompt)), causes.Swap{Prompt: true}, true, .12},
	} {
		config := harnessBase()
		c.change(&config)
		writer := harnessWriter{seed: 9, rates: scienceRates, config: config}
		right := 0
		const n = 4000
		for trial := range n {
			answer, _ := writer.write(item, nil, c.complete, c.swap, trial)
			if again, _ := writer.write(item, nil, c.complete, c.swap, trial); again != answer {
				t.Fatalf("%s: asked again it says something else", c.name)
			}
			right += counted(item.agrees(answer))
		}
		if got := float64(right) / n; math.Abs(got-c.want) > 4*math.Sqrt(c.want*(1-c.want)/n) {
			t.Errorf("%s: right in %.3f, designed %.2f", c.name, got, c.want)
		}
	}
	config := harnessBase()
	config.PostProcess = rag.PostModes{"truncate"}
	answer, raw := harnessWriter{rates: harnessRates{own: 1}, config: config}.write(item, nil, true, causes.Swap{}, 0)
	if item.agrees(answer) || !item.agrees(raw) {
		t.Errorf("truncated %q of %q", answer, raw)
	}
}

// TestScriptedJudgeErrs as often as it should, in every kind of call, and quotes only what it was shown.
func TestScriptedJudgeErrs(t *testing.T) {
	t.Parallel()
	w := newSyntheticBatch(6, 0)
	w.clean.windowsOnce.Do(w.clean.cutWindows)
	item := syntheticItem(w.facts, []int{10}, w.spans, nil)
	claim, at := item.claims[0].text, item.claims[0].at[0]
	var holding, other []causes.Window
	for _, window := range w.clean.spans {
		if item.claims[0].verdict(window).Verdict == "entail" {
			holding = append(holding, window)
		} else if len(other) < 9 {
			other = append(other, window)
		}
	}
	if len(holding) != 1 || holding[0].Start > at.Start || holding[0].End < at.End {
		t.Fatalf("%d windows hold the fact", len(holding))
	}
	judge := harnessJudge{seed: 2, flip: .1}
	const n = 4000
	var passes, clears, found, invented int
	for vote := range n {
		passes += counted(judge.pass(item, item.right, vote))
		clears += counted(judge.clear(item, vote))
		verdicts, calls := judge.supports(item, claim, append(slices.Clone(other), holding...), vote)
		if calls != 1 || len(verdicts) != 10 {
			t.Fatalf("%d calls for ten windows, %d verdicts", calls, len(verdicts))
		}
		found += counted(verdicts[9].Verdict == "entail" && verdicts[9].Quote == at)
		verdicts, _ = judge.supports(item, claim, other, vote)
		for i, v := range verdicts {
			if v.Verdict != "neutral" {
				invented++
				if v.Quote.DocID != other[i].DocID || v.Quote.Start < other[i].Start || v.Quote.End > other[i].End ||
					v.Quote.End <= v.Quote.Start {
					t.Fatalf("quotes %v outside the window %v", v.Quote, other[i].Span)
				}
			}
		}
	}
	for what, got := range map[string]int{"pass": n - passes, "clear": n - clears, "overlooked": n - found, "invented": invented} {
		if share := float64(got) / n; math.Abs(share-.1) > .02 {
			t.Errorf("%s errs in %.3f of the calls", what, share)
		}
	}
	if _, calls := (harnessJudge{}).supports(item, claim, w.clean.spans[:21], 0); calls != 3 {
		t.Errorf("21 windows in %d calls", calls)
	}
}

// TestPaperStandInWalks through every stop of the paper's walk without noise.
func TestPaperStandInWalks(t *testing.T) {
	t.Parallel()
	want := map[string][]causes.Component{
		"ideal": {causes.NoFault}, "database_deleted": {causes.MissingRelated, causes.MissingForeign},
		"search_query": {causes.MissingRelated, causes.MissingForeign}, "generation_model": {causes.GenerationModel},
		"system_prompt": {causes.SystemPrompt, causes.GenerationModel}, "post_processing": {causes.PostProcessing},
		"reference": {causes.ReferenceText}, "question": {causes.QuestionText},
	}
	w := newSyntheticBatch(8, 0)
	for _, c := range syntheticConditions() {
		if want[c.name] == nil {
			continue
		}
		ground, items, err := w.build(t.Context(), c, 10)
		if err != nil {
			t.Fatal(err)
		}
		for n, item := range items {
			lab := newHarnessLab(ground, w.config(c, n), items, w.number, 0)
			answered, err := lab.answered(t.Context(), item, c.ideal)
			if err != nil {
				t.Fatal(err)
			}
			allowed := want[c.name]
			if item.agrees(answered.Result.Answer.Text) {
				allowed = []causes.Component{causes.NoFault}
			} else if c.ideal {
				allowed = []causes.Component{causes.GenerationModel} // it errs now and then by itself
			}
			if got := (paperStandIn{lab.judge}).classify(ground, item, answered); !slices.Contains(allowed, got) {
				t.Errorf("%s: %s is called %s", c.name, item.question.ID, got)
			}
		}
	}
}
