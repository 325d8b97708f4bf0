package validation

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/rag"
)

// paperStandIn classifies as the founding paper does: one call that is given question, contexts, answer, reference and the values
// of the metrics, and walks from the input side. It is the control arm of the scripted worlds. A language model that reads a log can
// know exactly this much at best:
//
//  1. the value of correctness: if the answer is not low, no fault;
//  2. the question: if it does not say what is asked, question;
//  3. the contexts against the claims of the reference (context recall): if they contradict one, reference; if one is missing,
//     retrieval. Which part it was cannot be seen; what can be seen is whether the contexts speak of everything that the question is
//     about. Either may mean the database or the retriever, and the stand-in is given the two guesses that, in hindsight, get most of
//     the table right. A search query that lost its subject is never seen, since the log holds the question;
//  4. the answer against the contexts: cut off in mid-sentence, post-processing; of ten words or fewer although the contexts hold more,
//     system prompt; otherwise generation model. That a prompt asked for general knowledge cannot be seen either: the prompt is not in
//     the data.
//
// Every reading of steps 1 to 3 errs with the judge's share of errors.
type paperStandIn struct{ judge harnessJudge }

// classify reads one logged answer.
func (p paperStandIn) classify(ground *harnessGround, item *harnessItem, c causes.LabCase) causes.Component {
	id := item.question.ID
	answer, contexts := c.Result.Answer.Text, c.Result.Answer.Hits
	low := item.agrees(answer) == p.judge.errs("paper", "correctness", id, 0)
	switch {
	case !low:
		return causes.NoFault
	case item.clear == p.judge.errs("paper", "question", id, 0):
		return causes.QuestionText
	}
	missing, contradicted := false, false
	for _, claim := range item.claims {
		held := len(claim.at) > 0 && ground.coversAll(contexts, claim.at)
		if p.judge.errs("paper", "context recall", id, claim.text, 0) {
			missing = missing || held
			continue
		}
		contradicted = contradicted || held && claim.contradicts
		missing = missing || !held
	}
	switch {
	case contradicted:
		return causes.ReferenceText
	case missing && item.related(contexts):
		return causes.MissingRelated
	case missing:
		return causes.MissingForeign
	}
	return p.generation(answer)
}

// settleGuesses turns what was seen into guesses: of the four ways to do it the one that is right most often, counted so that faults
// of the database weigh as much together as faults of the retriever.
func settleGuesses(rows []CauseRow) {
	var best map[causes.Component]causes.Component
	most := -1.0
	for _, related := range []causes.Component{causes.Database, causes.Retriever} {
		for _, foreign := range []causes.Component{causes.Database, causes.Retriever} {
			guess := map[causes.Component]causes.Component{causes.MissingRelated: related, causes.MissingForeign: foreign}
			if score := guessedRight(rows, guess, causes.Database) + guessedRight(rows, guess, causes.Retriever); score > most {
				most, best = score, guess
			}
		}
	}
	for i := range rows {
		t := rows[i].Control
		if t == nil {
			continue
		}
		for seen, g := range t.guessed {
			t.ComponentLevel[best[seen]] += g.n
			if strings.HasPrefix(rows[i].Expected, string(best[seen])) {
				t.Right, t.WrongRight = t.Right+g.n, t.WrongRight+g.wrong
			}
		}
		t.guessed = nil
	}
}

// guessedRight is the share of the answers of rows with this single fault that guesses name rightly.
func guessedRight(rows []CauseRow, guess map[causes.Component]causes.Component, fault causes.Component) float64 {
	n, right := 0, 0
	for _, r := range rows {
		if r.Control == nil || r.Expected != string(fault) {
			continue
		}
		n += r.N
		for seen, g := range r.Control.guessed {
			if guess[seen] == fault {
				right += g.n
			}
		}
	}
	return float64(right) / float64(max(1, n))
}

func (paperStandIn) generation(answer string) causes.Component {
	switch words := len(strings.Fields(answer)); {
	case words <= 10:
		return causes.SystemPrompt
	case !strings.HasSuffix(strings.TrimSpace(answer), "."):
		return causes.PostProcessing
	}
	return causes.GenerationModel
}

// related reports whether contexts speak of everything that the question is about: they mention its subjects or, of real text, come
// from the documents that hold the evidence.
func (i *harnessItem) related(contexts []rag.Hit) bool {
	for _, s := range i.subjects {
		if !slices.ContainsFunc(contexts, func(h rag.Hit) bool { return strings.Contains(h.Text, s) }) {
			return false
		}
	}
	for _, d := range i.documents {
		if !slices.ContainsFunc(contexts, func(h rag.Hit) bool { return h.DocID == d }) {
			return false
		}
	}
	return true
}
