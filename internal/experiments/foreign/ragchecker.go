package foreign

import (
	"maps"
	"slices"
)

// ragchecker reads the RAGResults that RAGChecker takes and that evaluate(save_path=…) writes: its own scores are shares of 1 for each
// question; the percentages of the whole are computed from them and are not read.
func (r *foreignReader) ragchecker() error {
	if err := r.noMapping(); err != nil {
		return err
	}
	if r.object != nil {
		if err := r.rowsWithin("results", r.object["results"]); err != nil {
			return err
		}
	}
	for i, row := range r.rows {
		item := ForeignItem{Row: r.numbers[i]}
		item.ID = r.words(&item, "query_id", row["query_id"])
		item.Question = r.words(&item, "query", row["query"])
		item.Reference = r.words(&item, "gt_answer", row["gt_answer"])
		if answer := row["response"]; answer != nil {
			item.Answer = new(r.words(&item, "response", answer))
		}
		r.contextsOf(&item, "retrieved_context", row["retrieved_context"])
		scores := objectOf(row["metrics"])
		for _, name := range slices.Sorted(maps.Keys(scores)) {
			r.score(&item, name, scores[name], "", "")
		}
		r.add(item)
	}
	return nil
}
