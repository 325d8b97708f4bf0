package findings

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// scored is an evaluation of one metric for each name, with these scores of every question.
func scored(id string, offline bool, scores map[string][]float64) experiments.Evaluation {
	e := experiments.Evaluation{Run: experiments.Run{ID: id, State: experiments.Finished}}
	e.Run.Setup = experiments.Setup{Experiment: id, LowScore: 2, Offline: offline, Settled: true, Config: rag.DefaultConfig()}
	n := 0
	for _, name := range slices.Sorted(maps.Keys(scores)) {
		spec, _ := metrics.Find(name)
		e.Run.Setup.Suite = append(e.Run.Setup.Suite, spec)
		n = len(scores[name])
	}
	for i := range n {
		q := experiments.Question{ID: fmt.Sprintf("q%02d", i), Text: fmt.Sprintf("Question %d?", i), Reference: "Yes.", Answerable: true}
		r := experiments.Result{QuestionID: q.ID, Answer: &rag.Answer{Generation: rag.Generation{Text: fmt.Sprintf("%s says %d", id, i)}}}
		for _, spec := range e.Run.Setup.Suite {
			r.Scores = append(r.Scores, metrics.Score{Metric: spec.ID, Version: spec.Version, State: metrics.Scored,
				Value: scores[spec.ID][i]})
		}
		e.Questions, e.Results = append(e.Questions, q), append(e.Results, r)
	}
	return e
}

func of(t *testing.T, before, after experiments.Evaluation) Findings {
	t.Helper()
	c, err := compare.CompareWith(before, after, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	gate, err := compare.Gate(compare.RunGate(c, before, after, compare.DefaultGateRules()), compare.DefaultGateRules())
	if err != nil {
		t.Fatal(err)
	}
	return Of(Input{Comparison: &c, Baseline: &before, Candidate: after, Gate: &gate})
}

func repeated(values ...float64) []float64 {
	var out []float64
	for range 10 {
		out = append(out, values...)
	}
	return out
}

// TestFallIsFirst: whatever else rose, the first sentence and the headline name the metric that clearly fell.
func TestFallIsFirst(t *testing.T) {
	t.Parallel()
	f := of(t, scored("old", false, map[string][]float64{"correctness": repeated(4, 5), "trust": repeated(2, 3)}),
		scored("new", false, map[string][]float64{"correctness": repeated(2, 4), "trust": repeated(4, 5)}))
	if !strings.HasPrefix(f.Sentences[0].EN, "Correctness fell from 4.5 to 3") || !strings.Contains(f.Headline.EN, "Correctness fell") ||
		!strings.Contains(f.Headline.EN, "Trust rose") {
		t.Errorf("%q, %q", f.Headline.EN, f.Sentences[0].EN)
	}
	if f.Release.Answer != NotYet || f.Check.Code != "gate.failed" {
		t.Errorf("release %+v, check %+v", f.Release, f.Check)
	}
	v := f.Verdicts
	if v.Worse+v.Mixed+v.NeedsCheck+v.NoChange+v.Better+v.Undecided != f.Matched || len(f.Ids(compare.Worse)) != v.Worse {
		t.Errorf("%+v of %d", v, f.Matched)
	}
}

// TestOfflineNeverReleases: a better run whose targets are all met is no yes while the built-in checker scored it, and is one otherwise.
func TestOfflineNeverReleases(t *testing.T) {
	t.Parallel()
	for offline, want := range map[bool]string{true: CannotSay, false: MayRelease} {
		before, after := scored("old", offline, map[string][]float64{"correctness": repeated(3, 4)}),
			scored("new", offline, map[string][]float64{"correctness": repeated(5, 5)})
		after.Run.Setup.Goals = []experiments.Goal{{Metric: "correctness", Target: 4.5, AgreedOn: "2026-11-01"}}
		c, err := compare.CompareWith(before, after, compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		gate, err := compare.Gate(compare.RunGate(c, before, after, compare.DefaultGateRules()), compare.DefaultGateRules())
		if err != nil {
			t.Fatal(err)
		}
		progress := progress.ProgressOf(experiments.Agreement{}, after, nil, nil)
		in := Input{Comparison: &c, Baseline: &before, Candidate: after, Gate: &gate, Agreement: &progress}
		if f := Of(in); f.Release.Answer != want {
			t.Errorf("offline %t: %+v", offline, f.Release)
		}
		in.Agreement = nil
		if f := Of(in); f.Release.Answer == MayRelease {
			t.Errorf("yes without anything that was agreed: %+v", f.Release)
		} else if !offline && (f.Release.Reason.Code != "reason.nothing_agreed_passed" ||
			!strings.Contains(f.Check.EN, "passed: no limit was broken. "+
				"Whether the answers are good enough to be released is decided by the targets")) {
			t.Errorf("a check that passes reads as a release: %q beside %q", f.Check.EN, f.Release.Text.EN)
		}
	}
}

// TestOnlyWhatIsAgreedIsCalledAgreed: goals of a file that nobody agreed on release nothing and are not called agreed, nor is a line of low
// scores that the agreement does not set.
func TestOnlyWhatIsAgreedIsCalledAgreed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		agreedOn   string
		agreement  experiments.Agreement
		text, line string
		release    string
	}{
		{"", experiments.Agreement{}, "agreed.proposed", "line.default", "reason.missed_proposed"},
		{"2026-11-01", experiments.Agreement{}, "agreed.stands", "line.default", "reason.missed"},
		{"", experiments.Agreement{Version: 1}, "agreed.proposed", "line.default", "reason.missed_proposed"},
		{"", experiments.Agreement{Version: 1, LowScore: 2,
			Targets: []experiments.Target{{Goal: experiments.Goal{Metric: "trust", Target: 5}}}}, "agreed.stands", "line.agreed",
			"reason.missed"},
	} {
		after := scored("new", false, map[string][]float64{"correctness": repeated(3, 5), "trust": repeated(4, 5)})
		after.Run.Setup.Goals = []experiments.Goal{{Metric: "correctness", Target: 4.5, AgreedOn: c.agreedOn}}
		p := progress.ProgressOf(c.agreement, after, nil, nil)
		f := Of(Input{Candidate: after, Agreement: &p})
		if f.Agreed.Text.Code != c.text || f.Agreed.Line.Code != c.line || f.Release.Reason.Code != c.release {
			t.Errorf("%+v: %s, %s, %s", c, f.Agreed.Text.Code, f.Agreed.Line.Code, f.Release.Reason.Code)
		}
		if said := f.Agreed.Text; c.text == "agreed.proposed" &&
			(!strings.Contains(said.EN, "nobody has agreed") ||
				!strings.Contains(said.JA, "未合意")) {
			t.Errorf("%+v", said)
		}
	}
}

// TestIdenticalRunsAreCalledSo: two runs whose answers are all the same are not told that there are too few questions, however few there
// are.
func TestIdenticalRunsAreCalledSo(t *testing.T) {
	t.Parallel()
	for _, scores := range [][]float64{{4, 2}, repeated(4, 2)} {
		before := scored("run", true, map[string][]float64{"correctness": scores})
		again := before
		again.Run.ID = "again"
		f := of(t, before, again)
		for _, lang := range []string{"en", "ja"} {
			all := f.Enough.Text.In(lang) + f.Figures[0].Word(lang)
			for _, s := range f.Sentences {
				all += s.In(lang)
			}
			if strings.Contains(all, "too few") || strings.Contains(all, "質問が少なく") || strings.Contains(all, "問では判断できません") {
				t.Errorf("%d questions: %s", len(scores), all)
			}
			if want := map[string]string{"en": "are the same", "ja": "すべて同じ"}[lang]; !strings.Contains(all, want) {
				t.Errorf("%q is not in %s", want, all)
			}
		}
	}
	other := scored("other", true, map[string][]float64{"correctness": {4, 2}})
	if f := of(t, scored("run", true, map[string][]float64{"correctness": {4, 2}}), other); f.Figures[0].Direction != Few {
		t.Errorf("other answers with the same scores: %+v", f.Figures[0])
	}
}

// TestWhatNeedsACheckIsCountedApart: where answers need a check it is said how many got better and worse, how many wait and which way these
// lean, and never that nothing changed.
func TestWhatNeedsACheckIsCountedApart(t *testing.T) {
	t.Parallel()
	before, after := scored("old", false, map[string][]float64{"correctness": repeated(1, 3)}),
		scored("new", false, map[string][]float64{"correctness": repeated(5, 3)})
	before.Run.Setup.Settled, after.Run.Setup.Settled = false, false
	f := of(t, before, after)
	if f.Verdicts.NeedsCheck == 0 || f.Verdicts.Better+f.Verdicts.Worse > 0 {
		t.Fatalf("%+v", f.Verdicts)
	}
	for lang, wanted := range map[string][]string{
		"en": {"surely got better or worse", "10 more questions need a check and count as neither",
			"10 of the questions that need a check score better than before", "none worse"},
		"ja": {"確実な悪化も改善もありません", "ほかに10問が要確認で、改善にも悪化にも数えていません",
			"10問は、正確性だけで見れば改善の方向です"},
	} {
		all := strings.Join(Texts(f.Sentences, lang), " ")
		for _, w := range wanted {
			if !strings.Contains(all, w) {
				t.Errorf("%q is not in %s", w, all)
			}
		}
		if head := f.Headline.In(lang); strings.Contains(head, "no question got worse") || strings.Contains(head, "悪化した質問もありません") {
			t.Errorf("%s", head)
		}
	}
}

// TestNoneIsNoNumber: where no question got worse, or none better, a word says so and not the figure 0.
func TestNoneIsNoNumber(t *testing.T) {
	t.Parallel()
	low, high := map[string][]float64{"correctness": repeated(1, 3)}, map[string][]float64{"correctness": repeated(5, 3)}
	for _, c := range []struct {
		before, after map[string][]float64
		en, ja        string
	}{
		{low, high, "none got worse and 10 got better.", "20問のうち、悪化した質問はなく、10問が改善しました。"},
		{high, low, "10 got worse and none got better.", "20問のうち、10問が悪化し、改善した質問はありません。"},
	} {
		f := of(t, scored("old", false, c.before), scored("new", false, c.after))
		en, ja := strings.Join(Texts(f.Sentences, "en"), " "), strings.Join(Texts(f.Sentences, "ja"), "")
		if !strings.Contains(en, c.en) || !strings.Contains(ja, c.ja) || strings.Contains(en, " 0 got") || strings.Contains(ja, "、0問") {
			t.Errorf("%s\n%s", en, ja)
		}
	}
}

// TestRetrievalAlone: where nothing that decides looks at answers, that is said.
func TestRetrievalAlone(t *testing.T) {
	t.Parallel()
	f := of(t, scored("old", true, map[string][]float64{"hit": {1, 0, 1}}), scored("new", true, map[string][]float64{"hit": {0, 1, 1}}))
	if !f.Retrieval || !slices.ContainsFunc(f.Sentences, func(s Text) bool { return s.Code == "say.retrieval" }) {
		t.Errorf("%+v", Texts(f.Sentences, "en"))
	}
}

// TestSentencesHoldAtMostThreeNumbers: in both languages, whatever happened.
func TestSentencesHoldAtMostThreeNumbers(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`[0-9]+(?:[.,][0-9]+)*`)
	for _, move := range [][2][]float64{{repeated(4, 2), repeated(1, 5)}, {repeated(4), repeated(4)}, {{3, 3}, {3, 4}},
		{repeated(1), repeated(5)}} {
		f := of(t, scored("old", true, map[string][]float64{"correctness": move[0]}),
			scored("new", true, map[string][]float64{"correctness": move[1]}))
		for _, text := range append([]Text{f.Headline, f.Release.Text}, f.Sentences...) {
			for _, lang := range []string{"en", "ja"} {
				if n := len(number.FindAllString(text.In(lang), -1)); n > 3 || strings.ContainsAny(text.In(lang), "{}") ||
					text.In(lang) == "" {
					t.Errorf("%d numbers in %q", n, text.In(lang))
				}
			}
		}
	}
}

// TestCataloguesAgree: both languages have the same keys and placeholders, and every key that the code says is there.
func TestCataloguesAgree(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(slices.Sorted(maps.Keys(catalogues()["en"])), slices.Sorted(maps.Keys(catalogues()["ja"]))); diff != "" {
		t.Fatalf("keys (-en +ja):\n%s", diff)
	}
	names := func(s string) []string {
		var out []string
		for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
			if !slices.Contains(out, m[1]) {
				out = append(out, m[1])
			}
		}
		slices.Sort(out)
		return out
	}
	for key, en := range catalogues()["en"] {
		if diff := cmp.Diff(names(en), names(catalogues()["ja"][key])); diff != "" {
			t.Errorf("%s (-en +ja):\n%s", key, diff)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`say\("([a-z_.]+[a-z_])"`)
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range said.FindAllStringSubmatch(string(body), -1) {
			if _, ok := catalogues()["en"][m[1]]; !ok {
				t.Errorf("%s says %q, which the catalogue lacks", name, m[1])
			}
		}
	}
}

// TestSmallChangeIsCalledSmall: a mean that clearly moved by less than a twentieth of its scale is not called a clear improvement.
func TestSmallChangeIsCalledSmall(t *testing.T) {
	t.Parallel()
	trust := func(last float64) []float64 { return repeated(5, 5, 5, 5, 5, 5, 5, 5, last, 5) }
	f := of(t, scored("old", true, map[string][]float64{"trust": trust(4)}), scored("new", true, map[string][]float64{"trust": trust(5)}))
	if len(f.Figures) != 1 || !f.Figures[0].Small || f.Figures[0].Clear() || f.Figures[0].Word("ja") != "わずかに改善" {
		t.Errorf("%+v", f.Figures)
	}
	if f.Headline.EN != "Slightly better than before: Trust rose by little. Overall good: none of 100 answers has a low score "+
		"(correctness or trust of 2 or less)." ||
		!strings.Contains(f.Sentences[1].JA, "差はわずか") {
		t.Errorf("%q, %q", f.Headline.EN, Texts(f.Sentences, "ja"))
	}
}

// TestLevelIsSaid: the headline says how good the answers are, whatever they were before.
func TestLevelIsSaid(t *testing.T) {
	t.Parallel()
	for low, want := range map[int]string{0: "Overall good: none of 100 ", 5: "Overall good: 5 ", 6: "Overall fair: 6 ",
		20: "Overall fair: 20 ", 21: "Overall weak: 21 ", 50: "Overall weak: 50 ", 51: "Overall poor: 51 "} {
		values := slices.Concat(slices.Repeat([]float64{1}, low), slices.Repeat([]float64{5}, 100-low))
		now := scored("new", true, map[string][]float64{"correctness": values})
		if f := of(t, scored("old", true, map[string][]float64{"correctness": values}), now); !strings.Contains(f.Headline.EN, want) {
			t.Errorf("%d of 100: %q", low, f.Headline.EN)
		}
		if f := Of(Input{Candidate: now}); !strings.HasPrefix(f.Headline.EN, want) {
			t.Errorf("%d of 100 alone: %q", low, f.Headline.EN)
		}
	}
}

// TestPartsAreTheWhole: how answers fail, and why, adds up to the low-score answers, and each word of certainty is explained once.
func TestPartsAreTheWhole(t *testing.T) {
	t.Parallel()
	now := scored("new", true, map[string][]float64{"correctness": repeated(1)})
	diagnose := func(id string, c causes.Component, steps ...causes.CauseStep) causes.Diagnosis {
		return causes.Diagnosis{QuestionID: id, Component: c, Method: causes.Tested, Steps: steps}
	}
	report := causes.CauseReport{LowScores: 10, Method: causes.Tested,
		Patterns: []causes.PatternCount{{Pattern: causes.PatternWrong, Count: 4}, {Pattern: causes.PatternOther, Count: 3}},
		Diagnoses: []causes.Diagnosis{
			diagnose("q00", causes.Retriever, causes.CauseStep{Step: "oracle", Passes: 1, Trials: 1}),
			diagnose("q01", causes.Retriever), diagnose("q02", causes.GenerationUnsure), diagnose("q03", causes.GenerationUnsure)}}
	recorded := now
	recorded.Run.Setup.Recorded = &experiments.Recorded{By: "someone", Day: "2026-01-31"}
	f, ofRecorded := Of(Input{Candidate: now, Causes: &report}), Of(Input{Candidate: recorded, Causes: &report})
	if says := Word("en", "causes.tested_recorded"); strings.Contains(f.Causes.Text.EN, "recorded") ||
		!strings.HasPrefix(ofRecorded.Causes.Text.EN, says) {
		t.Errorf("%q; of recorded replies %q", f.Causes.Text, ofRecorded.Causes.Text)
	}
	fails, why := 0, 0
	for _, c := range f.Fails {
		fails += c.N
	}
	texts := map[string]bool{}
	for _, c := range f.Causes.List {
		why += c.N
		if texts[c.Text.EN] {
			t.Errorf("two causes say %q", c.Text.EN)
		}
		texts[c.Text.EN] = true
	}
	if fails != 10 || why != 10 {
		t.Errorf("%d fails, %d causes of 10", fails, why)
	}
	for _, lang := range []string{"en", "ja"} {
		for _, c := range []Certainty{ByTest, BySearch, NotKnown} {
			if n := strings.Count(f.Causes.Text.In(lang), Word(lang, "certainty.means."+string(c))); n != 1 {
				t.Errorf("%s: %s is explained %d times in %q", lang, c, n, f.Causes.Text.In(lang))
			}
		}
	}
}

// TestRetrieversAreToldApartByTheirRemedy: what the contexts held is not counted with what the search missed.
func TestRetrieversAreToldApartByTheirRemedy(t *testing.T) {
	t.Parallel()
	oracle := causes.CauseStep{Step: "oracle", Passes: 1, Trials: 1}
	report := causes.CauseReport{LowScores: 3, Method: causes.Tested, Diagnoses: []causes.Diagnosis{
		{QuestionID: "q00", Component: causes.Retriever, Method: causes.Tested, Detail: "context_noise",
			Steps: []causes.CauseStep{oracle, {Step: "regenerate", Passes: 1, Trials: 1}}},
		{QuestionID: "q01", Component: causes.Retriever, Method: causes.Tested, Steps: []causes.CauseStep{oracle}},
		{QuestionID: "q02", Component: causes.Retriever, Method: causes.Tested, Steps: []causes.CauseStep{oracle}}}}
	f := Of(Input{Candidate: scored("new", true, map[string][]float64{"correctness": repeated(1)}), Causes: &report})
	if list := f.Causes.List; len(list) != 2 || list[0].N != 2 || list[1].N != 1 || list[1].Way != "context_noise" ||
		list[0].Text != say("why.retriever_tested") || list[1].Text != say("why.retriever_context_noise") {
		t.Errorf("%+v", f.Causes.List)
	}
}

// TestFurtherVotesAreNoFurtherAnswers: a run that was verified repeats questions, and what is counted of its answers stays as it was.
func TestFurtherVotesAreNoFurtherAnswers(t *testing.T) {
	t.Parallel()
	before := scored("old", true, map[string][]float64{"correctness": repeated(1, 3, 5, 2)})
	after := scored("new", true, map[string][]float64{"correctness": repeated(5, 3, 1, 2)})
	for i := range after.Questions {
		before.Questions[i].Tags, after.Questions[i].Tags = []string{"theme:fares"}, []string{"theme:fares"}
	}
	voted := func(e experiments.Evaluation, every int) experiments.Evaluation {
		for i := 0; i < len(e.Questions[:40]); i += every {
			vote := e.Results[i]
			vote.Replicate = 1
			e.Questions, e.Results = append(e.Questions, e.Questions[i]), append(e.Results, vote)
		}
		return e
	}
	counted := func(f Findings) any { return []any{f.Low, f.Themes, f.Matched, f.Fails, f.Headline.EN} }
	want := counted(of(t, before, after))
	if diff := cmp.Diff(want, counted(of(t, voted(before, 2), voted(after, 3)))); diff != "" {
		t.Errorf("further votes are counted as answers (-without +with):\n%s", diff)
	}
	if diff := cmp.Diff(counted(Of(Input{Candidate: after})), counted(Of(Input{Candidate: voted(after, 3)}))); diff != "" {
		t.Errorf("further votes of a run by itself are counted as answers (-without +with):\n%s", diff)
	}
}

// TestJapaneseHasNoSpacesRoundParticles reads the catalogues of managers' pages: after a number, a name or Latin letters no space comes
// before Japanese. What changed is a list of labels with values, which has them.
func TestJapaneseHasNoSpacesRoundParticles(t *testing.T) {
	t.Parallel()
	spaced := regexp.MustCompile(`[}A-Za-z0-9%] [ぁ-んァ-ヶー一-龠々]|[ぁ-ん、。] [{A-Za-z0-9]`)
	for _, path := range []string{"catalogue/ja.json", "../../reports/wording/catalogue/ja.json"} {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var words map[string]string
		if err := json.Unmarshal(raw, &words); err != nil || len(words) < 100 {
			t.Fatalf("%s: %d words, %v", path, len(words), err)
		}
		for key, text := range words {
			if strings.HasPrefix(key, "changed.") || key == "footer" || key == "subtitle" {
				continue
			}
			if found := spaced.FindString(text); found != "" {
				t.Errorf("%s %s: a space in %q: %s", path, key, found, text)
			}
		}
	}
}

// TestCheckedByPeople: what reviews say of the judge, and what examples did to it, stand with what the reader is to believe, in the
// words of
// those who counted.
func TestCheckedByPeople(t *testing.T) {
	t.Parallel()
	rows := evaltest.Table{}
	for i := range 24 {
		rows[fmt.Sprint("q", i+1)] = map[string]float64{"correctness": []float64{1, 5}[i%2], "trust": 5}
	}
	e := evaltest.Evaluation(t, "run", rows)
	if f := Of(Input{Candidate: e}); len(f.Checked) != 0 {
		t.Errorf("without reviews: %+v", f.Checked)
	}
	var reviews []experiments.Review
	for i, q := range e.Questions {
		reviews = append(reviews, experiments.Review{RunID: "run", QuestionID: q.ID, Reviewer: "A", Verdict: experiments.CorrectAnswer,
			Shown: experiments.ShownDigest(q, e.Results[i])})
	}
	figures := progress.FiguresOf(e, reviews)
	a := validation.ScoreAlignment([]validation.AlignedItem{{Accepted: true}}, 1, true)
	e.Run.Setup.Judge.Examples = make([]metrics.JudgeExample, 2)
	f := Of(Input{Candidate: e, Reviews: &figures, Alignment: &a})
	want := []string{a.Brief("ja"), figures.Errors[0].Says("ja"), figures.Errors[1].Says("ja"), "この実行の評価モデルには、人の判定例を2件示しています。"}
	if got := Texts(f.Checked, "ja"); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, p := range f.Parts() {
		if p.Name == "belief" && !slices.ContainsFunc(p.Lines, func(x Text) bool { return x.EN == a.Brief("en") }) {
			t.Errorf("the part about belief does not say it: %+v", p.Lines)
		}
	}
}

// TestShippedRepliesNameTheirCard: where the replies that come with the program judged, page 1 names the card of their kind of model, as
// docs/evidence.md has it. Other recorded replies, and a judge that was validated here, are told of as ever.
func TestShippedRepliesNameTheirCard(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		body, err := os.ReadFile(filepath.Join("..", "..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	for line := range strings.Lines(read("demo/recorded/replies.jsonl")) {
		var reply struct{ By string }
		if err := json.Unmarshal([]byte(line), &reply); err != nil || reply.By != byShipped {
			t.Fatalf("a reply that comes with the program is signed %q, %v", reply.By, err)
		}
	}
	if !strings.Contains(read("docs/evidence.md"), "The card is amber") {
		t.Error("docs/evidence.md does not say that the card is amber")
	}
	before, after := scored("before", false, map[string][]float64{"correctness": {1, 2}}),
		scored("after", false, map[string][]float64{"correctness": {5, 5}})
	setup := &after.Run.Setup
	before.Run.Setup.Judge.Provider, setup.Judge.Provider = "recorded", "recorded"
	setup.Recorded = &experiments.Recorded{By: byShipped, Day: "2026-11-23"}
	said := of(t, before, after).Judge
	if said.Known || said.Text.Code != "judge.shipped" || !strings.Contains(said.Text.EN, "usable with care (amber)") ||
		!strings.Contains(said.Text.JA, "注意して使える水準（黄）") {
		t.Errorf("shipped replies: %+v", said)
	}
	card := &validation.JudgeCard{Status: validation.Green, Items: 30}
	if code := Of(Input{Candidate: after, Card: card}).Judge.Text.Code; code != "judge.GREEN" {
		t.Errorf("shipped replies that were validated here: %s", code)
	}
	setup.Recorded.By = byModel + ", over an API"
	if code := of(t, before, after).Judge.Text.Code; code != "judge.unmeasured" {
		t.Errorf("replies that did not come with the program: %s", code)
	}
}

// TestRecordedRepliesCostAndSendNothing: where replies were only played, page 1 says which part they have, and nothing is said to leave.
func TestRecordedRepliesCostAndSendNothing(t *testing.T) {
	t.Parallel()
	before, after := scored("before", false, map[string][]float64{"correctness": {1, 2}}),
		scored("after", false, map[string][]float64{"correctness": {5, 5}})
	setup := &after.Run.Setup
	before.Run.Setup.Judge.Provider = "recorded"
	setup.Recorded = &experiments.Recorded{By: byModel + ", in batches", Day: "2026-11-23"}
	setup.Judge.Provider, setup.Config.Generate.Provider = "recorded", "recorded"
	said := of(t, before, after)
	if said.Recorded.Badge.EN != "Recorded replies, 2026-11-23" || !strings.HasPrefix(said.Recorded.EN, "Written and scored by") {
		t.Errorf("a run by recorded replies is signed %+v", said.Recorded)
	}
	sent := Texts(said.Sent, "en")
	if said.Month.Text.Code != "month.recorded" || len(sent) != 1 || !strings.HasPrefix(sent[0], "This run sent nothing.") {
		t.Errorf("replies that were played cost %q and send %q", said.Month.Text.EN, sent)
	}
	if en := said.Month.Text.EN; !strings.HasPrefix(en, "This run cost nothing") {
		t.Errorf("where nothing was bought: %q", en)
	}
	setup.Config.Embedding.Provider = "openai"
	if en := of(t, before, after).Month.Text.EN; !strings.HasPrefix(en, "Not known: some replies") {
		t.Errorf("where vectors were bought: %q", en)
	}
	setup.Config.Embedding.Provider = "offline"
	setup.Config.Generate.Provider = "openai"
	said = of(t, before, after)
	if sent = Texts(said.Sent, "en"); !strings.HasPrefix(said.Recorded.EN, "Scored by") || len(sent) != 2 ||
		!strings.HasPrefix(sent[0], "openai receives questions") {
		t.Errorf("where another model wrote: %q, sent %q", said.Recorded.EN, sent)
	}
}

// TestTheBestExampleRoseMost: of answers that left the low zone, the one that rose most is shown first, then the first by its id.
func TestTheBestExampleRoseMost(t *testing.T) {
	t.Parallel()
	before := scored("before", false, map[string][]float64{"correctness": {2, 1, 1, 4, 4, 4}})
	after := scored("after", false, map[string][]float64{"correctness": {5, 4, 5, 4, 4, 4}})
	f := of(t, before, after)
	var got []string
	for _, e := range f.Best {
		got = append(got, e.QuestionID)
	}
	if diff := cmp.Diff([]string{"q02", "q00"}, got); diff != "" {
		t.Errorf("the best (-want +got):\n%s", diff)
	}
}

// TestNoChangeSaysWhetherChangesWereLookedFor: that there is none to consider is said of changes that were looked for only, and is no word
// of causes that nobody analysed or that were read from a log.
func TestNoChangeSaysWhetherChangesWereLookedFor(t *testing.T) {
	t.Parallel()
	low, good := scored("new", true, map[string][]float64{"correctness": repeated(1)}),
		scored("new", true, map[string][]float64{"correctness": repeated(5)})
	for code, in := range map[string]Input{
		"recommend.unknown": {Candidate: low},
		"recommend.none":    {Candidate: low, Causes: &causes.CauseReport{LowScores: 10, Method: causes.Tested}},
		"recommend.read":    {Candidate: low, Causes: &causes.CauseReport{LowScores: 10, Method: causes.Observed}},
		"recommend.good":    {Candidate: good},
	} {
		f := Of(in)
		for _, p := range f.Parts() {
			if p.Name == "recommendations" && (len(p.Lines) != 1 || p.Lines[0] != say(code) || f.NoChange() != say(code)) {
				t.Errorf("%s: %+v", code, p.Lines)
			}
		}
	}
}

// TestWhatWasNotTriedIsNotClaimed: words of answers that nothing healed speak of the replacements that were tried, not of all there are.
func TestWhatWasNotTriedIsNotClaimed(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"certainty.means.unknown", "why.generation_unknown"} {
		if en, ja := Word("en", code), Word("ja", code); !strings.Contains(en, "none of the replacements tried") ||
			!strings.Contains(ja, "試したどの置き換えでも") {
			t.Errorf("%s: %s %s", code, en, ja)
		}
	}
	words := [2]string{causes.CauseWords("en")["detail.nothing_heals"], causes.CauseWords("ja")["detail.nothing_heals"]}
	if !strings.Contains(words[0], "none of the replacements tried") || !strings.Contains(words[1], "試したどの差し替えでも") {
		t.Errorf("%q", words)
	}
}

// TestWhatIsSentIsNamedOnce: where one provider has several parts, each kind of text that it receives is named once.
func TestWhatIsSentIsNamedOnce(t *testing.T) {
	t.Parallel()
	before, after := scored("before", false, map[string][]float64{"correctness": {1, 2}}),
		scored("after", false, map[string][]float64{"correctness": {5, 5}})
	for _, e := range []*experiments.Evaluation{&before, &after} {
		s := &e.Run.Setup
		s.Judge.Provider, s.Config.Generate.Provider, s.Config.Embedding.Provider = "acme", "acme", "acme"
		s.Config.Retrieve.Mode = "dense"
	}
	for lang, want := range map[string][]string{
		"en": {"documents", "questions", "passages", "reference answers"}, "ja": {"文書", "質問", "参照箇所", "正解"},
	} {
		sent := strings.Join(Texts(of(t, before, after).Sent, lang), "\n")
		for _, kind := range want {
			if n := strings.Count(sent, kind); n != 1 && kind != "documents" || n < 1 {
				t.Errorf("%s: %q names %q %d times", lang, sent, kind, n)
			}
		}
	}
}
