package studies

import (
	"context"
	"encoding/json"

	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Repair is the configuration of a run with what its newest diagnosis recommends.
func (n *NotebookEngine) Repair(ctx context.Context, run string, take []string) (notebooks.Config, error) {
	t, err := analyses.RepairTaken(ctx, n.W, run, take)
	if err != nil {
		return notebooks.Config{}, err
	}
	base, err := baseOf(t.Definition.Base)
	if err != nil {
		return notebooks.Config{}, err
	}
	why := t.Why()
	r := notebooks.Repaired{Run: t.Before.ID, Names: []string{}, Lines: []notebooks.Placed{},
		Repairs: len(t.Heals()), AtRisk: len(t.AtRisk()),
		Change: notebooks.Words{EN: t.Words("en"), JA: t.Words("ja")}, Reason: notebooks.Words{EN: why.EN, JA: why.JA}}
	if totals := t.Before.Totals; totals != nil {
		r.LowScores = totals.LowScoreCount
	}
	changes, err := t.Changes()
	for _, c := range changes {
		r.Lines = append(r.Lines, notebooks.Placed{Param: c.Param, Words: notebooks.Words{EN: c.Words("en"), JA: c.Words("ja")}})
	}
	for _, taken := range t.Taken {
		r.Names = append(r.Names, analyses.RecommendationName(taken))
	}
	if len(r.Names) == 0 {
		r.Change = notebooks.Words{EN: "none", JA: "なし"}
		r.Reason = notebooks.Words{EN: "The diagnosis recommends no change that can be applied by itself.",
			JA: "原因分析には、そのまま適用できる推奨の変更がありません。"}
	}
	return notebooks.Config{Corpus: t.Before.Setup.Corpus.String(), Base: base, Repaired: &r}, err
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
func (e *sentEngine) Repair(ctx context.Context, run string, take []string) (notebooks.Config, error) {
	return recalled(ctx, e, "repair", []string{run}, take, func(ctx context.Context) (notebooks.Config, error) {
		return e.NotebookEngine.Repair(ctx, run, take)
	})
}
