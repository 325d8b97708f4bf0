package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestComments keeps, lists, resolves, opens, moves and removes what people say about cells; every field comes back, and one notebook
// does not see another's.
func TestComments(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		const book = "notebooks/方針.rag.md"
		listed := func(notebook string) []experiments.NotebookComment {
			t.Helper()
			return must[[]experiments.NotebookComment](t)(s.Comments(ctx, notebook))
		}
		first := filled1[experiments.NotebookComment]()
		first.At, first.Cell = at(1), "c"
		second := experiments.NotebookComment{ID: "b", Cell: "c", Text: "**why?**", By: "Ben", At: at(2)}
		ok(t, s.PutComment(ctx, book, second))
		ok(t, s.PutComment(ctx, book, first))
		ok(t, s.PutComment(ctx, "notebooks/other.rag.md", second))
		diff(t, []experiments.NotebookComment{first, second}, listed(book))

		when := at(3)
		settled := must[experiments.NotebookComment](t)(s.SettleComment(ctx, book, "b", "Ann", &when))
		second.ResolvedBy, second.ResolvedAt = "Ann", &when
		diff(t, second, settled)
		diff(t, []experiments.NotebookComment{first, second}, listed(book))
		second.ResolvedBy, second.ResolvedAt = "", nil
		diff(t, second, must[experiments.NotebookComment](t)(s.SettleComment(ctx, book, "b", "Ann", nil)))

		ok(t, s.MoveComments(ctx, book, "c", "d"))
		ok(t, s.MoveNotebook(ctx, book, "notebooks/new.rag.md"))
		first.Cell, second.Cell = "d", "d"
		diff(t, []experiments.NotebookComment{first, second}, listed("notebooks/new.rag.md"))
		diff(t, "c", listed("notebooks/other.rag.md")[0].Cell)
		ok(t, s.ForgetComment(ctx, "notebooks/new.rag.md", "b"))
		diff(t, []experiments.NotebookComment{first}, listed("notebooks/new.rag.md"))
		if err := s.ForgetComment(ctx, "notebooks/new.rag.md", "b"); problem.CodeOf(err) != "comment_unknown" {
			t.Error(err)
		}
		if _, err := s.SettleComment(ctx, book, "b", "Ann", &when); problem.CodeOf(err) != "comment_unknown" {
			t.Error(err)
		}
	})
}
