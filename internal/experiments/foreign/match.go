package foreign

import (
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// Questions are the questions of the file as those of a dataset. Ids of the tool are kept where every row has one that stands for one
// question; else they follow from question and right answer, so that two exports of one question set give the same ids in any order.
func (f *Foreign) Questions() []experiments.Question {
	_, own := f.keys()
	questions := make([]experiments.Question, 0, len(f.Items))
	taken := map[string]bool{}
	for _, item := range f.Items {
		id := item.ID
		if !own {
			id = "q-" + rag.StageKey("foreign_question", "1", text.Fold(item.Question), item.Reference)[:10]
		}
		if taken[id] {
			continue // a further vote
		}
		taken[id] = true
		questions = append(questions, experiments.Question{
			ID: id, Text: item.Question, Lang: text.Language(item.Question), Reference: item.Reference, Answerable: true,
			Critical: item.Critical, Tags: item.Tags,
		})
	}
	return questions
}

// Log is what the file says as a log of version 0 called name, for the questions of a dataset: a row belongs to the question with its
// id and wording, or else to the one with its wording; several rows of one question are its votes, in the order of the file. missing
// are the dataset's questions without an answer. A row that fits no question, or one whose right answer is another there than here, is a
// Problem: its scores were given for something else.
func (f *Foreign) Log(name string, dataset *experiments.Dataset) (log *rag.Log, missing []string, err error) {
	faults := &intake.RowFaults{File: f.File, Unit: f.Unit}
	b := intake.NewAnswerBuilder(&intake.Table{Unit: f.Unit}, intake.ColumnMap{}, dataset, faults)
	answers := map[int]rag.LoggedAnswer{}
	for _, item := range f.Items {
		fault := func(field, format string, args ...any) {
			faults.Add(intake.RowProblem{Row: item.Row, QuestionID: item.ID, Field: field, Message: fmt.Sprintf(format, args...)})
		}
		at, ok := b.ByText[text.Fold(item.Question)]
		if i, known := b.ByID[item.ID]; known && item.ID != "" && text.Fold(dataset.Questions[i].Text) == text.Fold(item.Question) {
			at, ok = i, true
		}
		if ok && at < 0 {
			at, ok = sameQuestion(dataset.Questions, item)
		}
		if !ok {
			fault(intake.FieldQuestion, "the dataset %s has no question %q", dataset.Name, intake.Shortened(item.Question))
			continue
		}
		q := dataset.Questions[at]
		if !accepts(q, item.Reference) {
			fault(intake.FieldReference, "its right answer is not that of question %s in %s, so its scores mean something else",
				q.ID, dataset.Name)
			continue
		}
		if item.Answer == nil {
			continue
		}
		if first, again := answers[at]; again {
			first.Votes = append(first.Votes, rag.LoggedVote{Answer: *item.Answer, Contexts: item.Contexts, Notes: item.Notes,
				Measured: item.Measured, Scores: item.Scores})
			answers[at] = first
			continue
		}
		answers[at] = rag.LoggedAnswer{
			QuestionID: q.ID, Question: q.Text, Answer: *item.Answer, Contexts: item.Contexts, Notes: item.Notes, Measured: item.Measured,
			Scores: item.Scores,
		}
	}
	if err := faults.Problem(); err != nil {
		p := *problem.From(err)
		p.Code = "results_rows"
		return nil, nil, p.WithHint("import the results without --dataset: they become a dataset of their own")
	}
	b.Answers = answers
	list, missing := b.InOrder()
	ref := experiments.Ref{Name: dataset.Name, Version: dataset.Version}
	return rag.NewLog(name, ref.String(), list), missing, nil
}

// sameQuestion is the place of the question that an item asks where several have its wording: the one with its right answer.
func sameQuestion(questions []experiments.Question, item ForeignItem) (int, bool) {
	at := -1
	for i, q := range questions {
		switch {
		case text.Fold(q.Text) != text.Fold(item.Question):
		case text.Fold(q.Reference) == text.Fold(item.Reference):
			return i, true
		case at < 0 && accepts(q, item.Reference):
			at = i
		}
	}
	return at, at >= 0
}

// SameWordings reports whether a dataset asks what a file asks, each question once and by its wording, whatever the ids; a right answer of
// the file is one of the dataset's too.
func SameWordings(dataset, asked []experiments.Question) bool {
	known := make(map[string]experiments.Question, len(dataset))
	for _, q := range dataset {
		known[text.Fold(q.Text)] = q
	}
	if len(known) != len(dataset) || len(asked) != len(dataset) {
		return false
	}
	for _, q := range asked {
		there, ok := known[text.Fold(q.Text)]
		if !ok || q.Reference != "" && there.Reference == "" || !accepts(there, q.Reference) {
			return false
		}
		delete(known, text.Fold(q.Text)) // so that nothing is found twice
	}
	return true
}

// accepts reports whether a right answer is one of the question's; "" says nothing against it.
func accepts(q experiments.Question, reference string) bool {
	if reference == "" || q.Reference == "" {
		return true
	}
	same := func(other string) bool { return text.Fold(other) == text.Fold(reference) }
	return same(q.Reference) || slices.ContainsFunc(q.References, same)
}
