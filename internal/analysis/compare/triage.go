package compare

import (
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Class is the mechanical reason why a question changed, found without a model.
type Class string

// The classes, in the order in which they are tried.
const (
	RuntimeError   Class = "runtime_error"                // a run has no answer or no score: nothing was measured
	NoAnswer       Class = "no_answer_in_import"          // the imported answers have none to the question: nothing ran here either
	NoScore        Class = "no_score_in_import"           // the file of another tool has no score: nothing ran, nothing can be retried
	QuestionEdited Class = "reference_or_question_edited" // the question, its right answer or its evidence is another one
	SameAnswer     Class = "same_answer_judge_moved"      // the answer is the same: the judge said something else about it
	EvidenceLost   Class = "evidence_lost_by_retrieval"   // evidence that was retrieved is not any more
	EvidenceGone   Class = "evidence_gone_from_documents" // the candidate's documents do not hold it any more: retrieval could not find it
	DocumentsMoved Class = "evidence_lost_new_documents"  // it is not retrieved any more, and whether the other documents hold it is not known
	EvidenceCut    Class = "evidence_cut_by_chunking"     // a chunk border runs through evidence that was whole
	GainedRight    Class = "evidence_gained_answer_right" // more of the evidence is retrieved, and the answer is right
	GainedNotRight Class = "evidence_gained_answer_wrong" // more of the evidence is retrieved, and the answer is not right all the same
	NowAnswers     Class = "refused_to_answered"          // it refused before and answers now, from as much evidence
	NowRefuses     Class = "answered_to_refused"          // it answered before and refuses now, with as much evidence
	AnswerChanged  Class = "same_evidence_answer_changed" // exactly as much of the evidence as before: the generator or its prompt
	SamePassages   Class = "same_contexts_answer_changed" // the same contexts, where no evidence is marked: the generator or its prompt
	InNeither      Class = "evidence_in_neither"          // none of the marked evidence is in the contexts of either run
	Gained         Class = "evidence_gained"              // more of the evidence is retrieved; the answer is the same or nobody graded it
	EvidenceMoved  Class = "evidence_from_other_places"   // as much of the evidence, in other contexts
	NoneToHold     Class = "contexts_changed_no_evidence" // contexts differ, and the documents hold no answer: none could be lost
	NotShown       Class = "contexts_unknown"             // the contexts of a run, or its answers, are not known here
	ContextsDiffer Class = "contexts_changed"             // contexts differ, and no evidence is marked, so the effect is unknown
)

// Classes lists them, in the order in which lists show them.
func Classes() []Class {
	return []Class{
		RuntimeError, NoAnswer, NoScore, QuestionEdited, SameAnswer, EvidenceGone, EvidenceLost, DocumentsMoved, EvidenceCut, NowAnswers, NowRefuses, GainedRight,
		GainedNotRight, Gained, AnswerChanged, InNeither, SamePassages, EvidenceMoved, NoneToHold, ContextsDiffer, NotShown,
	}
}

// Word is the class as people read it.
func (c Class) Word(lang string) string { return say(lang, "class."+string(c), nil) }

// lost reports whether evidence that was retrieved is not any more, for whatever reason.
func (c Class) lost() bool {
	return c == EvidenceLost || c == EvidenceCut || c == EvidenceGone || c == DocumentsMoved
}

// Triage is why one question is not as it was, with the facts that say so.
type Triage struct {
	QuestionID string `json:"question_id"`
	Label      Label  `json:"label,omitempty"` // its verdict; "" for a question that is compared nowhere
	Class      Class  `json:"class"`
	Facts      Facts  `json:"facts"`
}

// Word is the reason as people read it. What got better did so in spite of evidence that was lost, and not because of it.
func (t Triage) Word(lang string) string {
	word := t.Class.Word(lang)
	if t.Label == Better && t.Class.lost() {
		return say(lang, "class.yet_better", map[string]any{"class": word})
	}
	return word
}

// Facts are what a triage rests on.
type Facts struct {
	Metric       string      `json:"metric,omitempty"`  // whose change it explains: a gate metric where one changed
	Cause        string      `json:"cause,omitempty"`   // of a runtime error
	Arm          Arm         `json:"arm,omitempty"`     // that has it
	Covered      *[2]float64 `json:"covered,omitempty"` // share of the evidence in the contexts, before and after: Held by Marked
	Held         *[2]int     `json:"held,omitempty"`    // code points of the evidence in the contexts, before and after
	Marked       int         `json:"marked,omitempty"`  // code points of the evidence
	Lost         []rag.Span  `json:"lost,omitempty"`    // evidence that was in the contexts and is not
	Cuts         []Cut       `json:"cuts,omitempty"`
	ContextChars *[4]int     `json:"context_chars,omitempty"` // code points kept, moved, lost and gained
	SameAnswer   bool        `json:"same_answer,omitempty"`
	Truncated    bool        `json:"truncated,omitempty"`    // the candidate's generator stopped at its length limit
	OtherCorpus  bool        `json:"other_corpus,omitempty"` // offsets count in another version: quoted words were looked for
}

// triage explains the questions whose verdict is not "no change", in their order, then those without a verdict that one run failed
// to measure and those that were edited.
func (s *session) triage() []Triage {
	out, done := []Triage{}, map[string]bool{}
	groups := map[string]string{}
	for _, spec := range s.specs {
		groups[spec.ID] = spec.Group
	}
	for i := range s.Verdicts {
		v := &s.Verdicts[i]
		if v.Verdict == NoChange {
			continue
		}
		done[v.QuestionID] = true
		metric := v.Decider().Metric
		t := s.explain(&s.pairs[s.at[v.QuestionID]], metric, groups[metric], v)
		t.QuestionID, t.Label, t.Facts.Metric = v.QuestionID, v.Verdict, metric
		out = append(out, t)
	}
	undecided := map[string]bool{} // a question that another deciding metric scored has its verdict, and is compared
	for _, id := range s.Undecided {
		undecided[id] = true
	}
	for _, u := range s.Unscored {
		if undecided[u.QuestionID] && !done[u.QuestionID] {
			done[u.QuestionID] = true
			class := unmeasured(u.Cause)
			if class == RuntimeError && groups[u.Metric] == metrics.GroupImported {
				class = NoScore
			}
			out = append(out, Triage{QuestionID: u.QuestionID, Class: class,
				Facts: Facts{Metric: u.Metric, Cause: u.Cause, Arm: u.Arm}})
		}
	}
	for _, edited := range [][]string{s.Reworded, s.ReferenceChanged} {
		for _, id := range edited {
			out = append(out, Triage{QuestionID: id, Class: QuestionEdited})
		}
	}
	return out
}

// unmeasured is the class of a question that has no answer or no score for this cause: where an import has no answer, nothing ran that
// could have failed.
func unmeasured(cause string) Class {
	if cause == llm.CauseNoLoggedAnswer {
		return NoAnswer
	}
	return RuntimeError
}

// explain finds the class of one question whose deciding metric, of this group, changed.
func (s *session) explain(p *pair, metric, group string, v *QuestionVerdict) Triage {
	before, after := p.before[0].Answer, p.after[0].Answer
	for _, side := range []struct {
		arm    Arm
		result experiments.Result
	}{{CandidateArm, p.after[0]}, {BaselineArm, p.before[0]}} {
		if side.result.Failure != nil {
			return Triage{Class: unmeasured(side.result.Failure.Cause), Facts: Facts{Cause: side.result.Failure.Cause, Arm: side.arm}}
		}
	}
	if before == nil || after == nil { // scores of another tool: there is nothing to look at
		return Triage{Class: NotShown}
	}
	chars := contextChars(before.Hits, after.Hits)
	f := Facts{
		ContextChars: &chars, SameAnswer: sameWords(before.Text, after.Text),
		Truncated: after.FinishReason == "length", OtherCorpus: s.Baseline.Setup.Corpus.Digest != s.Candidate.Setup.Corpus.Digest,
	}
	class := s.evidence(p, &f)
	contextual := group == "retrieval" || group == "claims" || metric == "trust" // the metric looks at the contexts too
	switch {
	case f.SameAnswer && p.relabelled:
		class = QuestionEdited
	case f.SameAnswer && !contextual:
		class = SameAnswer
	case class.lost():
	case f.SameAnswer && group != "retrieval":
		class = SameAnswer
	case f.SameAnswer && class == AnswerChanged || f.SameAnswer && class == InNeither:
		class = EvidenceMoved
	case f.SameAnswer:
	case v.Kinds[0] == KindRefused && v.Kinds[1] != KindRefused && v.Kinds[1] != "" && class != Gained:
		class = NowAnswers
	case v.Kinds[1] == KindRefused && v.Kinds[0] != KindRefused && v.Kinds[0] != "":
		class = NowRefuses
	case class == Gained && v.Kinds[1] == KindRight:
		class = GainedRight
	case class == Gained && v.Kinds[1] != "":
		class = GainedNotRight
	case (f.Held == nil && class != NotShown || class == InNeither) && chars[1]+chars[2]+chars[3] == 0:
		class = SamePassages
	}
	return Triage{Class: class, Facts: f}
}

// evidence compares how much of the marked evidence the contexts hold. Evidence counts as lost where no chunk touches it any
// more, and as cut where one holds a part of it; where both happened the larger loss decides. What the candidate's documents do not hold any
// more, no retrieval could lose.
func (s *session) evidence(p *pair, f *Facts) Class {
	evidence := p.question.Evidence
	before, after := p.before[0].Answer, p.after[0].Answer
	switch {
	case before.Hidden != "" || after.Hidden != "":
		return NotShown
	case len(evidence) == 0 && !p.question.Answerable:
		return NoneToHold
	case len(evidence) == 0:
		return ContextsDiffer
	}
	was := cover(evidence, before.Hits, !f.OtherCorpus)
	is := cover(evidence, after.Hits, !f.OtherCorpus)
	f.Covered = &[2]float64{was.share(), is.share()}
	f.Held = &[2]int{was.total(), is.total()}
	for _, n := range is.Length {
		f.Marked += n
	}
	lost, cut, gone, unsure := 0, 0, 0, false
	for i := range evidence {
		fell := was.Held[i] - is.Held[i]
		switch {
		case fell <= 0:
		case is.Held[i] > 0:
			cut += fell
		case f.OtherCorpus && !s.held(evidence[i], &unsure):
			gone += fell
		default:
			lost += fell
		}
		if fell > 0 {
			f.Lost = append(f.Lost, is.Gaps[i]...)
			f.Cuts = append(f.Cuts, is.Cuts[i]...)
		}
	}
	switch {
	case f.Held[1] > f.Held[0]:
		return Gained
	case f.Held[1] == 0 && f.Held[0] == 0:
		return InNeither
	case f.Held[1] == f.Held[0] && lost+cut+gone == 0:
		return AnswerChanged
	case f.Held[1] == f.Held[0]: // as much, but not the same places
		return EvidenceMoved
	case unsure:
		return DocumentsMoved
	case gone >= lost+cut:
		return EvidenceGone
	case lost >= cut:
		return EvidenceLost
	}
	return EvidenceCut
}

// held reports whether the candidate's documents, which are others than the baseline's, hold what was marked; unsure becomes true where
// that cannot be known.
func (s *session) held(e experiments.Evidence, unsure *bool) bool {
	if e.Quote == "" || s.options.Holds == nil {
		*unsure = true
		return true
	}
	holds, known := s.options.Holds(e.Quote)
	*unsure = *unsure || !known
	return holds || !known
}
