package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

func TestTaxonomies(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		_, err := s.Taxonomy(ctx, "faq", "theme", 0)
		wantProblem(t, err, problem.NotFound, "taxonomy_unknown")

		themes := filled1[experiments.Taxonomy]()
		themes.ID, themes.Version = "theme", 0
		themes.Labels[0].ID, themes.Labels[1] = "refunds", themes.Labels[0]
		themes.Labels[1].ID = "pets"
		themes.Gold = []experiments.GoldLabel{{QuestionID: "q1", Labels: []string{"pets"}}}
		first := must[experiments.Taxonomy](t)(s.PutTaxonomy(ctx, "faq", themes, at(1)))
		if first.Version != 1 {
			t.Fatalf("the first version is %d", first.Version)
		}
		diff(t, first, must[experiments.Taxonomy](t)(s.Taxonomy(ctx, "faq", "theme", 0))) // the round trip
		diff(t, first, must[experiments.Taxonomy](t)(s.PutTaxonomy(ctx, "faq", first, at(2))))

		edited := first
		edited.Labels = append([]experiments.TaxonomyLabel{}, first.Labels...)
		edited.Labels[0].JA = "払い戻し"
		second := must[experiments.Taxonomy](t)(s.PutTaxonomy(ctx, "faq", edited, at(3)))
		if second.Version != 2 {
			t.Fatalf("an edit is version %d", second.Version)
		}
		diff(t, first, must[experiments.Taxonomy](t)(s.Taxonomy(ctx, "faq", "theme", 1)))
		diff(t, second, must[experiments.Taxonomy](t)(s.Taxonomy(ctx, "faq", "theme", 0)))

		lost := second
		lost.Labels = lost.Labels[1:]
		lost.Gold = nil
		_, err = s.PutTaxonomy(ctx, "faq", lost, at(4))
		wantProblem(t, err, problem.Conflict, "taxonomy_id_lost")
		stale := first
		stale.EN, stale.Version = "edited elsewhere", 9
		_, err = s.PutTaxonomy(ctx, "faq", stale, at(4))
		wantProblem(t, err, problem.Conflict, "taxonomy_version")

		risk := themes
		risk.ID = "risk"
		risk = must[experiments.Taxonomy](t)(s.PutTaxonomy(ctx, "faq", risk, at(5)))
		must[experiments.Taxonomy](t)(s.PutTaxonomy(ctx, "other", themes, at(5)))
		diff(t, []experiments.Taxonomy{risk, second}, must[[]experiments.Taxonomy](t)(s.Taxonomies(ctx, "faq")))
		diff(t, []experiments.Taxonomy{}, must[[]experiments.Taxonomy](t)(s.Taxonomies(ctx, "none")))
	})
}
