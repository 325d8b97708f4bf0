package questions

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// The bounds of offline themes.
const (
	themeTooBroad  = .40 // share of the questions from which on a name tells nothing apart
	themeLargeFrom = 5   // a name is worth no more for more than a fifth of the questions
	fewTooBroad    = .80 // the same where there are few questions
	broadFrom      = 20  // questions that are not few
	bothPlaces     = 1.3 // a phrase of the question and of the page of its evidence
	insideLonger   = .7  // a Japanese name inside a longer word
	asAsked        = 99  // a way of writing in a question, against one in a title, which writes capitals as it likes
	subjectTelling = .9
	commonFrom     = 3 // questions from which on a built-in subject, or a common noun alone, is a theme
)

// themeName is a noun phrase that may become a theme.
type themeName struct {
	nounPhrase
	subject *subject        // one of the built-in ones, where the questions have no words of their own in common
	shownAs map[string]int  // ways of writing it
	weight  map[int]float64 // by question that has it, in itself or on the page of its evidence
}

// offlinePropose names themes by the noun phrases of the questions and of the titles and headings under which their evidence stands:
// one after the other, the phrase that speaks for most of the questions that have no theme yet.
func offlinePropose(d proposeData) proposeReply {
	names := themeNames(d)
	nouns := make([][]string, len(d.Questions))
	total := map[string]int{}
	for i, q := range d.Questions {
		nouns[i] = nounKeywords(q.Question, nil)
		for _, w := range nouns[i] {
			total[w]++
		}
	}
	taken := []string{}
	for _, l := range d.Existing {
		for _, w := range append([]string{l.Name}, l.Words...) {
			taken = append(taken, keyOfPhrase(w))
		}
	}
	covered, said := make([]bool, len(d.Questions)), map[string]bool{}
	reply := proposeReply{Themes: []proposedTheme{}}
	for len(reply.Themes) < d.AtMost {
		best, most := -1, 0.
		for i, n := range names {
			if w := n.worth(covered, taken); w > most && !said[n.key] {
				best, most = i, w
			}
		}
		if best < 0 {
			break
		}
		name := names[best]
		var members []int
		for i := range covered {
			if name.weight[i] > 0 && !covered[i] {
				members = append(members, i)
				covered[i] = true
			}
		}
		taken = append(taken, name.key)
		if name.subject != nil {
			for _, w := range name.subject.wordsIn("en") {
				said[keyOfPhrase(w)] = true
			}
		}
		reply.Themes = append(reply.Themes, offlineTheme(d.Questions, name, nouns, members, total))
	}
	return reply
}

func keyOfPhrase(s string) string {
	if text.Language(s) == "ja" {
		return text.Fold(s)
	}
	words := englishWord.FindAllString(s, -1)
	for i, w := range words {
		words[i] = stemOf(w)
	}
	return strings.Join(words, " ")
}

// themeNames are the noun phrases that at least two questions have, in the order in which they appear.
func themeNames(d proposeData) []*themeName {
	var list []*themeName
	byKey := map[string]*themeName{}
	add := func(i int, p nounPhrase, as int) {
		n := byKey[p.key]
		if n == nil {
			n = &themeName{nounPhrase: p, shownAs: map[string]int{}, weight: map[int]float64{}}
			byKey[p.key] = n
			list = append(list, n)
		}
		n.named = n.named || p.named
		n.shownAs[p.shown] += as
		if n.weight[i] > 0 {
			n.weight[i] = bothPlaces
		} else {
			n.weight[i] = 1
		}
	}
	folded := make([]string, len(d.Questions))
	for i, q := range d.Questions {
		for _, p := range nounPhrases(q.Question) {
			add(i, p, asAsked)
		}
		for _, title := range q.Page {
			if p, ok := wholeTitle(title); ok {
				add(i, p, asAsked)
			}
			for _, p := range nounPhrases(title) {
				add(i, p, 1)
			}
		}
		folded[i] = text.Fold(q.Question + "\n" + strings.Join(q.Page, "\n"))
	}
	for _, n := range list { // a Japanese name also stands inside longer ones
		for i := range folded {
			if n.japanese() && n.weight[i] == 0 && strings.Contains(folded[i], n.key) {
				n.weight[i] = insideLonger
			}
		}
	}
	list = append(list, subjectNames(folded)...)
	broad := themeTooBroad
	if len(d.Questions) < broadFrom {
		broad = fewTooBroad
	}
	if len(d.Existing) > 0 { // what is left over may well be about one thing
		broad = 1
	}
	list = slices.DeleteFunc(list, func(n *themeName) bool {
		return len(n.weight) < 2 || float64(len(n.weight)) > broad*float64(len(d.Questions))
	})
	for _, n := range list {
		for shown, times := range n.shownAs {
			if times > n.shownAs[n.shown] || times == n.shownAs[n.shown] && shown < n.shown {
				n.shown = shown
			}
		}
	}
	return list
}

// subjectNames are the built-in subjects with the questions whose words or titles tell of them. texts are folded.
func subjectNames(texts []string) []*themeName {
	var out []*themeName
	lang := text.Language(strings.Join(texts, " "))
	recognised := make([]recognised, len(texts))
	for i, s := range texts {
		recognised[i] = newRecognised(s)
	}
	for i := range subjects {
		s := &subjects[i]
		n := &themeName{nounPhrase: nounPhrase{key: "subject " + s.id, shown: s.name.In(lang)}, subject: s, weight: map[int]float64{}}
		for _, w := range s.wordsIn(lang) {
			for at, r := range recognised {
				if r.holds(labelWord.Of(w)) {
					n.weight[at] = 1
				}
			}
		}
		out = append(out, n)
	}
	return out
}

func (n *themeName) japanese() bool { return text.Language(n.shown) == "ja" }

// worth is how much a name says for the questions without a theme; 0 where it is no name or stands beside one that says the same.
func (n *themeName) worth(covered []bool, taken []string) float64 {
	if slices.ContainsFunc(taken, func(t string) bool { return insideEither(t, n.key) }) {
		return 0
	}
	sum, count := 0., 0
	for i, w := range n.weight {
		if !covered[i] {
			sum += w
			count++
		}
	}
	if count < 2 || count < commonFrom && (n.subject != nil || n.words == 1 && !n.named && !n.japanese()) {
		return 0
	}
	most := max(3, float64(len(covered))/themeLargeFrom)
	return min(sum, most) * n.telling()
}

// insideEither reports whether one key is a part of the other.
func insideEither(a, b string) bool {
	if text.Language(a+b) == "ja" {
		return a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a))
	}
	a, b = " "+a+" ", " "+b+" "
	return strings.Contains(a, b) || strings.Contains(b, a)
}

// telling is how much a name tells a reader who sees nothing else of the theme: longer ones say more, up to a length.
func (n *themeName) telling() float64 {
	out := 1.
	if n.subject != nil {
		return subjectTelling
	}
	if n.japanese() {
		switch length := utf8.RuneCountInString(n.key); {
		case length == 2:
			out = .6
		case length == 3:
			out = 1.2
		case length <= 12:
			out = 1.6
		default:
			out = 1.4
		}
		if strings.Contains(n.shown, "の") {
			out *= .8
		}
	} else {
		out = []float64{.9, 1.7, 1.8, 1.6}[min(n.words, longestPhrase)-1]
	}
	if n.named {
		out *= 1.2
	}
	return out
}

// offlineTheme is a theme with this name: its words are what recognises the questions it was named for.
func offlineTheme(questions []themeQuestion, name *themeName, nouns [][]string, members []int, total map[string]int) proposedTheme {
	inside := map[string]int{}
	for _, i := range members {
		for _, w := range nouns[i] {
			inside[w]++
		}
	}
	var typical []string
	for w, n := range inside {
		if float64(n) > themePrecision*float64(total[w]) {
			typical = append(typical, w)
		}
	}
	slices.SortFunc(typical, func(a, b string) int {
		return cmp.Or(cmp.Compare(inside[b], inside[a]), cmp.Compare(total[a], total[b]), cmp.Compare(a, b))
	})
	words := []string{name.shown}
	for shown := range name.shownAs {
		if shown != name.shown {
			words = append(words, shown)
		}
	}
	slices.Sort(words[1:])
	if name.subject != nil {
		words = append(name.subject.wordsIn("en"), name.subject.wordsIn("ja")...)
		typical = nil
	}
	known := func(i int) bool {
		q := newRecognised(questions[i].Question)
		return slices.ContainsFunc(words, func(w string) bool { return q.holds(labelWord.Of(w)) })
	}
	for _, w := range typical { // words of several of them, and what recognises those that are not recognised yet
		useful := inside[w] > 1 || slices.ContainsFunc(members, func(i int) bool { return slices.Contains(nouns[i], w) && !known(i) })
		if useful && len(words) < maxThemeWords/2 && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	var examples []string
	for _, i := range members[:min(2, len(members))] {
		examples = append(examples, questions[i].Question)
	}
	shown := sentenceCase(name.shown)
	t := proposedTheme{
		ID: themeSlug(shown), EN: shown, JA: shown, Words: words, Examples: examples,
		Include: "Questions about " + name.shown + ".",
	}
	if name.subject != nil {
		t.ID, t.EN, t.JA = name.subject.id, name.subject.name.EN, name.subject.name.JA
	}
	if name.japanese() {
		t.Include = "「" + name.shown + "」についての質問。"
	}
	return t
}

// sentenceCase writes the first letter of a name as a capital one.
func sentenceCase(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
