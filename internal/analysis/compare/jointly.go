package compare

import (
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Jointly is the confidence that each of n intervals needs so that all of them hold together with at least 95%, whatever they have to
// do with each other (Bonferroni).
func Jointly(n int) float64 { return 1 - 0.05/float64(max(1, n)) }

// Jointly is the interval of Diff as one of n that hold together with at least 95%: that of the comparison, widened. Nil where there
// is none.
func (m MetricChange) Jointly(n int) *[2]float64 {
	if m.CI95 == nil {
		return nil
	}
	quantile := func(confidence float64) float64 { return stats.StudentQuantile(1-(1-confidence)/2, m.Free) }
	half := (m.CI95[1] - m.CI95[0]) / 2 * quantile(Jointly(n)) / quantile(Jointly(1))
	return &[2]float64{m.Diff - half, m.Diff + half}
}

// Disagreement says how far the verdicts of several runs on one question are apart: for each two of them 1 where their words differ, and
// 2 where one is better and the other worse. A run without a verdict takes no part.
func Disagreement(verdicts []Label) int {
	sum := 0
	for i, a := range verdicts {
		for _, b := range verdicts[i+1:] {
			switch {
			case a == b || a == "" || b == "":
			case a == Better && b == Worse, a == Worse && b == Better:
				sum += 2
			default:
				sum++
			}
		}
	}
	return sum
}

// ManyWords say that several runs were compared with one baseline by n intervals in all, of which metrics, and what that does to chance.
func ManyWords(runs, n int, of []string) experiments.Rationale {
	chance, each := min(100, 5*n), 100*Jointly(n)
	en, ja := make([]string, len(of)), make([]string, len(of))
	for i, id := range of {
		en[i], ja[i] = id, id
		if spec, ok := metrics.Find(id); ok {
			en[i], ja[i] = strings.ToLower(spec.TitleEN), spec.TitleJA
		}
	}
	were := "runs were"
	if runs == 1 {
		were = "run was"
	}
	last := max(0, len(of)-1)
	list := strings.TrimPrefix(strings.Join(en[:last], ", ")+" and "+strings.Join(en[last:], ""), " and ")
	return experiments.Rationale{
		EN: fmt.Sprintf("%d %s compared with one baseline by %d intervals: of the change in %s of each run. At 95%% each, the chance "+
			"that one of them misses could be up to %d%%; each is at %.1f%% here, so that all hold together with at least 95%% "+
			"(Bonferroni). The verdicts are those of each comparison by itself: the more runs are tried, the more look better or worse by luck.",
			runs, were, n, list, chance, each),
		JA: fmt.Sprintf("%d件の実行を一つの基準と比べ、各実行の%sの変化を%d個の区間で示します。それぞれ95%%では、どれかが外れる確率は最大%d%%になります。"+
			"ここでは各区間を%.1f%%とし、すべてが同時に成り立つ確率を95%%以上にしています（ボンフェローニ）。"+
			"質問ごとの判定は2つずつの比較のままです。"+
			"比べる実行が多いほど、偶然に良く、または悪く見えるものが増えます。", runs, strings.Join(ja, "・"), n, chance, each),
	}
}

// CountedUnlike says where some of several comparisons with one baseline count answers of equal grade by what these state, and others by
// the grade alone: their numbers of worse answers are no match. It is empty where all count alike.
func CountedUnlike(all []Comparison) experiments.Rationale {
	var facts, grade listed
	for i := range all {
		c := &all[i]
		if c.TieBreaks > 0 {
			facts = append(facts, newNote("beside.run", "run", c.Candidate.ID, "n", c.TieBreaks))
		}
		if short, ok := c.CountedByGrade(); ok {
			grade = append(grade, newNote("beside.run", "run", c.Candidate.ID, "n", short.Params["n"]))
		}
	}
	if len(facts) == 0 || len(grade) == 0 {
		return experiments.Rationale{}
	}
	said := newNote("beside.unlike", "facts", facts, "grade", grade)
	return experiments.Rationale{EN: said.Text("en"), JA: said.Text("ja")}
}
