package causes

import (
	"github.com/rag-workbench/workbench/internal/rag"
)

// CauseVersion names the decision procedure: an analysis that another one began is not gone on with.
const CauseVersion = "6"

// CauseRules bound what the decision procedure spends on one low-score answer, and name what it may put in the place of a part.
// The zero value of a field means its default, see [DefaultCauseRules].
type CauseRules struct {
	Trials    int         `json:"trials"`     // m: answers generated for each intervention; as many again where they do not decide
	Votes     int         `json:"votes"`      // of the judge on one answer or question
	MoreVotes int         `json:"more_votes"` // where those are split
	MaxK      int         `json:"max_k"`      // deepest retrieval that is looked at
	Windows   int         `json:"windows"`    // most windows of the corpus that are judged against one claim
	Batch     int         `json:"batch"`      // windows in one call
	Embedders []rag.Model `json:"embedders"`  // to retrieve with instead
	Reference *rag.Model  `json:"reference"`  // the generator that stands in for a good one, by name for people
}

// DefaultCauseRules are the rules of the decision procedure: four trials, three votes and five where they are split.
func DefaultCauseRules() CauseRules {
	return CauseRules{Trials: 4, Votes: 3, MoreVotes: 5, MaxK: 30, Windows: 60, Batch: 10}
}

// filled puts the defaults where nothing is said.
func (r CauseRules) filled() CauseRules {
	d := DefaultCauseRules()
	for _, f := range []struct{ field, usual *int }{
		{&r.Trials, &d.Trials}, {&r.Votes, &d.Votes}, {&r.MoreVotes, &d.MoreVotes}, {&r.MaxK, &d.MaxK}, {&r.Windows, &d.Windows},
		{&r.Batch, &d.Batch},
	} {
		if *f.field <= 0 {
			*f.field = *f.usual
		}
	}
	return r
}

// MostCalls is how many calls the diagnosis of one low-score answer takes at most, for a reference of three claims. Known replies are
// included.
func (r CauseRules) MostCalls() int {
	r = r.filled()
	settled := 4 * r.Trials // answers and verdicts, tried twice as often where they do not decide
	const claims = 3
	search := (r.Windows+r.Batch-1)/r.Batch + mostVotes + 2 + mostVotes
	return 2*r.MoreVotes + 1 + claims*(search+beliefNear+recheckVotes) + 2*r.MoreVotes + 12*settled + 2*r.Trials
}
