package causes

import (
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// AroundLabel is the passage in which evidence stands, whether labelled or found: whole sentences, about as long as a window. A label may
// be a single number, which nobody can answer from.
func AroundLabel(corpus *rag.Corpus, label rag.Span) Window {
	index := corpus.Index(label.DocID)
	if index == nil {
		return Window{}
	}
	sentences := text.Sentences(index.String())
	first, last := -1, -1
	for i, s := range sentences {
		if s.Start < label.End && s.End > label.Start {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return Window{}
	}
	length := func() int { return sentences[last].End - sentences[first].Start }
	for grew := true; grew; {
		grew = false
		if first > 0 && length()+sentences[first].Start-sentences[first-1].Start <= WindowChars {
			first, grew = first-1, true
		}
		if last+1 < len(sentences) && length()+sentences[last+1].End-sentences[last].End <= WindowChars {
			last, grew = last+1, true
		}
	}
	span := rag.Span{DocID: label.DocID, Start: sentences[first].Start, End: sentences[last].End}
	return Window{Span: span, Text: corpus.Text(span)}
}

// movedShare is the share of words with a meaning that two sentences must have in common to be the same statement, reworded.
const movedShare = 0.6

// MovedText finds the sentences of the document that say now what a label said which stands there no longer, with other words or
// figures: as many whole sentences as the label has, that keep every word which it shares with the question, so that what is said of
// another thing is not taken for it. Text that only stands where the label once stood says nothing about it: then there is none, and
// place is returned.
func MovedText(corpus *rag.Corpus, place rag.Span, quote, question string) (rag.Span, string) {
	index := corpus.Index(place.DocID)
	if index == nil {
		return place, ""
	}
	asked, said := CauseTopic(question), CauseTopic(quote)
	n, sentences := max(1, len(text.Sentences(quote))), text.Sentences(index.String())
	best, span := movedShare, rag.Span{}
	for i := 0; i+n <= len(sentences); i++ {
		at := rag.Span{DocID: place.DocID, Start: sentences[i].Start, End: sentences[i+n-1].End}
		now := corpus.Text(at)
		if share := commonShare(quote, now); share >= best && keeps(asked, said, CauseTopic(now)) {
			best, span = share, at
		}
	}
	if span.DocID == "" {
		return place, ""
	}
	return span, corpus.Text(span)
}

// keeps reports whether a text holds every word that is both asked for and said.
func keeps(asked, said, now map[string]bool) bool {
	for w := range said {
		if asked[w] && !now[w] {
			return false
		}
	}
	return true
}

// commonShare is how much two texts have in common: twice the shared words with a meaning over all of them, in [0, 1].
func commonShare(a, b string) float64 {
	left, right := CauseTopic(a), CauseTopic(b)
	both := 0
	for w := range left {
		if right[w] {
			both++
		}
	}
	return 2 * float64(both) / float64(max(1, len(left)+len(right)))
}
