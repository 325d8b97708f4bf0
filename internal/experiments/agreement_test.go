package experiments

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

const agreementYAML = `
low_score: 2.5
targets:
  - {theme: refunds, metric: low_score_share, target: 0.05, owner: CS, due: 2026-12-18}
  - {category: multi_hop_specific, metric: correctness, target: 4}
items:
  - {component: retriever, theme: refunds, action: raise k to 5, priority: high, owner: Search, due: 2026-12-01}
  - {questions: [q12, q40], action: rewrite the references, priority: low}
  - {theme: legal, out_of_scope: true, why: the legal desk answers these}
agreed_by: [顧客窓口 (CS), IT (lead)]
agreed_on: 2026-11-20
run: 9c41
note: Again in January.
`

func TestParseAgreement(t *testing.T) {
	t.Parallel()
	f, err := ParseAgreement([]byte(agreementYAML))
	if err != nil {
		t.Fatal(err)
	}
	was, counted := 1.0, 3
	older := Agreement{
		Dataset: "faq", LowScore: 2, RunID: "old", RunChain: "chain", AgreedBy: []string{"nobody"},
		Targets: []Target{{Goal: Goal{Metric: "trust"}, Was: &was}}, Items: []AgreementItem{{Was: &counted}},
	}
	got := f.Over(older)
	want := Agreement{
		Dataset: "faq", LowScore: 2.5,
		Targets: []Target{
			{Goal: Goal{Theme: "refunds", Metric: "low_score_share", Target: .05, Owner: "CS"}, Due: "2026-12-18"},
			{Goal: Goal{Metric: "correctness", Target: 4}, Category: "multi_hop_specific"},
		},
		Items: []AgreementItem{
			{CauseGroup: CauseGroup{Component: "retriever", Theme: "refunds"}, Action: "raise k to 5", Priority: HighPriority,
				Owner: "Search", Due: "2026-12-01"},
			{CauseGroup: CauseGroup{Questions: []string{"q12", "q40"}}, Action: "rewrite the references", Priority: LowPriority},
			{CauseGroup: CauseGroup{Theme: "legal"}, OutOfScope: true, Why: "the legal desk answers these"},
		},
		AgreedBy: []string{"顧客窓口 (CS)", "IT (lead)"}, AgreedOn: "2026-11-20", Note: "Again in January.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if *f.Run != "9c41" {
		t.Errorf("run is %q", *f.Run)
	}
	if err := got.Validate(nil); err != nil {
		t.Errorf("the agreement is refused: %v", err)
	}

	kept := AgreementFile{}.Over(older) // what the file leaves out stays, but for what an older run measured
	if len(kept.Targets) != 1 || kept.Targets[0].Was != nil || kept.Items[0].Was != nil || kept.RunID != "" || kept.RunChain != "" {
		t.Errorf("an empty file gives %+v", kept)
	}
	if older.Targets[0].Was == nil || older.Items[0].Was == nil {
		t.Error("the older agreement was changed")
	}
}

func TestAgreementFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, from, to, field string }{
		{"threshold too low", "low_score: 2.5", "low_score: 0.5", "low_score"},
		{"threshold too high", "low_score: 2.5", "low_score: 5", "low_score"},
		{"threshold no number", "low_score: 2.5", "low_score: .nan", "low_score"},
		{"nobody", "agreed_by: [顧客窓口 (CS), IT (lead)]", "agreed_by: []", "agreed_by"},
		{"blank name", "顧客窓口 (CS)", "' '", "agreed_by"},
		{"no date", "agreed_on: 2026-11-20", "agreed_on: tomorrow", "agreed_on"},
		{"unknown metric", "metric: correctness", "metric: goodness", "targets[1].metric"},
		{"target beyond the scale", "target: 4}", "target: 6}", "targets[1].target"},
		{"share in per cent", "target: 0.05", "target: 5", "targets[0].target"},
		{"due no date", "due: 2026-12-18", "due: 18.12.", "targets[0].due"},
		{"target twice", "{category: multi_hop_specific, metric: correctness, target: 4}",
			"{theme: refunds, metric: low_score_share, target: 0.1}", "targets[1]"},
		{"item about nothing", "component: retriever, theme: refunds, action", "action", "items[0]"},
		{"item without action", "action: raise k to 5, ", "", "items[0].action"},
		{"priority", "priority: high", "priority: urgent", "items[0].priority"},
		{"item due", "due: 2026-12-01", "due: soon", "items[0].due"},
		{"no reason", ", why: the legal desk answers these", "", "items[2].why"},
		{"action out of scope", "out_of_scope: true", "out_of_scope: true, action: fix", "items[2].action"},
		{"group twice", "{theme: legal, out_of_scope: true, why: the legal desk answers these}",
			"{questions: [q40, q12], action: another}", "items[2]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := strings.Replace(agreementYAML, c.from, c.to, 1)
			if s == agreementYAML {
				t.Fatalf("the file has no %q", c.from)
			}
			f, err := ParseAgreement([]byte(s))
			if err != nil {
				t.Fatal(err)
			}
			err = f.Over(Agreement{}).Validate(nil)
			if problem.CodeOf(err) != "agreement_field" || problem.From(err).Params["field"] != c.field {
				t.Errorf("got %v (field %v), want a problem with %s", err, problem.From(err).Params["field"], c.field)
			}
		})
	}
	for _, s := range []string{"low_scores: 2", "targets: 3", "items: [{metric: x}]", "targets: [{agreed: x}]", "\xff",
		strings.Repeat("[", 200)} {
		if _, err := ParseAgreement([]byte(s)); problem.CodeOf(err) != "agreement_yaml" || !problem.Is(err, problem.Invalid) {
			t.Errorf("%.20q gives %v", s, err)
		}
	}
	if _, err := ParseTarget("{theme: a, due: 2026-01-01, action: x}"); problem.CodeOf(err) != "agreement_yaml" {
		t.Errorf("a target with an action gives %v", err)
	}
}

// TestAgreementOwnMetric lets a target name a metric of an experiment file, within that metric's range.
func TestAgreementOwnMetric(t *testing.T) {
	t.Parallel()
	a := Agreement{LowScore: 2, AgreedBy: []string{"me"}, AgreedOn: "2026-11-20",
		Targets: []Target{{Goal: Goal{Metric: "politeness", Target: 4}}}}
	if err := a.Validate(nil); problem.CodeOf(err) != "agreement_field" {
		t.Errorf("an unknown metric gives %v", err)
	}
	own := []metrics.Spec{{ID: "politeness", Group: "custom", Min: 1, Max: 5}}
	if err := a.Validate(own); err != nil {
		t.Errorf("a metric of an experiment file is refused: %v", err)
	}
}

func TestWithTargetAndItem(t *testing.T) {
	t.Parallel()
	a, b := Target{Goal: Goal{Metric: "trust", Target: 3}}, Target{Goal: Goal{Theme: "x", Metric: "trust", Target: 3}}
	changed := a
	changed.Goal.Target = 4
	list := []Target{a, b}
	if diff := cmp.Diff([]Target{changed, b}, WithTarget(list, changed)); diff != "" {
		t.Errorf("a target for the same thing is not replaced:\n%s", diff)
	}
	other := Target{Goal: Goal{Metric: "trust"}, Category: "c"}
	if got := WithTarget(list, other); len(got) != 3 || !cmp.Equal(list, []Target{a, b}) {
		t.Errorf("a further target gives %v and leaves %v", got, list)
	}
	one := AgreementItem{CauseGroup: CauseGroup{Questions: []string{"q1", "q2"}}, Action: "old"}
	two := AgreementItem{CauseGroup: CauseGroup{Questions: []string{"q2", "q1"}}, Action: "new"}
	if got := WithItem([]AgreementItem{one}, two); len(got) != 1 || got[0].Action != "new" {
		t.Errorf("an item about the same group gives %v", got)
	}
}
