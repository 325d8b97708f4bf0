package reviews

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// ofQuestion returns the reviews in force about a question, by reviewer.
func (r *reviewedRun) ofQuestion(id string) []experiments.Review {
	var out []experiments.Review
	for _, review := range r.inForce {
		if review.QuestionID == id {
			out = append(out, review)
		}
	}
	slices.SortFunc(out, func(a, b experiments.Review) int { return cmp.Compare(a.Reviewer, b.Reviewer) })
	return out
}

// differences tells where people see the answers of the workbook differently.
func (m *merging) differences() {
	for _, id := range m.out.Runs {
		r := m.runs[id]
		for _, question := range slices.Sorted(maps.Keys(r.touched)) {
			row := r.touched[question]
			if what := differing(r.ofQuestion(question)); what != "" {
				m.out.Conflicts = append(m.out.Conflicts, ReviewConflict{
					Code: ReviewersDiffer, Sheet: row.Sheet, Row: row.Row, RunID: id, QuestionID: question, Message: what, Stored: true,
				})
			}
		}
	}
}

// differing says in words what reviewers see differently: verdict, cause, or levels two or more apart. What one of them does not say is
// no difference.
func differing(reviews []experiments.Review) string {
	var out []string
	for _, f := range []struct {
		name string
		of   func(experiments.Review) string
	}{
		{"verdict", func(r experiments.Review) string { return string(r.Verdict) }},
		{"cause", func(r experiments.Review) string { return r.Cause }},
	} {
		said := map[string]bool{}
		var who []string
		for _, r := range reviews {
			if v := f.of(r); v != "" && v != string(experiments.UnsureVerdict) {
				said[v] = true
				who = append(who, r.Reviewer+" "+v)
			}
		}
		if len(said) > 1 {
			out = append(out, f.name+": "+strings.Join(who, ", "))
		}
	}
	for _, f := range []struct {
		name string
		of   func(experiments.Review) *int
	}{
		{"correctness", func(r experiments.Review) *int { return r.Correctness }},
		{"trust", func(r experiments.Review) *int { return r.Trust }},
	} {
		lowest, highest := 6, 0
		var who []string
		for _, r := range reviews {
			if v := f.of(r); v != nil {
				lowest, highest = min(lowest, *v), max(highest, *v)
				who = append(who, fmt.Sprint(r.Reviewer, " ", *v))
			}
		}
		if highest-lowest >= 2 {
			out = append(out, f.name+": "+strings.Join(who, ", "))
		}
	}
	return strings.Join(out, "; ")
}

// references finds the corrected references of the runs and makes the next version of their datasets, when that is wanted.
func (m *merging) references(ctx context.Context) error {
	byDataset := map[string][]CorrectedReference{}
	for _, id := range m.out.Runs {
		r := m.runs[id]
		name := r.evaluation.Run.Setup.Dataset.Name
		newest, err := m.workbench.Store.Dataset(ctx, name)
		if problem.Is(err, problem.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		now := make(map[string]experiments.Question, len(newest.Questions))
		for _, q := range newest.Questions {
			now[q.ID] = q
		}
		byDataset[name] = append(byDataset[name], m.corrected(r, id, newest, now)...)
	}
	for name := range byDataset {
		byDataset[name] = m.agreeing(byDataset[name])
	}
	for _, name := range slices.Sorted(maps.Keys(byDataset)) {
		m.out.References = append(m.out.References, byDataset[name]...)
		if !m.options.References || len(byDataset[name]) == 0 {
			continue
		}
		ref, err := withReferences(ctx, m.workbench, name, byDataset[name])
		if err != nil {
			return err
		}
		m.out.Datasets = append(m.out.Datasets, ref)
	}
	return nil
}

// agreeing keeps one corrected reference of each question. Where the reviews of two runs differ none is kept.
func (m *merging) agreeing(all []CorrectedReference) []CorrectedReference {
	var out []CorrectedReference
	for i, c := range all {
		same := func(o CorrectedReference) bool { return o.QuestionID == c.QuestionID }
		differs := func(o CorrectedReference) bool { return same(o) && o.New != c.New }
		switch first := slices.IndexFunc(all, same) == i; {
		case first && slices.ContainsFunc(all, differs):
			m.out.Conflicts = append(m.out.Conflicts, ReviewConflict{
				Code: ReferencesDiffer, QuestionID: c.QuestionID, Stored: true,
				Message: "the reviews of two runs give different corrected references; the dataset takes none of them",
			})
		case first:
			out = append(out, c)
		}
	}
	return out
}

// corrected lists the corrected references of a run that the newest version of its dataset does not have, earlier imports' included. It
// notes those of this workbook that stand against a newer version or each other.
func (m *merging) corrected(r *reviewedRun, run string, newest *experiments.Dataset,
	now map[string]experiments.Question) []CorrectedReference {
	var out []CorrectedReference
	refuse := func(question string, code ConflictCode, message string, args ...any) {
		row, now := r.touched[question]
		if !now {
			return // told when it was imported
		}
		m.out.Conflicts = append(m.out.Conflicts, ReviewConflict{
			Code: code, Sheet: row.Sheet, Row: row.Row, RunID: run, QuestionID: question,
			Message: fmt.Sprintf(message, args...), Stored: true,
		})
	}
	for _, q := range r.evaluation.Questions {
		var who, texts []string
		for _, review := range r.ofQuestion(q.ID) {
			if review.CorrectedReference != "" {
				who, texts = append(who, review.Reviewer), append(texts, review.CorrectedReference)
			}
		}
		if len(texts) == 0 || slices.ContainsFunc(out, func(c CorrectedReference) bool { return c.QuestionID == q.ID }) {
			continue
		}
		want, asked := texts[0], r.evaluation.Run.Setup.Dataset
		current, there := now[q.ID]
		switch {
		case slices.ContainsFunc(texts, func(s string) bool { return s != want }):
			refuse(q.ID, ReferencesDiffer, "%s give different corrected references; the dataset takes none of them",
				strings.Join(who, ", "))
		case there && current.Reference == want: // taken already
		case !there || current.Text != q.Text:
			refuse(q.ID, QuestionNewer, "%s@%d has this question no more, or in other words; its corrected reference is not applied",
				newest.Name, newest.Version)
		case current.Reference != q.Reference:
			refuse(q.ID, ReferenceNewer, "the reference was corrected for %s, but %s@%d has got another one since, which stays", asked,
				newest.Name, newest.Version)
		default:
			out = append(out, CorrectedReference{Dataset: newest.Name, QuestionID: q.ID, Old: q.Reference, New: want, Reviewers: who})
		}
	}
	return out
}

// withReferences stores the next version of a dataset with other references.
func withReferences(ctx context.Context, w *app.Workbench, name string, corrected []CorrectedReference) (experiments.Ref, error) {
	newest, err := w.Store.Dataset(ctx, name)
	if err != nil {
		return experiments.Ref{}, err
	}
	byID := make(map[string]string, len(corrected))
	for _, c := range corrected {
		byID[c.QuestionID] = c.New
	}
	questions := slices.Clone(newest.Questions)
	for i, q := range questions {
		if s, ok := byID[q.ID]; ok {
			questions[i].Reference = s
		}
	}
	ref, _, err := w.Store.PutDataset(ctx, experiments.NewDataset(name, questions), w.Options.Now())
	return ref, err
}
