package store

import (
	"bytes"
	"io"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestStudyOfPeople carries agreements and reviews with a study, beside what people have said over there.
func TestStudyOfPeople(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		_, _, err := s.PutDataset(ctx, experiments.NewDataset("set-x", []experiments.Question{{ID: "q1"}, {ID: "q2"}, {ID: "q3"}}), at(0))
		ok(t, err)
		run := running(t, s, "x")
		ok(t, s.FinishRun(ctx, run.ID, "me", experiments.Totals{}, "", at(2)))
		agreed := filled1[experiments.Agreement]()
		agreed.Dataset = "set-x"
		for i := range 2 {
			agreed.LowScore = float64(i + 2)
			_, _, err := s.PutAgreement(ctx, agreed)
			ok(t, err)
		}
		said := experiments.Review{RunID: run.ID, QuestionID: "q1", Reviewer: "A", Comment: "first", At: at(3)}
		second := said
		second.Comment = "second"
		_, err = s.PutReviews(ctx, []experiments.Review{said, second})
		ok(t, err)

		files := map[string]*bytes.Buffer{}
		_, err = s.ExportRuns(ctx, []string{run.ID}, func(table string) (io.Writer, error) {
			files[table] = &bytes.Buffer{}
			return files[table], nil
		})
		ok(t, err)
		study := func(table string) (io.ReadCloser, error) {
			if f := files[table]; f != nil {
				return io.NopCloser(bytes.NewReader(f.Bytes())), nil
			}
			return nil, nil
		}
		there := newSQLite(t).open(t)
		other := said
		other.Comment = "said over there"
		_, err = there.PutReviews(ctx, []experiments.Review{other})
		ok(t, err)
		for range 2 { // importing twice changes nothing
			ok(t, there.ImportRuns(ctx, study))
			diff(t, must[[]experiments.Agreement](t)(s.Agreements(ctx, "")), must[[]experiments.Agreement](t)(there.Agreements(ctx, "")))
			var comments []string
			for _, r := range must[[]experiments.Review](t)(there.ReviewHistory(ctx, run.ID)) {
				comments = append(comments, r.Comment)
			}
			diff(t, []string{"said over there", "first", "second"}, comments)
		}

		elsewhere := newSQLite(t).open(t)
		agreed.LowScore = 4
		_, _, err = elsewhere.PutAgreement(ctx, agreed)
		ok(t, err)
		wantProblem(t, elsewhere.ImportRuns(ctx, study), problem.Conflict, "study_conflict")
	})
}
