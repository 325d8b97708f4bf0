package studies

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Repair is the configuration of a run with what its newest diagnosis recommends.
func (n *NotebookEngine) Repair(ctx context.Context, run string, take []string) (document.Config, error) {
	t, err := analyses.RepairTaken(ctx, n.W, run, take)
	if err != nil {
		return document.Config{}, err
	}
	base, err := baseOf(t.Definition.Base)
	if err != nil {
		return document.Config{}, err
	}
	why := t.Why()
	r := document.Repaired{Run: t.Before.ID, Names: []string{}, Lines: []document.Placed{},
		Repairs: len(t.Heals()), AtRisk: len(t.AtRisk()),
		Change: document.Words{EN: t.Words("en"), JA: t.Words("ja")}, Reason: document.Words{EN: why.EN, JA: why.JA}}
	r.Tried = len(t.Taken) > 0 && !slices.ContainsFunc(t.Taken, func(c causes.Recommendation) bool { return c.Outcome == nil })
	if totals := t.Before.Totals; totals != nil {
		r.LowScores = totals.LowScoreCount
	}
	changes, err := t.Changes()
	for _, c := range changes {
		r.Lines = append(r.Lines, document.Placed{Param: c.Param, Words: document.Words{EN: c.Words("en"), JA: c.Words("ja")}})
	}
	for _, taken := range t.Taken {
		r.Names = append(r.Names, analyses.RecommendationName(taken))
	}
	if len(r.Names) == 0 {
		r.Change = document.Words{EN: "none", JA: "なし"}
		r.Reason = document.Words{EN: "The diagnosis recommends no change that can be applied by itself.",
			JA: "原因分析には、そのまま適用できる推奨の変更がありません。"}
	}
	return document.Config{Corpus: t.Before.Setup.Corpus.String(), Base: base, Repaired: &r}, err
}

// baseOf is a configuration as an experiment file writes it: what says nothing is left out.
func baseOf(c rag.Config) (map[string]any, error) {
	body, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	err = json.Unmarshal(body, &out)
	dropUnsaid(out)
	return out, err
}

func dropUnsaid(m map[string]any) {
	for k, v := range m {
		inner, is := v.(map[string]any)
		if dropUnsaid(inner); v == nil || v == "" || is && len(inner) == 0 {
			delete(m, k)
		}
	}
}

// Repair implements [notebooks.Engine].
func (e *sentEngine) Repair(ctx context.Context, run string, take []string) (document.Config, error) {
	return recalled(ctx, e, "repair", []string{run}, take, func(ctx context.Context) (document.Config, error) {
		return e.NotebookEngine.Repair(ctx, run, take)
	})
}
