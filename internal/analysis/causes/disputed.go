package causes

import (
	"context"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// disputedFrom is the number of the first vote on whether labelled evidence contradicts the reference, behind those of other votes on it.
const disputedFrom = 40

// disputedStep begins the change of a step that asks what labelled evidence says of reference and answer.
const disputedStep = "disputed "

// disputed looks at an answer that nothing healed although its evidence is labelled and was given: where that evidence contradicts the
// reference and bears the answer out, the reference is what to look at, and no model or prompt will heal the answer. Figures are
// compared for nothing; else the judge is asked, and no more than once where it sees no contradiction.
func (x answerRepair) disputed(ctx context.Context) (bool, error) {
	var spans []QuotedSpan
	var passages []Window
	for _, c := range x.claims {
		if !c.labelled || c.anywhere {
			continue
		}
		spans, passages = append(spans, c.spans...), append(passages, c.windows...)
	}
	answer, _ := x.c.Answer()
	if len(spans) == 0 || x.c.Question.Reference == "" || answer == "" {
		return false, nil
	}
	if !x.otherFigures(answer, spans, passages) {
		against, err := x.mostly(ctx, x.c.Question.Reference, passages, Contradicts)
		if err != nil || !against {
			return false, err
		}
		if borne, err := x.mostly(ctx, answer, passages, Entails); err != nil || !borne {
			return false, err
		}
	}
	x.d.Further = nil
	x.searching().contradiction(claimEvidence{claim: x.c.Question.Reference, against: spans}, mediumAtMost)
	x.claims = append(x.claims, claimEvidence{claim: x.c.Question.Reference, against: spans})
	return true, nil
}

// otherFigures reports whether the reference states a quantity that the labelled evidence lacks, where that states another, which the
// answer gives: all quantities of the answer stand there, and one of them not in the reference.
func (x answerRepair) otherFigures(answer string, spans []QuotedSpan, passages []Window) bool {
	var labelled, around []string
	for _, s := range spans {
		labelled = append(labelled, s.Quote)
	}
	for _, w := range passages {
		around = append(around, w.Text)
	}
	q, reference := x.c.Question.Text, x.c.Question.Reference
	return len(textual.LackingQuantities(reference, q, append(around, labelled...))) > 0 &&
		len(textual.LackingQuantities(answer, q, labelled)) == 0 &&
		len(textual.LackingQuantities(answer, q, []string{reference})) > 0
}

// mostly reports whether the judge says so of a text by most votes on some passage; the first vote that does not ends it.
func (x answerRepair) mostly(ctx context.Context, claim string, passages []Window, verdict string) (bool, error) {
	if len(passages) == 0 {
		return false, nil
	}
	most := x.rules.Votes
	if x.powers.SameVerdicts {
		most = 1
	}
	yes, votes := 0, 0
	for votes < most && yes == votes {
		verdicts, err := x.lab.Supports(ctx, x.c.Question, claim, passages, disputedFrom+votes)
		if err != nil {
			return false, err
		}
		votes++
		for _, v := range verdicts {
			if v.Verdict == verdict {
				yes++
				break
			}
		}
	}
	x.step("evidence", disputedStep+verdict, yes, votes, votes)
	return 2*yes > votes, nil
}
