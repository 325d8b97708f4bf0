package compare

import "github.com/rag-workbench/workbench/internal/metrics"

// MovementOf is which way the first metric moved for a judge that compared both answers.
func MovementOf(p metrics.Preference) Movement {
	switch p {
	case metrics.PrefersBefore:
		return Fell
	case metrics.PrefersAfter:
		return Rose
	case metrics.PrefersNone:
	}
	return Level
}

// FactsOf reads the facts of an answer out of what its scores rest on. ok is false where no stored reply says anything of it.
func FactsOf(e metrics.Explanation) (facts AnswerFacts, ok bool) {
	if e.Answer != nil {
		refuses := e.Answer.Refuses
		facts.Refused, ok = &refuses, true
	}
	against, found := false, false
	for _, c := range e.Claims {
		for _, v := range c.Verdicts {
			switch {
			case v.Against == "answer" && c.Key:
				found = true
				facts.Key++
				if v.Verdict == "supported" {
					facts.Covered++
				}
			case v.Against == "reference":
				against = true
				switch v.Verdict {
				case "contradicted":
					facts.Contradicted++
				case "supported":
					facts.Supported++
				}
			}
		}
	}
	facts.Matched = found && (against || e.Answer != nil && e.Answer.Refuses)
	return facts, ok || found
}
