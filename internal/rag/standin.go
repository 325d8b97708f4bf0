package rag

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// What stands in for replies that nobody has bought, while a plan goes through the questions ([llm.NotBought]). A stand-in carries
// the key of the stage it stands for, so that two of them are different wherever what they stand for could be: what follows from
// them is then never taken for something that was bought, and never for something that another question needs too.

// Lengths in tokens of what stands in for a text that a model will write, and how many contexts an endpoint shows.
const (
	mostAnswer                    = 400
	typicalQuery, mostQuery       = 24, 64
	typicalContext, mostContext   = 150, 400
	typicalContexts, mostContexts = 4, 8
)

// notBought is the reason why something is unknown to a plan; nil for every other error.
func notBought(err error) *llm.NotBought {
	n, _ := errors.AsType[*llm.NotBought](err)
	return n
}

func choose(n *llm.NotBought, typical, most int) int {
	if n.Most {
		return most
	}
	return typical
}

// standInAnswer is as long as the request allows, up to what answers are.
func standInAnswer(n *llm.NotBought, key string, maxTokens int) string {
	length := choose(n, n.Answer, mostAnswer)
	if maxTokens > 0 {
		length = min(length, maxTokens)
	}
	return standInText(key, length)
}

// standInText is a text of about so many tokens that begins with the key.
func standInText(key string, tokens int) string {
	const sentence = "This sentence stands in for one that is not written. "
	text := fmt.Sprintf("Stand-in %s. ", key[:min(16, len(key))])
	if more := 4*tokens - len(text); more > 0 {
		text += strings.Repeat(sentence, more/len(sentence)) + sentence[:more%len(sentence)]
	}
	return strings.TrimSpace(text)
}

// standInHits are n chunks in the place of those that a search would find: the longest ones, or those of middle length. Their texts
// carry the key.
func (s *System) standInHits(n *llm.NotBought, key string, want int) []Hit {
	chunks := s.index.byLength()
	want = min(want, len(chunks))
	first := len(chunks) - want
	if !n.Most {
		first /= 2
	}
	hits := make([]Hit, want)
	for i, chunk := range chunks[first : first+want] {
		mark := []rune(fmt.Sprintf("[stand-in %s %d] ", key[:12], i+1))
		text := []rune(s.index.standInOf(chunk))
		hits[i] = Hit{Span: chunk.Span, Score: 1 / float64(i+1), Text: string(mark) + string(text[min(len(mark), len(text)):])}
	}
	return hits
}

// byLength returns the chunks, shortest first.
func (x *Index) byLength() []chunkLength {
	x.lengths.Do(func() {
		for i, c := range x.chunks {
			s := chunkLength{Span: c.Span, length: c.Range().Len()}
			if x.existing != nil {
				s.length = x.existing.rows.lengths[i]
			}
			x.sorted = append(x.sorted, s)
		}
		slices.SortStableFunc(x.sorted, func(a, b chunkLength) int { return a.length - b.length })
	})
	return x.sorted
}

// chunkLength is the place of a chunk with the length of its text: a row of an index that exists already need not have a place.
type chunkLength struct {
	Span
	length int
}

// standInOf is a text as long as the chunk's: its own, where the corpus has it.
func (x *Index) standInOf(c chunkLength) string {
	if c.Range().Len() > 0 {
		return x.corpus.Text(c.Span)
	}
	return strings.Repeat("x ", c.length/2)
}

// lengthOrder is the order of an index's chunks by length, found when a plan first needs it.
type lengthOrder struct {
	lengths sync.Once
	sorted  []chunkLength
}

// standInReply is what an endpoint that was not asked would show.
func standInReply(n *llm.NotBought, key string) shown {
	var m shown
	m.Answer = standInText(key, choose(n, n.Answer, mostAnswer))
	for i := range choose(n, typicalContexts, mostContexts) {
		text := standInText(fmt.Sprintf("%d %s", i+1, key), choose(n, typicalContext, mostContext))
		m.Contexts = append(m.Contexts, remote.Context{Text: text})
	}
	return m
}
