package reviews

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// OnePerson is the reviewer of a queue for which nobody was named.
const OnePerson = "reviewer"

// The sizes of a queue.
const (
	usualAnswers  = 40
	usualTwice    = 10 // from which agreement has an interval
	mostReviewers = 50
)

// QueueOrder says which answers of a run are dealt to whom. Zero fields take the default.
type QueueOrder struct {
	Reviewers []string // default those who were dealt answers before, else [OnePerson]
	Answers   int      // different ones that are dealt now, at most; default 40
	Twice     int      // of them, each to two reviewers; default 10 where there are two; -1: none
	Seed      uint64
}

// Queue is how far the reviewers of a run are.
type Queue struct {
	RunID     string             `json:"run_id"`
	Answers   int                `json:"answers"` // different ones that were dealt
	Twice     int                `json:"twice"`   // of them, to two reviewers or more
	Reviewers []ReviewerProgress `json:"reviewers"`
}

// ReviewerProgress is how far one reviewer is.
type ReviewerProgress struct {
	Name  string `json:"name"`
	Dealt int    `json:"dealt"`
	Done  int    `json:"done"`
	Later int    `json:"later"` // passed over, and not decided yet
}

// Left is what waits for the reviewer.
func (p ReviewerProgress) Left() int { return p.Dealt - p.Done }

// QueueItem is one answer that waits for a reviewer. It does not say what the judge says of it.
type QueueItem struct {
	RunID      string              `json:"run_id"`
	Reviewer   ReviewerProgress    `json:"reviewer"`
	QuestionID string              `json:"question_id"`
	Lang       string              `json:"lang"` // of the question
	Question   string              `json:"question"`
	Reference  string              `json:"reference"`
	Answerable bool                `json:"answerable"` // false: the documents do not hold the answer, and saying so is right
	Answer     string              `json:"answer"`
	Contexts   []QueueContext      `json:"contexts"`         // best first
	Shown      string              `json:"shown"`            // digest of all this, to be sent back with the decision
	Before     *experiments.Review `json:"before,omitempty"` // what the reviewer withdrew, where that is why it is here again
}

// QueueContext is one text that the answer was written from.
type QueueContext struct {
	Document string `json:"document"` // title, else id
	Text     string `json:"text"`
}

// queue is a run with what was dealt and said.
type queue struct {
	workbench  *app.Workbench
	evaluation experiments.Evaluation
	at         map[string]int                             // question → its first result
	said       map[string]map[string][]experiments.Review // by reviewer and question, all revisions
}

func queueOf(ctx context.Context, w *app.Workbench, run string) (*queue, error) {
	e, err := w.Evaluation(ctx, run)
	if err != nil {
		return nil, err
	}
	q := &queue{workbench: w, evaluation: e, at: map[string]int{}, said: map[string]map[string][]experiments.Review{}}
	for i, r := range e.Results {
		if _, seen := q.at[r.QuestionID]; !seen {
			q.at[r.QuestionID] = i
		}
	}
	history, err := w.Whole.ReviewHistory(ctx, e.Run.ID)
	for _, r := range history {
		q.note(r)
	}
	return q, err
}

// note adds the next revision of a review.
func (q *queue) note(r experiments.Review) {
	if q.said[r.Reviewer] == nil {
		q.said[r.Reviewer] = map[string][]experiments.Review{}
	}
	q.said[r.Reviewer][r.QuestionID] = append(q.said[r.Reviewer][r.QuestionID], r)
}

// placeOf is the place of an answer in its reviewer's queue; 0 where it was not dealt.
func placeOf(revisions []experiments.Review) (place int) {
	for _, r := range revisions {
		place = max(place, r.Dealt)
	}
	return place
}

// reviewers are the names to whom answers were dealt.
func (q *queue) reviewers() []string {
	names := []string{}
	for name, answers := range q.said {
		for _, revisions := range answers {
			if placeOf(revisions) > 0 {
				names = append(names, name)
				break
			}
		}
	}
	slices.Sort(names)
	return names
}

// DealQueue deals answers of a run that were not dealt before. What was dealt stays.
func DealQueue(ctx context.Context, w *app.Workbench, run string, o QueueOrder) (Queue, error) {
	q, err := queueOf(ctx, w, run)
	if err != nil {
		return Queue{}, err
	}
	if err := o.settle(q.reviewers()); err != nil {
		return Queue{}, err
	}
	had := map[string]bool{}
	for _, answers := range q.said {
		for question := range answers {
			had[question] = true // reviewed by somebody already, in a workbook perhaps, or waiting
		}
	}
	dealt := progress.DealAnswers(q.evaluation, progress.Deal{Reviewers: o.Reviewers, Answers: o.Answers, Twice: max(0, o.Twice),
		Seed: o.Seed, Had: had})
	if len(dealt) == 0 && !progress.AnyJudged(q.evaluation) {
		return Queue{}, problem.New(problem.Conflict, "queue_unjudged", "no answer of run %s has a score of correctness or trust, by which the "+
			"queue chooses", q.evaluation.Run.ID).With("run", q.evaluation.Run.ID).
			WithHint("review in the workbook: workbench report %s, fill in the yellow columns, workbench import-review FILE", q.evaluation.Run.ID)
	}
	if len(dealt) == 0 {
		return Queue{}, problem.New(problem.Conflict, "queue_nothing", "run %s has no answer left that could be dealt",
			q.evaluation.Run.ID).
			With("run", q.evaluation.Run.ID).
			WithHint("all that the judge scored were dealt or reviewed before; go on with what waits, or review another run")
	}
	if _, err := w.Whole.PutReviews(ctx, q.dealt(dealt, o)); err != nil {
		return Queue{}, err
	}
	return QueueOf(ctx, w, q.evaluation.Run.ID)
}

// settle fills in defaults and refuses what cannot be dealt.
func (o *QueueOrder) settle(before []string) error {
	names := []string{}
	for _, name := range o.Reviewers {
		if _, number := text.ReadNumber(name); number {
			return problem.New(problem.Invalid, "reviewer_number", "%q is a number and no name of a reviewer", strings.TrimSpace(name)).
				With("field", "reviewers").
				WithHint("give the names of those who review, for example Ann,Ben; how many answers they get is said by the number of answers")
		}
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch {
	case len(names) > 0:
	case len(before) > 0:
		names = before
	default:
		names = []string{OnePerson}
	}
	o.Reviewers = names
	if o.Answers == 0 {
		o.Answers = usualAnswers
	}
	if o.Twice == 0 {
		o.Twice = min(usualTwice, o.Answers)
	}
	if o.Answers < 1 || o.Twice > o.Answers || len(names) > mostReviewers {
		return problem.New(problem.Invalid, "queue_size", "%d answers, %d of them twice, cannot be dealt to %d reviewers",
			o.Answers, o.Twice,
			len(names)).With("field", "answers").
			WithHint("at least 1 answer, no more of them twice than there are, and at most %d reviewers",
				mostReviewers)
	}
	return nil
}

// dealt are the reviews that say nothing yet: one for each answer and reviewer, in an order of its own for each reviewer.
func (q *queue) dealt(list []progress.DealtAnswer, o QueueOrder) []experiments.Review {
	var out []experiments.Review
	for _, name := range o.Reviewers {
		var mine []string
		for _, d := range list {
			if slices.Contains(d.Reviewers, name) {
				mine = append(mine, d.QuestionID)
			}
		}
		last := 0
		for _, revisions := range q.said[name] {
			last = max(last, placeOf(revisions))
		}
		for i, question := range progress.OrderFor(name, mine, o.Seed) {
			out = append(out, experiments.Review{RunID: q.evaluation.Run.ID, QuestionID: question, Reviewer: name,
				Shown: q.shown(question), Dealt: last + 1 + i, At: q.workbench.Options.Now()})
		}
	}
	return out
}

func (q *queue) shown(question string) string {
	i := q.at[question]
	return experiments.ShownDigest(q.evaluation.Questions[i], q.evaluation.Results[i])
}

// QueueOf says how far the reviewers of a run are.
func QueueOf(ctx context.Context, w *app.Workbench, run string) (Queue, error) {
	q, err := queueOf(ctx, w, run)
	if err != nil {
		return Queue{}, err
	}
	out := Queue{RunID: q.evaluation.Run.ID, Reviewers: []ReviewerProgress{}}
	times := map[string]int{}
	for _, name := range q.reviewers() {
		out.Reviewers = append(out.Reviewers, q.progress(name))
		for question, revisions := range q.said[name] {
			if placeOf(revisions) > 0 {
				times[question]++
			}
		}
	}
	out.Answers = len(times)
	for _, n := range times {
		if n > 1 {
			out.Twice++
		}
	}
	return out, nil
}

func (q *queue) progress(name string) ReviewerProgress {
	p := ReviewerProgress{Name: name}
	for _, revisions := range q.said[name] {
		if placeOf(revisions) == 0 {
			continue
		}
		p.Dealt++
		switch last := revisions[len(revisions)-1]; {
		case !last.Empty():
			p.Done++
		case last.Later:
			p.Later++
		}
	}
	return p
}

// reviewer is whose queue is meant: the one that is named, or the only one.
func (q *queue) reviewer(name string) (string, error) {
	names := q.reviewers()
	id := q.evaluation.Run.ID
	switch name = strings.TrimSpace(name); {
	case len(names) == 0:
		return "", problem.New(problem.NotFound, "queue_none", "no answers of run %s were dealt to anybody", id).With("run", id).
			WithHint("workbench reviews queue %s --reviewers NAME,NAME deals some", id)
	case name == "" && len(names) == 1:
		return names[0], nil
	case name == "":
		return "", problem.New(problem.Invalid, "queue_reviewer", "answers of run %s were dealt to several people: %s", id,
			strings.Join(names, ", ")).With("run", id).With("field", "reviewer").WithHint("say who you are with --as NAME")
	case !slices.Contains(names, name):
		return "", problem.New(problem.NotFound, "queue_nobody", "no answers of run %s were dealt to %s", id, name).With("run", id).
			With("field", "reviewer").With("name", name).
			WithHint("answers were dealt to %s; workbench reviews queue %s --reviewers NAME deals more", strings.Join(names, ", "), id)
	}
	return name, nil
}

// next is the answer that waits first: in the order of the queue, what was passed over last; "" where nothing waits.
func (q *queue) next(name string) string {
	var waiting []experiments.Review
	for _, revisions := range q.said[name] {
		if last := revisions[len(revisions)-1]; last.Empty() && placeOf(revisions) > 0 {
			last.Dealt = placeOf(revisions)
			waiting = append(waiting, last)
		}
	}
	if len(waiting) == 0 {
		return ""
	}
	return slices.MinFunc(waiting, func(a, b experiments.Review) int {
		if a.Later != b.Later {
			return cmp.Compare(turnOf(a), turnOf(b))
		}
		if a.Later {
			return cmp.Compare(a.Turn, b.Turn)
		}
		return cmp.Compare(a.Dealt, b.Dealt)
	}).QuestionID
}

// turnOf is 0 for what was never passed over, which comes first.
func turnOf(r experiments.Review) int {
	if r.Later {
		return 1
	}
	return 0
}

// NextItem is the answer that waits first for a reviewer; nil where none does. The name may be left out where there is one reviewer only.
func NextItem(ctx context.Context, w *app.Workbench, run, reviewer string) (*QueueItem, ReviewerProgress, error) {
	q, err := queueOf(ctx, w, run)
	if err != nil {
		return nil, ReviewerProgress{}, err
	}
	if reviewer, err = q.reviewer(reviewer); err != nil {
		return nil, ReviewerProgress{}, err
	}
	item, err := q.item(ctx, reviewer, q.next(reviewer))
	return item, q.progress(reviewer), err
}

// item shows an answer to a reviewer, without anything that the judge says; nil for no question.
func (q *queue) item(ctx context.Context, reviewer, question string) (*QueueItem, error) {
	if question == "" {
		return nil, nil //nolint:nilnil // nothing waits
	}
	i := q.at[question]
	asked, result := q.evaluation.Questions[i], q.evaluation.Results[i]
	out := &QueueItem{
		RunID: q.evaluation.Run.ID, Reviewer: q.progress(reviewer), QuestionID: question, Lang: asked.Lang, Question: asked.Text,
		Reference: asked.Reference, Answerable: asked.Answerable, Contexts: []QueueContext{}, Shown: q.shown(question),
	}
	revisions := q.said[reviewer][question]
	if n := len(revisions); n > 1 && !revisions[n-1].Later {
		out.Before = &revisions[n-2]
	}
	if result.Answer == nil {
		return out, nil
	}
	out.Answer = result.Answer.Text
	corpus, err := q.workbench.CorpusOf(ctx, q.evaluation.Run.Setup)
	if err != nil {
		return nil, err
	}
	hits := result.Answer.Hits
	if corpus != nil {
		hits = rag.FillTexts(corpus, result.Answer.Retrieval).Hits
	}
	for _, h := range hits {
		c := QueueContext{Document: h.DocID, Text: h.Text}
		if corpus != nil {
			if d, ok := corpus.Document(h.DocID); ok && d.Title != "" {
				c.Document = d.Title
			}
		}
		out.Contexts = append(out.Contexts, c)
	}
	return out, nil
}
