package reporting

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// GateAsked are the rules of a gate as people write them, the same on the command line, over HTTP, in notebooks and of schedules.
type GateAsked struct {
	experiments.Limits
	By compare.Setter `json:"-"` // who asks
}

// AskedOf are the limits that somebody set, nil for the usual ones.
func AskedOf(limits *experiments.Limits, by compare.Setter) GateAsked {
	if limits == nil {
		return GateAsked{}
	}
	return GateAsked{*limits, by}
}

// OfSchedule are the limits of a schedule, nil for the usual ones.
func OfSchedule(name string, limits *experiments.Limits) GateAsked {
	return AskedOf(limits, compare.Setter{Where: compare.SetBySchedule, Name: name})
}

// OfFire are the limits by which a fire was decided: those of its schedule or, where it executed a notebook, of a cell of that.
func OfFire(f experiments.Fire, notebook string) GateAsked {
	if notebook != "" {
		return AskedOf(f.Limits, compare.Setter{Where: compare.SetByNotebook, Name: notebook})
	}
	return OfSchedule(f.Schedule, f.Limits)
}

// Rules checks the rules. Problems name the field: min, margin or allowance.
func (a GateAsked) Rules() (compare.GateRules, error) { return compare.RulesOf(a.Limits, a.By) }

// ParseMargin reads a margin as people write it: "auto", which is nil, or a share.
func ParseMargin(s string) (*float64, error) {
	if s == "" || s == "auto" {
		return nil, nil //nolint:nilnil // nobody chose one
	}
	margin, ok := text.ReadShare(s)
	if !ok || !(margin > 0 && margin < 1) {
		return nil, problem.New(problem.Invalid, "margin", "the margin %q is neither auto nor a share above 0 and below 1", s).
			With("field", "margin").
			WithHint("--margin 0.05 lets the mean fall by 5%% of the metric's scale")
	}
	return &margin, nil
}

// Gated are the runs that a gate decides about: compared, or the candidate alone.
type Gated struct {
	Comparison compare.Comparison
	Both       [2]experiments.Evaluation
	Card       *validation.JudgeCard // of the candidate's judge; nil where it was not measured
	Alone      bool
	Agreed     *progress.AgreementProgress // where the candidate stands against what was agreed; nil: not asked
}

// Decide is the gate of all doors.
func (g Gated) Decide(rules compare.GateRules) (GateView, error) {
	var arms compare.GateArms
	if g.Alone {
		arms = compare.EvaluationGate(g.Both[1], rules)
	} else {
		rules = looked(rules, g.Both)
		arms = compare.RunGate(g.Comparison, g.Both[0], g.Both[1], rules)
	}
	result, err := compare.Gate(arms, rules)
	if err != nil {
		return GateView{}, err
	}
	in := findings.Input{Candidate: g.Both[1], Gate: &result, Card: g.Card, Agreement: g.Agreed}
	if !g.Alone {
		in.Comparison, in.Baseline = &g.Comparison, &g.Both[0]
	}
	found := findings.Of(in)
	result.Said, result.SaidJA = slices.Concat(found.Gate("en"), result.Said), slices.Concat(found.Gate("ja"), result.SaidJA)
	if theirs := findings.VerifyEnd(compare.StopTheirs); !g.Alone && g.theirs() && result.InDoubt() &&
		result.Decision != stats.Fail { // which more scores of single answers would not change
		result.Said, result.SaidJA = append(result.Said, theirs.EN), append(result.SaidJA, theirs.JA)
	}
	view := GateView{GateResult: result, Offline: g.Both[1].Run.Setup.ByOffline(), Outcome: result.Outcome()}
	if found.Offline && !found.Imported {
		view.Caution = new(findings.OfflineGate())
	}
	return view, nil
}

// DecideFiles is the gate of files of scores. It opens as that of runs does, with the decision and the checks that made it.
func DecideFiles(arms compare.GateArms, rules compare.GateRules) (compare.GateResult, error) {
	r, err := compare.Gate(arms, rules)
	if err != nil {
		return r, err
	}
	opening := findings.GateOpening(r)
	r.Said, r.SaidJA = slices.Insert(r.Said, 0, opening.EN), slices.Insert(r.SaidJA, 0, opening.JA)
	return r, nil
}

// theirs reports whether scores of another tool alone decide, which we cannot ask again.
func (g Gated) theirs() bool {
	suite := g.Both[1].Run.Setup.Suite
	return len(g.Comparison.DecideBy) > 0 && !slices.ContainsFunc(g.Comparison.DecideBy, func(id string) bool {
		return !slices.ContainsFunc(suite, func(s metrics.Spec) bool { return s.ID == id && s.Group == metrics.GroupImported })
	})
}

// ThresholdsOnly reports whether a gate without any baseline can be decided: thresholds can be held against the candidate alone.
func ThresholdsOnly(baseline string, rules compare.GateRules, err error) bool {
	return baseline == "" && problem.CodeOf(err) == "baseline_unknown" && len(rules.Thresholds) > 0
}

// Gate decides whether a run may replace its baseline; "" takes the pinned one of its dataset. Without any, only thresholds
// can be held against the candidate.
func Gate(ctx context.Context, w *app.Workbench, baseline, candidate string, rules compare.GateRules) (GateView, error) {
	comparison, both, err := app.CompareInShort(ctx, w, baseline, candidate)
	alone := ThresholdsOnly(baseline, rules, err)
	if err != nil && !alone {
		return GateView{}, err
	}
	in := findings.Input{Candidate: both[1]}
	if err := AgreedOn(ctx, w, &in); err != nil {
		return GateView{}, err
	}
	return Gated{comparison, both, CardOf(ctx, w, both[1].Run), alone, in.Agreement}.Decide(rules)
}

// GateAlone holds a run against thresholds by itself, whether or not a baseline is pinned.
func GateAlone(ctx context.Context, w *app.Workbench, run string, asked GateAsked) (GateView, error) {
	asked.Margin, asked.Allowance = nil, nil
	rules, err := asked.Rules()
	if err != nil {
		return GateView{}, err
	}
	e, err := w.Evaluation(ctx, run)
	if err != nil {
		return GateView{}, err
	}
	in := findings.Input{Candidate: e}
	if err := AgreedOn(ctx, w, &in); err != nil {
		return GateView{}, err
	}
	return Gated{Both: [2]experiments.Evaluation{{}, e}, Card: CardOf(ctx, w, e.Run), Alone: true, Agreed: in.Agreement}.Decide(rules)
}

// looked are the rules of a gate over two runs: stricter where some questions were checked again, because that is a second look.
// Where generator and judge of both are deterministic it is none: whoever has a finished run scored again, for a comparison of theirs, gets
// the same scores, and changes nothing of this one.
func looked(rules compare.GateRules, both [2]experiments.Evaluation) compare.GateRules {
	if both[0].Run.Setup.Settled && both[1].Run.Setup.Settled {
		return rules
	}
	if rechecked(both[0]) || rechecked(both[1]) {
		rules.Alpha = min(rules.Alpha, compare.SecondLook)
	}
	return rules
}

// rechecked reports whether some questions have more votes than others, as after checking those in doubt. A baseline that
// was scored several times as a whole is no second look.
func rechecked(e experiments.Evaluation) bool {
	votes := map[string]int{}
	for _, r := range e.Results {
		votes[r.QuestionID]++
	}
	some, all := false, true
	for _, n := range votes {
		some, all = some || n > 1, all && n > 1
	}
	return some && !all
}

// GateView is what a gate decides, with what a reader must know of it.
type GateView struct {
	compare.GateResult
	Offline bool            `json:"offline"` // scored by the built-in judge: for wiring and trial
	Outcome compare.Outcome `json:"outcome" enum:"pass,fail,incomplete,inconclusive" doc:"as the exit code of the command says"`
	Caution *findings.Text  `json:"caution,omitempty" doc:"what the decision is worth, where the built-in judge scored; said and said_ja hold it too"`
}
