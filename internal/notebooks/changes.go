package notebooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// CellChange is a cell whose result is another one in a later text.
type CellChange struct {
	Cell      string           `json:"cell"`
	Type      string           `json:"type"`
	Kind      string           `json:"kind" enum:"added,removed,changed"`
	Before    document.Words   `json:"before,omitzero"` // its headline; empty without a result
	After     document.Words   `json:"after,omitzero"`
	Was       State            `json:"was,omitempty"`
	Is        State            `json:"is,omitempty"`
	Questions []QuestionChange `json:"questions,omitempty"` // of a comparison: whose verdict is another one
}

// QuestionChange is a question with its verdict before and after.
type QuestionChange struct {
	Question string `json:"question"`
	Before   string `json:"before" enum:"worse,mixed,needs_check,no_change,better"`
	After    string `json:"after" enum:"worse,mixed,needs_check,no_change,better"`
}

// Changes lists the cells whose results differ between two views, in the order of the later one and then of the earlier one. A cell
// that was renamed is one that went and one that came.
func Changes(before, after *View) []CellChange {
	out := []CellChange{}
	for _, now := range after.Cells {
		c := CellChange{Cell: now.Name, Type: now.Type, Kind: "added", After: headline(now.Value), Is: now.State}
		if was := before.Cell(now.Name); was != nil && was.Type == now.Type {
			if hashOf(was.Value) == hashOf(now.Value) && was.State == now.State {
				continue
			}
			c.Kind, c.Before, c.Was, c.Questions = "changed", headline(was.Value), was.State, questionChanges(was.Value, now.Value)
		}
		out = append(out, c)
	}
	for _, was := range before.Cells {
		if now := after.Cell(was.Name); now == nil || now.Type != was.Type {
			out = append(out, CellChange{Cell: was.Name, Type: was.Type, Kind: "removed", Before: headline(was.Value), Was: was.State})
		}
	}
	return out
}

// questionChanges lists the questions of two comparisons whose verdicts differ, by id.
func questionChanges(before, after any) []QuestionChange {
	a, okA := before.(document.Comparison)
	b, okB := after.(document.Comparison)
	if !okA || !okB {
		return nil
	}
	was, is := verdicts(a), verdicts(b)
	ids := append(document.SortedKeys(was), document.SortedKeys(is)...)
	slices.Sort(ids)
	var out []QuestionChange
	for _, id := range slices.Compact(ids) {
		if was[id] != is[id] {
			out = append(out, QuestionChange{id, orNoChange(was[id]), orNoChange(is[id])})
		}
	}
	return out
}

func orNoChange(verdict string) string {
	if verdict == "" {
		return "no_change"
	}
	return verdict
}

// verdicts are the questions of a comparison that changed, with their verdicts.
func verdicts(c document.Comparison) map[string]string {
	out := map[string]string{}
	for verdict, list := range map[string]document.Counted{"worse": c.Worse, "mixed": c.Mixed, "needs_check": c.NeedsCheck,
		"better": c.Better} {
		for _, id := range list.Questions {
			out[id] = verdict
		}
	}
	return out
}

// headline is a result in one line.
func headline(value any) document.Words {
	in := func(en, ja string, args ...any) document.Words {
		return document.Words{EN: fmt.Sprintf(en, args...), JA: fmt.Sprintf(ja, args...)}
	}
	switch x := value.(type) {
	case document.Source:
		return document.Words{EN: x.Ref + ", " + x.Size.EN, JA: x.Ref + "、" + x.Size.JA}
	case document.RunSet:
		if x.Best == nil {
			return document.Words{}
		}
		return in("best %s: %d of %d low, correctness %s", "最良 %s：低スコア%d件（%d件中）、正確性 %s", x.Best.Label, x.Best.LowScores,
			x.Best.Questions, score(x.Best.Scores, "correctness"))
	case document.Comparison:
		return in("%d worse, %d needs check, %d better", "悪化%d件、要確認%d件、改善%d件", x.Worse.Count, x.NeedsCheck.Count, x.Better.Count)
	case document.Failures:
		return in("%d of %d low scores", "低スコア%d件（%d件中）", x.Count, x.Questions)
	case document.CauseSet:
		if x.Top == nil {
			return in("%d diagnosed", "%d件を分析", x.Diagnosed)
		}
		some := in(", %d of %d", "、%d件（%d件中）", x.Top.Count, x.Diagnosed)
		return document.Words{EN: x.Top.Name.EN + some.EN, JA: x.Top.Name.JA + some.JA}
	case document.Answer:
		return in("correctness %s, trust %s", "正確性 %s、信頼性 %s", optional(x.Correctness), optional(x.Trust))
	case document.Verdict:
		return in("%s, %d worse", "%s、悪化%d件", x.Decision, x.Worse)
	case document.Agreement:
		return in("%d met, %d missed", "達成%d件、未達%d件", x.Met, x.Missed)
	case document.Report:
		return x.Headline
	case document.Rows:
		return in("%d rows", "%d行", x.Count)
	case document.Tabled:
		return in("%d rows", "%d行", x.Count)
	case document.ConfigSet:
		return in("%d combinations", "%d通り", x.Count)
	case map[string]any: // parameters
		var list []string
		for _, name := range document.SortedKeys(x) {
			list = append(list, name+" = "+document.TextOf(x[name]))
		}
		return in("%s", "%s", strings.Join(list, ", "))
	}
	return document.Words{}
}
