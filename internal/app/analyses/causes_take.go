package analyses

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Taken are recommendations of a diagnosed run that are made together, with the experiment that this would be. It is not registered.
type Taken struct {
	Before     experiments.Run
	Taken      []causes.Recommendation // none where nothing is recommended that can be applied
	Definition experiments.Definition
}

// RepairTaken makes recommendations of a run's newest tested diagnosis together. Each of take is a place in the list, from 1, or a
// name, see [RecommendationName]; without any it is the first that can be applied, and where there is none the configuration stays as
// it was. Two that set one parameter differently are refused. It registers and buys nothing.
func RepairTaken(ctx context.Context, w *app.Workbench, run string, take []string) (Taken, error) {
	e, recommended, err := recommendationsOf(ctx, w, run)
	if t := e.Run.Totals; problem.Is(err, problem.NotFound) && t != nil && t.LowScoreCount == 0 && len(take) == 0 {
		err = nil // there was nothing to diagnose
	}
	if err != nil {
		return Taken{}, err
	}
	out := Taken{Before: e.Run}
	for _, word := range take {
		change, err := takenOf(e, recommended, word)
		if err != nil {
			return out, err
		}
		out.Taken = append(out.Taken, change)
	}
	if first := slices.IndexFunc(recommended, func(r causes.Recommendation) bool { return r.Applies }); len(take) == 0 && first >= 0 {
		out.Taken = recommended[first : first+1]
	}
	changes, err := out.Changes()
	if err != nil {
		return out, err
	}
	out.Definition, err = repaired(ctx, w, e, changes, out.Words("en"))
	return out, err
}

func takenOf(e experiments.Evaluation, recommended []causes.Recommendation, word string) (causes.Recommendation, error) {
	if nth, err := strconv.Atoi(word); err == nil {
		return nthOf(e, recommended, nth)
	}
	return namedOf(e, recommended, word)
}

// Changes are those of all that was taken, each once.
func (t Taken) Changes() ([]causes.Repair, error) {
	var out []causes.Repair
	for _, r := range t.Taken {
		for _, c := range r.Changes() {
			same := slices.IndexFunc(out, func(x causes.Repair) bool { return x.Param == c.Param })
			switch {
			case same < 0:
				out = append(out, c)
			case out[same].Key() != c.Key():
				return nil, problem.New(problem.Invalid, "repair_conflict", "two of the recommendations set %s differently: %s, %s", c.Param,
					out[same].Words("en"), c.Words("en")).With("param", c.Param).
					WithHint("take one of them, and compare it with the other in a second cell")
			}
		}
	}
	return out, nil
}

// Words are the changes as people write them, joined by plus signs; "" without any.
func (t Taken) Words(lang string) string {
	var out []string
	changes, _ := t.Changes() // those that were refused have no words
	for _, c := range changes {
		out = append(out, c.Words(lang))
	}
	return strings.Join(out, " + ")
}

// Why says what speaks for each of the recommendations that were taken, and once of all which may gain nothing.
func (t Taken) Why() experiments.Rationale {
	var en, ja []string
	for _, r := range t.Taken {
		en, ja = append(en, r.Rationale.EN), append(ja, r.Rationale.JA)
	}
	if doubt := causes.Doubts(t.Taken, asWritten); doubt.EN != "" {
		en, ja = append(en, doubt.EN), append(ja, doubt.JA)
	}
	return experiments.Rationale{EN: strings.Join(en, " "), JA: strings.Join(ja, "")}
}

func asWritten(r causes.Recommendation) experiments.Rationale {
	return experiments.Rationale{EN: r.Words("en"), JA: r.Words("ja")}
}

// Heals are the ids of the low-score answers that at least one of the recommendations is expected to repair, sorted.
func (t Taken) Heals() []string {
	return union(t.Taken, func(r causes.Recommendation) []string { return r.Heals })
}

// AtRisk are the ids of the good answers whose evidence at least one of them takes out of the contexts, sorted.
func (t Taken) AtRisk() []string {
	return union(t.Taken, func(r causes.Recommendation) []string { return r.AtRisk })
}

func union(of []causes.Recommendation, ids func(causes.Recommendation) []string) []string {
	out := []string{}
	for _, r := range of {
		out = append(out, ids(r)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
