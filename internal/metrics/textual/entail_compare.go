package textual

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// comparison is what sets a sentence of a passage apart from a claim.
type comparison struct {
	denied     bool    // one denies what the other says
	opposed    int     // words of the claim that a word of the sentence excludes
	renamed    int     // names of the claim in whose place the sentence has another name
	changed    int     // other words of the claim in whose place the sentence has another word
	rivals     int     // quantities of the claim in whose place the sentence has another
	rivalUnits int     // how many kinds of them
	sides      int     // quantities of the claim in whose place the sentence has one of the other side
	selects    int     // of opposed, the words that pick out a case: domestic
	scoped     int     // of opposed, the words that measure nothing: domestic, but not hours
	moved      float64 // share of the words that both have which stand in another order
	swapped    bool    // the same words, but two of them have changed places
}

// compare sets a sentence against a claim. around is the text about the sentence: what it says is not missing.
func compare(claim, sentence *Statement, around func(term string) bool) comparison {
	d := comparison{denied: sentence.denies(claim)}
	l := lexiconOf(claim.lang)
	d.rivalQuantities(claim, sentence)
	pairs := align(l, claim.words, sentence.words)
	if claim.lang == "ja" {
		d.opposed, d.scoped, d.selects = opposedConcepts(l, claim.concepts, sentence.concepts)
	} else {
		d.opposed, d.scoped, d.selects = opposedWords(l, claim.words, sentence.words)
	}
	d.moved = moved(l, claim.words, sentence.words, pairs)
	d.substitutions(l, claim, sentence, pairs, around)
	d.swapped = claim.lang != "ja" && !claim.passive && !sentence.passive && swapped(claim.words, sentence.words)
	return d
}

// moved is the share of the claim's words in the sentence that the alignment had to leave out.
func moved(l *lexicon, claim, sentence []text.Word, pairs []int) float64 {
	both, out := 0, 0
	for i, j := range pairs {
		switch {
		case j >= 0:
			both++
		case slices.ContainsFunc(sentence, func(s text.Word) bool { return l.same(claim[i].Text, s.Text) }):
			both, out = both+1, out+1
		}
	}
	if both == 0 {
		return 0
	}
	return float64(out) / float64(both)
}

// rivalQuantities counts the quantities of the claim in whose place the sentence has another, and their kinds.
func (d *comparison) rivalQuantities(c, s *Statement) {
	claim, sentence := c.quantities, s.quantities
	reckons := c.reckons || s.reckons
	var seen []string
	for _, q := range claim {
		bare := func(p quantity) bool { return q.unit != "" && p.unit == "" && !p.word && p.value == q.value }
		if slices.ContainsFunc(sentence, q.equal) || slices.ContainsFunc(sentence, bare) || q.derived(claim, sentence, reckons) ||
			s.ranges && q.within(sentence) {
			continue
		}
		free := func(p quantity) bool {
			return q.rivals(p) && !slices.ContainsFunc(claim, p.equal) && !p.derived(sentence, claim, reckons) &&
				!(c.ranges && p.within(claim))
		}
		sameSide := func(p quantity) bool { return free(p) && !c.sideOf(q).apart(s.sideOf(p)) }
		switch {
		case slices.ContainsFunc(sentence, sameSide):
			d.rivals++
			if !slices.Contains(seen, q.unit) {
				seen = append(seen, q.unit)
			}
		case slices.ContainsFunc(sentence, free):
			d.sides++
		}
	}
	d.rivalUnits = len(seen)
}

// opposedConcepts counts the entries of a Japanese claim that the sentence lacks and excludes by an entry that the claim lacks.
func opposedConcepts(l *lexicon, claim, sentence []string) (n, scoped, selects int) {
	for _, c := range claim {
		if slices.ContainsFunc(sentence, func(s string) bool { return l.same(c, s) }) {
			continue
		}
		if slices.ContainsFunc(sentence, func(s string) bool {
			return l.exclude(c, s) && !slices.ContainsFunc(claim, func(o string) bool { return l.means(o, s) })
		}) {
			n++
			if casesOf().anywhere[c] {
				selects++
			}
			if !measures(c, c) {
				scoped++
			}
		}
	}
	return n, scoped, selects
}

// measures reports whether a word is one of a quantity.
func measures(term, raw string) bool {
	_, unit := units[term]
	return unit || months[raw] > 0 || ordinals[raw] > 0 || cardinals[raw] > 0
}

// opposedWords counts the words of an English claim that the sentence lacks and excludes by a word that the claim lacks and
// that stands beside the same word.
func opposedWords(l *lexicon, claim, sentence []text.Word) (n, scoped, selects int) {
	for i, c := range claim {
		if len(l.senses[c.Text]) == 0 || slices.ContainsFunc(sentence, func(s text.Word) bool { return l.same(c.Text, s.Text) }) {
			continue
		}
		for j, s := range sentence {
			if l.exclude(c.Text, s.Text) && beside(l, claim, i, sentence, j) &&
				!slices.ContainsFunc(claim, func(o text.Word) bool { return l.means(o.Text, s.Text) }) {
				n++
				if casesOf().anywhere[c.Text] {
					selects++
				}
				if !measures(c.Text, c.Raw) {
					scoped++
				}
				break
			}
		}
	}
	return n, scoped, selects
}

// beside reports whether word i of the claim and word j of the sentence have a neighbour in common, or open or end both.
func beside(l *lexicon, claim []text.Word, i int, sentence []text.Word, j int) bool {
	before := i == 0 && j == 0 || i > 0 && j > 0 && l.same(claim[i-1].Text, sentence[j-1].Text)
	after := i == len(claim)-1 && j == len(sentence)-1 || i+1 < len(claim) && j+1 < len(sentence) &&
		l.same(claim[i+1].Text, sentence[j+1].Text)
	return before || after
}

// align pairs the words of the claim with those of the sentence in order, as many as possible (the longest common
// subsequence); -1 stands for a word without a partner.
func align(l *lexicon, claim, sentence []text.Word) []int {
	width := len(sentence) + 1
	table := make([]int16, (len(claim)+1)*width)
	for i := len(claim) - 1; i >= 0; i-- {
		for j := len(sentence) - 1; j >= 0; j-- {
			if l.same(claim[i].Text, sentence[j].Text) {
				table[i*width+j] = table[(i+1)*width+j+1] + 1
			} else {
				table[i*width+j] = max(table[(i+1)*width+j], table[i*width+j+1])
			}
		}
	}
	pairs := make([]int, len(claim))
	for i := range pairs {
		pairs[i] = -1
	}
	for i, j := 0, 0; i < len(claim) && j < len(sentence); {
		switch {
		case l.same(claim[i].Text, sentence[j].Text):
			pairs[i] = j
			i, j = i+1, j+1
		case table[(i+1)*width+j] >= table[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// substitutions counts the words of the claim that stand in a gap where the sentence has others.
func (d *comparison) substitutions(l *lexicon, claim, sentence *Statement, pairs []int, around func(string) bool) {
	for i := 0; i < len(pairs); {
		if pairs[i] >= 0 {
			i++
			continue
		}
		from, before := i, -1
		if i > 0 {
			before = pairs[i-1]
		}
		for i < len(pairs) && pairs[i] < 0 {
			i++
		}
		after := len(sentence.words)
		if i < len(pairs) {
			after = pairs[i]
		}
		if n := after - before - 1; n == 0 || n > 3 && (from > 0 || i < len(pairs)) && n > 2*(i-from) {
			continue // added by the claim, or too much lies between to say what stands in its place
		}
		named := slices.ContainsFunc(sentence.words[before+1:after], func(w text.Word) bool {
			return w.Name && !slices.ContainsFunc(claim.words, func(c text.Word) bool { return c.Text == w.Text })
		})
		for _, w := range claim.words[from:i] {
			switch {
			case around(w.Text), slices.ContainsFunc(sentence.words, func(s text.Word) bool { return l.same(w.Text, s.Text) }):
			case w.Name && named:
				d.renamed++
			default:
				d.changed++
			}
		}
	}
}

// swapped reports whether the claim has the words of the sentence, but two that stand about others have changed places.
func swapped(claim, sentence []text.Word) bool {
	const longest = 25 // words; a longer claim is not the same sentence turned round
	if len(claim) < 3 || len(claim) > longest {
		return false
	}
	texts := func(words []text.Word) string {
		var b strings.Builder
		for _, w := range words {
			b.WriteString(w.Text)
			b.WriteByte(' ')
		}
		return b.String()
	}
	have := " " + texts(sentence)
	if strings.Contains(have, " "+texts(claim)) {
		return false
	}
	for i := range claim {
		for j := i + 2; j < len(claim); j++ {
			if claim[i].Class != text.Content || claim[j].Class != text.Content || !claim[i].Name && !claim[j].Name {
				continue
			}
			other := slices.Clone(claim)
			other[i], other[j] = other[j], other[i]
			if strings.Contains(have, " "+texts(other)) {
				return true
			}
		}
	}
	return false
}
