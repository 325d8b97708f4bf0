package rag

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/text"
)

// sentence is one candidate for quoting: a sentence, an item of a list or a row of a table.
type sentence struct {
	context  int // index of the context it stands in
	position int // order over all contexts
	text     string
	units    []unit
	number   bool   // it holds a number
	heading  []unit // of the heading it stands under; only items and rows have one, since they do not repeat what they are about
	score    float64
}

// unit is what can be shared by a question and a sentence: a term or a concept of the thesaurus.
type unit struct {
	key    string
	weight float64 // how much it tells, 0 to 1
}

// Shares in the scoring of sentences.
const (
	synonymShare   = 0.8  // of a concept, against the terms that mention it
	headingShare   = 0.5  // of what only the heading of an item covers
	neighbourShare = 0.35 // of the worth of each neighbour in the same context
	numberFactor   = 1.4  // for a sentence with a number when one was asked for
)

// Sentences of the same documents come up for every question and configuration.
var (
	sentenceUnits = text.NewMemo(16384, prepareUnits)
	contextParts  = text.NewMemo(4096, cutQuotable)
)

// unitsOf lists each term and concept of s once, in order: sums of floats must not depend on the order of a map.
func unitsOf(s string) []unit { return sentenceUnits.Of(s) }

func prepareUnits(s string) []unit {
	t := loadThesaurus()
	terms := text.Terms(s)
	mentions := t.mentions(s, terms)
	units := make([]unit, 0, len(terms)+len(mentions))
	seen := make(map[string]bool, cap(units))
	add := func(key string, weight float64) {
		if !seen[key] {
			seen[key] = true
			units = append(units, unit{key: key, weight: weight})
		}
	}
	for _, term := range terms {
		add(term.Text, t.weightOf(term))
	}
	for _, m := range mentions {
		add(t.feature(m), synonymShare*m.weight)
	}
	return units
}

// whole matches what ends as sentences do.
var whole = regexp.MustCompile(`[.!?:。！？：]["'”’」』）)]*$`)

// item matches the marker of a list item.
var item = regexp.MustCompile(`^(?:[•・]|[-*‐–]\s|\d{1,2}[.)]\s)\s*`)

// maxHeading is the length in code points up to which a line that ends like no sentence is taken for a heading.
const maxHeading = 80

// candidates are the distinct sentences, items and rows of the contexts that say something: not headings, nor scraps at
// the edge of a chunk.
func candidates(contexts []passageData) []sentence {
	var all []sentence
	seen := map[string]bool{}
	for c, p := range contexts {
		var heading []unit
		for _, raw := range quotable(p.Text) {
			s := strings.Join(strings.Fields(raw), " ")
			short := item.MatchString(s) || strings.Contains(raw, "\t")
			length, ends := len([]rune(s)), whole.MatchString(s)
			if !short && (length <= maxHeading && !ends || strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")) {
				heading = unitsOf(s)
			}
			if seen[s] || length < 4 || length < 20 && !ends && !(short && len(heading) > 0) {
				continue
			}
			seen[s] = true
			found := sentence{context: c, position: len(all), text: s, units: unitsOf(s), number: strings.ContainsFunc(item.ReplaceAllString(s, ""), unicode.IsDigit)}
			if short {
				found.heading = heading
			}
			all = append(all, found)
		}
	}
	return all
}

// quotable cuts a context into sentences, and tables, which have no full stops, into rows.
func quotable(s string) []string { return contextParts.Of(s) }

func cutQuotable(s string) []string {
	x := text.NewIndex(s)
	var parts []string
	for _, span := range text.Sentences(s) {
		raw := x.Slice(span.Start, span.End)
		if !strings.Contains(raw, "\t") {
			parts = append(parts, raw)
			continue
		}
		parts = append(parts, strings.Split(raw, "\n")...)
	}
	return parts
}

// rate scores the sentences and returns the largest share of the question's weight that one sentence covers. A unit
// counts more the fewer of the sentences hold it.
func rate(all []sentence, question []unit, number bool) float64 {
	df := map[string]int{}
	for _, s := range all {
		for _, u := range s.units {
			df[u.key]++
		}
	}
	weight := map[string]float64{}
	total := 0.0
	for _, u := range question {
		weight[u.key] = u.weight * math.Log(1+float64(len(all)+1)/float64(df[u.key]+1))
		total += weight[u.key]
	}
	raw := make([]float64, len(all))
	best := 0.0
	for i, s := range all {
		if total > 0 {
			raw[i] = covered(s, weight) / total
		}
		best = max(best, raw[i])
		if number && s.number {
			raw[i] *= numberFactor
		}
	}
	for i := range all {
		score := raw[i]
		for _, n := range []int{i - 1, i + 1} {
			if n >= 0 && n < len(all) && all[n].context == all[i].context {
				score += neighbourShare * raw[n]
			}
		}
		all[i].score = score * (1 + 0.25/float64(all[i].context+1))
	}
	return best
}

// covered is the weight of the question's units that the sentence holds, and a part of those that only its heading holds.
func covered(s sentence, weight map[string]float64) float64 {
	sum := 0.0
	for _, u := range s.units {
		sum += weight[u.key]
	}
	for _, u := range s.heading {
		if weight[u.key] > 0 && !slices.ContainsFunc(s.units, func(own unit) bool { return own.key == u.key }) {
			sum += headingShare * weight[u.key]
		}
	}
	return sum
}
