package compare

import "github.com/rag-workbench/workbench/internal/metrics"

// operations are compared over the whole run; on one question they are noise, and get no label.
const operations = metrics.GroupOperations

// comparable returns the metrics both runs measured the same way, in the baseline's order, and notes the others. The version of
// a metric covers its formula and its prompts, those of custom metrics included.
func (c *Comparison) comparable() []metrics.Spec {
	before, after := c.Baseline.Setup, c.Candidate.Setup
	other := map[string]metrics.Spec{}
	for _, s := range after.Suite {
		other[s.ID] = s
	}
	sameJudge := before.Judge.Model == after.Judge.Model
	sameEmbedder := before.Judge.Embedding == after.Judge.Embedding
	var specs []metrics.Spec
	for _, s := range before.Suite {
		t, ok := other[s.ID]
		delete(other, s.ID)
		switch {
		case !ok:
			c.exclude(s.ID, newNote("excluded.only_baseline"))
		case s.Version != t.Version:
			c.exclude(s.ID, newNote("excluded.version", "baseline", s.Version, "candidate", t.Version))
		case s.LowerIsBetter != t.LowerIsBetter || s.Min != t.Min || s.Max != t.Max:
			c.exclude(s.ID, newNote("excluded.scale"))
		case s.NeedsJudge && !sameJudge:
			c.exclude(s.ID, newNote("excluded.judge", "baseline", before.Judge.Model.String(), "candidate", after.Judge.Model.String()))
		case s.NeedsEmbedding && !sameEmbedder:
			c.exclude(s.ID, newNote("excluded.embedder", "baseline", before.Judge.Embedding.String(), "candidate",
				after.Judge.Embedding.String()))
		default:
			specs = append(specs, s)
		}
	}
	for _, s := range after.Suite {
		if _, left := other[s.ID]; left {
			c.exclude(s.ID, newNote("excluded.only_candidate"))
		}
	}
	return specs
}

func (c *Comparison) exclude(metric string, why Note) {
	c.Excluded = append(c.Excluded, Exclusion{Metric: metric, Why: why.Text("en"), Note: why})
}
