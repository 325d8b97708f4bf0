package compare

// Label is what people read about one question in a comparison. Its value is stable and for programs; [Label.Word] is for
// people. A question has one of five as its verdict ([QuestionVerdict]); a single metric of it ([QuestionChange]) is never
// mixed.
type Label string

// The five words, the same everywhere.
const (
	Worse      Label = "worse"
	Mixed      Label = "mixed" // better by one deciding metric, worse by the other
	NeedsCheck Label = "needs_check"
	NoChange   Label = "no_change"
	Better     Label = "better"
)

// Labels are the five words in the order in which people read them.
func Labels() []Label { return []Label{Worse, Mixed, NeedsCheck, NoChange, Better} }

// Word is the label as people read it.
func (l Label) Word(lang string) string { return say(lang, "label."+string(l), nil) }

// Detail is the finer label behind the four words.
type Detail string

// The details. Which way a suspicion points is told by [QuestionChange] Baseline and Candidate.
const (
	Confirmed          Detail = "CONFIRMED"           // worse: by the guard, or by one vote of deterministic parts
	Suspected          Detail = "SUSPECTED"           // a change is more likely than not, but not sure
	Unresolved         Detail = "UNRESOLVED"          // nobody can tell yet
	NoRegression       Detail = "NO_REGRESSION"       // no change that matters
	UnchangedIdentical Detail = "UNCHANGED_IDENTICAL" // the judge saw the same in both runs
	Improved           Detail = "IMPROVED"            // better: the mirror of CONFIRMED
)

// Word is the detail as people read it.
func (d Detail) Word(lang string) string { return say(lang, "detail."+string(d), nil) }

// SettledBy says what made a label final.
type SettledBy string

// What settles a label.
const (
	ByIdentity   SettledBy = "identical"  // nothing to compare: question, answer, contexts and judge are the same
	ByOneVote    SettledBy = "one_vote"   // generator and judge are deterministic: another vote would say the same
	ByReplicates SettledBy = "replicates" // the guard decided from several votes
)

func (n *LabelCounts) add(l Label) {
	switch l {
	case Worse:
		n.Worse++
	case NeedsCheck:
		n.NeedsCheck++
	case Better:
		n.Better++
	case NoChange:
		n.NoChange++
	case Mixed: // of a question, never of a metric
	}
}
