package causes

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/rag"
)

// The details of a retrieval whose contexts are at fault although they can be made to hold the evidence: it was in them, or a change had
// to bring it, and the answer was good from the passage around it alone. What of the rest stood in the way is said only where a trial
// shows it.
const (
	noiseThere   = "context_noise" // with fewer of the other contexts the answer was good
	noiseChunk   = "chunk_noise"   // the chunks that hold it failed even alone, and the passage is a part of them
	noiseCut     = "chunk_alone"   // the chunks that hold it failed even alone, and the passage reaches beyond them
	noiseRest    = "passage_alone" // nothing shows which part of the rest it was
	noiseBesides = "noise_besides" // the contexts lack it, or a part of it
)

// held reports whether a detail says that the contexts hold the evidence and the answer was good without their rest.
func held(detail string) bool {
	return slices.Contains([]string{noiseThere, noiseChunk, noiseCut, noiseRest}, detail)
}

// Way says which remedy a tested retriever asks for. Where the contexts held the evidence: "context_noise" for other contexts that stood
// in the way, "chunk_noise" for a chunk that failed even alone, "passage_alone" where that was not told apart. "more" where prompt or model
// had to change too, "" where what the search missed is what the answer lacked.
func (d Diagnosis) Way() string {
	if d.Component != Retriever || d.Standing() != StandsTested {
		return ""
	}
	if slices.Contains(d.Further, SystemPrompt) || slices.Contains(d.Further, GenerationModel) {
		return "more"
	}
	switch detail := d.renewed().Detail; {
	case detail == noiseCut:
		return noiseChunk
	case held(detail):
		return detail
	}
	return ""
}

// renewed is a diagnosis that an earlier version stored, with the details that are told apart now.
func (d Diagnosis) renewed() Diagnosis {
	d.Steps = slices.DeleteFunc(slices.Clone(d.Steps), CauseStep.untried)
	was := d.Detail
	if d.Detail == noiseThere {
		d.Detail = d.stoodInTheWay()
	}
	for lang, text := range map[string]*string{"en": &d.Rationale.EN, "ja": &d.Rationale.JA} {
		if former, known := formerWords[was]; known {
			*text = strings.Replace(*text, former[rankOf(lang == "ja")], causeWord(lang, "detail."+d.Detail), 1)
		}
	}
	return d
}

// formerWords are those that an earlier version stored for details, where they claimed more than was tried.
var formerWords = map[string][2]string{
	noiseThere: {"the contexts hold it, and other contexts stand in the way", "参照箇所には含まれるが、他の参照箇所が妨げ"},
	noiseBesides: {"the search missed it, and what brings it brings other contexts that stand in the way",
		"検索で漏れており、取得しても他の参照箇所が妨げ"},
}

// stoodInTheWay tells by what was tried what stood in the way where the passage with the evidence alone healed the answer.
func (d Diagnosis) stoodInTheWay() string {
	out, lacking := noiseRest, false
	for _, s := range d.Steps {
		switch {
		case s.Step == "in_context":
			lacking = s.Passes == 0
		case s.Step != "regenerate" || s.Swap != "" || s.Trials == 0:
		case s.healed():
			out = noiseThere
		case d.ownChunks(s.Given):
			out = d.chunkFailed(s.Given)
		}
	}
	if lacking {
		return noiseBesides
	}
	return out
}

// ownChunks reports whether contexts are those that hold the evidence, and no others.
func (d Diagnosis) ownChunks(given []rag.Span) bool {
	return len(given) > 0 && !slices.ContainsFunc(given, func(g rag.Span) bool {
		return !slices.ContainsFunc(d.Evidence, func(s QuotedSpan) bool { return !s.Contradicts && s.Overlap(g) > 0 })
	})
}

// chunkFailed is what stood in the way where the chunks that hold the evidence failed even alone.
func (d Diagnosis) chunkFailed(chunks []rag.Span) string {
	passages := 0
	for _, s := range d.Steps {
		if s.Step != "oracle" || !s.healed() {
			continue
		}
		for _, p := range s.Given {
			passages++
			if !slices.ContainsFunc(chunks, func(c rag.Span) bool { return c.Overlap(p) == p.Range().Len() }) {
				return noiseCut
			}
		}
	}
	if passages == 0 {
		return noiseRest
	}
	return noiseChunk
}

// toldApart settles what stood in the way of evidence that the contexts hold. Contexts that are the evidence's own chunks failed as they
// are.
func (x *diagnosing) toldApart() {
	if x.d.Detail != noiseThere {
		return
	}
	x.d.Detail = x.d.stoodInTheWay()
	if x.d.Detail != noiseRest {
		return
	}
	var given []rag.Span
	for _, h := range x.c.Hits() {
		if h.DocID == "" {
			return
		}
		given = append(given, h.Span)
	}
	if x.d.ownChunks(given) {
		x.d.Detail = x.d.chunkFailed(given)
	}
}
