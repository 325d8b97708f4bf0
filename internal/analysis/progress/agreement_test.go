package progress

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	analysiscauses "github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// agreedRun is a run of six questions: two on refunds, two on baggage, two without a tag. q1, q3 and q5 are low at 2, q6 at 3 too.
func agreedRun(t *testing.T) experiments.Evaluation {
	t.Helper()
	e := evaltest.Evaluation(t, "run", evaltest.Table{
		"q1": {"correctness": 1, "trust": 5, "faithfulness": .2}, "q2": {"correctness": 5, "trust": 5, "faithfulness": .9},
		"q3": {"correctness": 4, "trust": 2, "faithfulness": .5}, "q4": {"correctness": 4, "trust": 4, "faithfulness": .5},
		"q5": {"correctness": 2, "trust": 2}, "q6": {"correctness": 3, "trust": 5},
	})
	e.Run.Chain = "chain"
	for i, tags := range [][]string{{"theme:refunds"}, {"theme:refunds", "category:single_hop_specific"}, {"theme:baggage"},
		{"theme:baggage", "hard"}, nil, nil} {
		e.Questions[i].Tags = tags
	}
	return e
}

func target(metric string, value float64, more ...func(*experiments.Target)) experiments.Target {
	t := experiments.Target{Goal: experiments.Goal{Metric: metric, Target: value}}
	for _, f := range more {
		f(&t)
	}
	return t
}

func onTheme(theme string) func(*experiments.Target) {
	return func(t *experiments.Target) { t.Theme = theme }
}

func TestProgressOfTargets(t *testing.T) {
	t.Parallel()
	onCategory := func(t *experiments.Target) { t.Category = "multi_hop_abstract" }
	labels := &questions.QuestionReport{Questions: []experiments.QuestionLabels{
		{QuestionID: "q1", Theme: "baggage", Category: "multi_hop_abstract"}, // its tag says refunds, which counts
		{QuestionID: "q2", Category: "multi_hop_abstract"},                   // its tag says another category
		{QuestionID: "q5", Theme: "refunds", Category: "single_hop_specific"},
		{QuestionID: "q6", Theme: "other", SecondTheme: "refunds", Category: "multi_hop_abstract"},
	}}
	for _, c := range []struct {
		name   string
		target experiments.Target
		labels *questions.QuestionReport
		now    float64
		n      int
		state  TargetState
	}{
		{"all", target("low_score_share", .5), nil, .5, 6, TargetMet},
		{"one question too many", target("low_score_share", .49), nil, .5, 6, TargetMissed},
		{"theme by tag", target("low_score_share", .5, onTheme("refunds")), nil, .5, 2, TargetMet},
		{"bare tag", target("correctness", 4, onTheme("hard")), nil, 4, 1, TargetMet},
		{"theme by analysis too", target("low_score_share", .5, onTheme("refunds")), labels, .5, 4, TargetMet},
		{"category by analysis", target("correctness", 2.5, onCategory), labels, 2, 2, TargetMissed},
		{"nobody in reach", target("correctness", 1, onTheme("legal")), nil, 0, 0, TargetNotMeasured},
		{"mean", target("correctness", 19./6), nil, 19. / 6, 6, TargetMet},
		{"where scored only", target("faithfulness", .52), nil, .525, 4, TargetMet},
		{"smaller is better", target("noise_sensitivity", .2), nil, 0, 0, TargetNotMeasured},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := ProgressOf(experiments.Agreement{Version: 1, LowScore: 2, Targets: []experiments.Target{c.target}}, agreedRun(t),
				nil, c.labels)
			got := p.Targets[0]
			now := 0.0
			if got.Now != nil {
				now = *got.Now
			}
			if fmt.Sprintf("%.6f", now) != fmt.Sprintf("%.6f", c.now) || (got.Now == nil) != (c.n == 0) || got.N != c.n ||
				got.State != c.state {
				t.Errorf("now %v of %d: %s; want %v of %d: %s", now, got.N, got.State, c.now, c.n, c.state)
			}
			if want := c.target.Metric == "low_score_share" || c.target.Metric == "noise_sensitivity"; got.AtMost != want {
				t.Errorf("an upper limit: %v", got.AtMost)
			}
		})
	}
}

// TestTargetsSayWhatTheirThemeIsCountedBy: tags of the dataset and the question analysis are two classifications, and a link must lead
// to the questions that were counted.
func TestTargetsSayWhatTheirThemeIsCountedBy(t *testing.T) {
	t.Parallel()
	labels := &questions.QuestionReport{Questions: []experiments.QuestionLabels{
		{QuestionID: "q5", Theme: "refunds"}, {QuestionID: "q6", Theme: "law"}}}
	for theme, want := range map[string]string{"": " ", "refunds": "both theme:refunds", "baggage": "tags theme:baggage",
		"hard": "tags hard", "legal": " ", "law": "analysis "} {
		a := experiments.Agreement{Version: 1, LowScore: 2, Targets: []experiments.Target{target("low_score_share", .5, onTheme(theme))}}
		got := ProgressOf(a, agreedRun(t), nil, labels).Targets[0]
		if said := got.By + " " + got.Tag; said != want {
			t.Errorf("theme %q is counted by %q, want %q", theme, said, want)
		}
	}
}

// TestProgressOfGoals measures the goals of the experiment's file at the same place, unless the agreement has the target too.
func TestProgressOfGoals(t *testing.T) {
	t.Parallel()
	e := agreedRun(t)
	e.Run.Setup.Goals = []experiments.Goal{{Metric: "correctness", Target: 5}, {Metric: "trust", Target: 3},
		{Theme: "refunds", Metric: "trust", Target: 3}}
	a := experiments.Agreement{Version: 1, LowScore: 3, Targets: []experiments.Target{target("trust", 4)}}
	describe := func(p AgreementProgress) []string {
		var out []string
		for _, t := range p.Targets {
			out = append(out, fmt.Sprint(t.Target.Theme, " ", t.Target.Metric, " ", t.Target.Goal.Target, " ", t.FromFile, " ", t.State))
		}
		return out
	}
	p := ProgressOf(a, e, nil, nil)
	if diff := cmp.Diff([]string{" trust 4 false missed", " correctness 5 true missed", "refunds trust 3 true met"},
		describe(p)); diff != "" {
		t.Error(diff)
	}
	if met, missed, unmeasured := p.Met(); met != 1 || missed != 2 || unmeasured != 0 {
		t.Errorf("%d met, %d missed, %d not measured", met, missed, unmeasured)
	}
	if p.LowScore != 3 || p.RunLow != 2 || p.Low != 4 || p.Rated != 6 {
		t.Errorf("with the agreed threshold %v (run %v) %d of %d are low", p.LowScore, p.RunLow, p.Low, p.Rated)
	}
	// Nothing agreed: the run's own threshold and the file's goals.
	p = ProgressOf(experiments.Agreement{}, e, nil, nil)
	if len(p.Targets) != 3 || p.LowScore != 2 || p.Low != 3 || !slices.Equal(p.Open, []string{"q1", "q3", "q5"}) {
		t.Errorf("without agreement: %+v", p)
	}
}

func TestProgressOfItems(t *testing.T) {
	t.Parallel()
	causes := &analysiscauses.CauseReport{RunID: "run", Diagnoses: []analysiscauses.Diagnosis{
		{QuestionID: "q1", Data: analysiscauses.RetrievalData, Component: analysiscauses.Retriever,
			Repairs: []analysiscauses.Repair{{Param: "retrieve.k"}}},
		{QuestionID: "q3", Data: analysiscauses.GenerationData, Component: analysiscauses.SystemPrompt},
		{QuestionID: "q4", Data: analysiscauses.RetrievalData, Component: analysiscauses.Retriever}, // no low score: it never counts
		{QuestionID: "q5", Data: analysiscauses.RetrievalData, Component: analysiscauses.Database},
	}}
	labels := &questions.QuestionReport{Questions: []experiments.QuestionLabels{{QuestionID: "q5", Theme: "refunds",
		Category: "multi_hop_specific"}}}
	group := func(g experiments.CauseGroup, was int) experiments.AgreementItem {
		item := experiments.AgreementItem{CauseGroup: g}
		if was >= 0 {
			item.Was = &was
		}
		return item
	}
	legal := group(experiments.CauseGroup{Theme: "baggage"}, 2)
	legal.OutOfScope = true
	for _, c := range []struct {
		name      string
		item      experiments.AgreementItem
		causes    *analysiscauses.CauseReport
		labels    *questions.QuestionReport
		questions string
		state     ItemState
		needs     string
	}{
		{"component", group(experiments.CauseGroup{Component: "retriever"}, 3), causes, nil, "[q1]", ItemFewer, ""},
		{"data", group(experiments.CauseGroup{Data: "retrieval"}, 2), causes, nil, "[q1 q5]", ItemSame, ""},
		{"parameter", group(experiments.CauseGroup{Param: "retrieve.k"}, 0), causes, nil, "[q1]", ItemMore, ""},
		{"all must fit", group(experiments.CauseGroup{Data: "retrieval", Theme: "refunds"}, -1), causes, nil, "[q1]", ItemOpen, ""},
		{"theme by analysis", group(experiments.CauseGroup{Data: "retrieval", Theme: "refunds"}, -1), causes, labels, "[q1 q5]",
			ItemOpen, ""},
		{"none left", group(experiments.CauseGroup{Component: "search_query"}, 3), causes, nil, "[]", ItemDone, ""},
		{"questions", group(experiments.CauseGroup{Questions: []string{"q4", "q5"}}, -1), nil, nil, "[q5]", ItemOpen, ""},
		{"out of scope", legal, nil, nil, "[q3]", ItemOutOfScope, ""},
		{"not diagnosed", group(experiments.CauseGroup{Component: "retriever"}, 3), nil, nil, "[]", ItemUnknown, "causes"},
		{"diagnosis of another run", group(experiments.CauseGroup{Component: "retriever"}, 3), &analysiscauses.CauseReport{RunID: "other"},
			nil, "[]", ItemUnknown, "causes"},
		{"a category that nobody has", group(experiments.CauseGroup{Category: "multi_hop_abstract"}, 3), nil, nil, "[]", ItemUntold, ""},
		// q2 has a category, so categories are known
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := ProgressOf(experiments.Agreement{Version: 1, LowScore: 2, Items: []experiments.AgreementItem{c.item}}, agreedRun(t),
				c.causes, c.labels).Items[0]
			if fmt.Sprint(p.Questions) != c.questions || p.State != c.state || p.Needs != c.needs ||
				(p.Now == nil) != (c.needs != "" || c.item.Category != "") {
				t.Errorf("%v, %s, needs %q; want %v, %s, %q", p.Questions, p.State, p.Needs, c.questions, c.state, c.needs)
			}
		})
	}
	e := agreedRun(t)
	for i := range e.Questions {
		e.Questions[i].Tags = nil
	}
	p := ProgressOf(experiments.Agreement{Version: 1, LowScore: 2,
		Items: []experiments.AgreementItem{group(experiments.CauseGroup{Theme: "refunds"}, 1)}}, e, nil, nil)
	if p.Items[0].State != ItemUnknown || p.Items[0].Needs != "questions" {
		t.Errorf("a theme that nobody knows is %s, needs %q", p.Items[0].State, p.Items[0].Needs)
	}
}

// TestOutOfScope leaves questions out of every target when their group does not depend on a diagnosis, and only then.
func TestOutOfScope(t *testing.T) {
	t.Parallel()
	out := experiments.AgreementItem{CauseGroup: experiments.CauseGroup{Theme: "refunds"}, OutOfScope: true, Why: "not ours"}
	a := experiments.Agreement{Version: 1, LowScore: 2, Targets: []experiments.Target{target("low_score_share", .5)},
		Items: []experiments.AgreementItem{out}}
	p := ProgressOf(a, agreedRun(t), nil, nil)
	if g := p.Targets[0]; g.N != 4 || g.OutOfScope != 2 || *g.Now != .5 {
		t.Errorf("%v of %d, %d left out", *g.Now, g.N, g.OutOfScope)
	}
	if p.Low != 3 || p.Covered != 1 || !slices.Equal(p.Open, []string{"q3", "q5"}) {
		t.Errorf("%d low, %d covered, open %v", p.Low, p.Covered, p.Open)
	}
	causes := &analysiscauses.CauseReport{RunID: "run",
		Diagnoses: []analysiscauses.Diagnosis{{QuestionID: "q1", Data: analysiscauses.ReferenceData,
			Component: analysiscauses.ReferenceText}}}
	a.Items[0].CauseGroup = experiments.CauseGroup{Component: "reference"}
	if g := ProgressOf(a, agreedRun(t), causes, nil).Targets[0]; g.N != 6 || g.OutOfScope != 0 {
		t.Errorf("a cause takes %d of %d questions out of a target", g.OutOfScope, g.N)
	}
}

// TestSign freezes where things stand, and the next run is measured against that.
func TestSign(t *testing.T) {
	t.Parallel()
	a := experiments.Agreement{
		Version: 1, LowScore: 2, Targets: []experiments.Target{target("low_score_share", .1), target("correctness", 4, onTheme("legal"))},
		Items: []experiments.AgreementItem{{CauseGroup: experiments.CauseGroup{Questions: []string{"q1", "q3"}}},
			{CauseGroup: experiments.CauseGroup{Component: "retriever"}}},
	}
	signed := Sign(a, agreedRun(t), nil, nil)
	if signed.RunID != "run" || signed.RunChain != "chain" || *signed.Targets[0].Was != .5 || signed.Targets[1].Was != nil ||
		*signed.Items[0].Was != 2 || signed.Items[1].Was != nil {
		t.Errorf("signed: %+v", signed)
	}
	if a.Targets[0].Was != nil || a.Items[0].Was != nil {
		t.Error("signing changed the agreement it was given")
	}
	next := evaltest.Evaluation(t, "next", evaltest.Table{"q1": {"correctness": 1, "trust": 1}, "q3": {"correctness": 4,
		"trust": 4}}, "q1", "q3")
	p := ProgressOf(signed, next, nil, nil)
	if p.Items[0].State != ItemFewer || *p.Items[0].Now != 1 {
		t.Errorf("the next run: %+v", p.Items[0])
	}
	// A second vote of a question does not count twice.
	again := next
	again.Results = append(slices.Clone(next.Results), next.Results[0])
	again.Results[2].Replicate = 1
	if got := ProgressOf(signed, again, nil, nil); got.Low != p.Low || got.Rated != p.Rated || got.Targets[0].N != p.Targets[0].N {
		t.Errorf("with a second vote %d of %d are low", got.Low, got.Rated)
	}
}

func TestOverdue(t *testing.T) {
	t.Parallel()
	due := experiments.Target{Due: "2026-12-01"}
	for _, c := range []struct {
		state TargetState
		today string
		want  bool
	}{{TargetMissed, "2026-12-01", false}, {TargetMissed, "2026-12-02", true}, {TargetMet, "2027-01-01", false},
		{TargetNotMeasured, "2027-01-01", true}} {
		if got := (TargetProgress{Target: due, State: c.state}).Overdue(c.today); got != c.want {
			t.Errorf("%s on %s: overdue %v", c.state, c.today, got)
		}
	}
	item := ItemProgress{Item: experiments.AgreementItem{Due: "2026-12-01"}}
	for state, want := range map[ItemState]bool{ItemDone: false, ItemOutOfScope: false, ItemFewer: true, ItemUnknown: true} {
		item.State = state
		if item.Overdue("2026-12-02") != want || item.Overdue("2026-12-01") {
			t.Errorf("%s: overdue %v", state, item.Overdue("2026-12-02"))
		}
	}
}

func TestCheckAgreement(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		group experiments.CauseGroup
		field string
	}{
		{experiments.CauseGroup{Component: "retriever"}, ""},
		{experiments.CauseGroup{Data: "retrieval"}, ""},
		{experiments.CauseGroup{Theme: "any"}, ""},
		{experiments.CauseGroup{Component: "retrieval"}, "items[0].component"},
		{experiments.CauseGroup{Data: "retriever"}, "items[0].data"},
	} {
		err := CheckAgreement(experiments.Agreement{Items: []experiments.AgreementItem{{CauseGroup: c.group}}})
		if err != nil {
			field, _ := problem.From(err).Params["field"].(string)
			if field != c.field {
				t.Errorf("%v: %v", c.group, err)
			}
		} else if c.field != "" {
			t.Errorf("%v is taken", c.group)
		}
	}
}

// TestNothingIsDoneByLackOfScores: over runs of which some answers, or all, have scores of other tools alone, an agreed action is done, or
// fewer than it was, only where every answer that lacks a score could be low and it would still be so.
func TestNothingIsDoneByLackOfScores(t *testing.T) {
	t.Parallel()
	states := map[ItemState]int{}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 9))
		e := agreedRun(t)
		low, untold, bare := 0, 0, r.IntN(4) == 0
		group := []string{"q1", "q2", "q3", "q4"}
		if r.IntN(3) == 0 { // of a question that the run was not asked
			group, untold = append(group, "gone"), 1
		}
		for i := range e.Results {
			result := &e.Results[i]
			if strip := bare || r.IntN(3) == 0; strip {
				result.Scores = []metrics.Score{{Metric: "ragas.faithfulness", State: metrics.Scored, Value: 0.1}}
			}
			_, correct := result.Value("correctness")
			_, trusted := result.Value("trust")
			switch {
			case !slices.Contains(group, result.QuestionID):
			case !correct && !trusted:
				untold++
			case result.Low(experiments.UsualLow(2)):
				low++
			}
		}
		was := r.IntN(5)
		p := ProgressOf(experiments.Agreement{Version: 1, LowScore: 2, Items: []experiments.AgreementItem{
			{CauseGroup: experiments.CauseGroup{Questions: group}, Was: &was}}}, e, nil, nil)
		item := p.Items[0]
		states[item.State]++
		if item.Untold != untold || len(item.Questions) != low || p.Rated+p.Untold != len(e.Results) {
			t.Fatalf("seed %d: %d untold and %d low, want %d and %d", seed, item.Untold, len(item.Questions), untold, low)
		}
		for left := low; left <= low+untold; left++ { // whatever the lacking scores may be
			wrong := item.State == ItemDone && left > 0 || item.State == ItemFewer && left >= was ||
				item.State == ItemMore && left <= was ||
				item.State == ItemSame && left != was
			if wrong {
				t.Fatalf("seed %d: %s, but %d may be left of %d", seed, item.State, left, was)
			}
		}
		if bare && item.State != ItemUntold {
			t.Fatalf("seed %d: no answer can be told to be low, and the item is %s", seed, item.State)
		}
	}
	if len(states) < 4 {
		t.Errorf("the runs of this test have only %v", states)
	}
}
