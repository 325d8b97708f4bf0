package metrics

import (
	"maps"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/text"
)

// partBreaks are the places where a question begins to ask for another thing.
var partBreaks = text.Lazy(`(?i)[?？]\s*|か[、。]\s*|,?\s+and\s+(?:also\s+)?(?:(?:in|on|at|by|from|for|to)\s+)?` +
	`(what|when|where|who|whom|whose|which|how|why|is|are|was|were|does|do|did|can|could)\b`)

// The kinds of questions that only a figure, or only a name, answers.
var (
	asksFigure = text.Lazy(`(?i)\bwhen\b|\bhow (?:many|much|long|old|far|high|often|large|big|tall)\b|\bwhat (?:year|date|time|percentage|age)\b|` +
		`いつ|いくら|いくつ|何(?:人|円|年|月|日|時|回|件|歳|か月|ヶ月|パーセント|割)`)
	asksName = text.Lazy(`(?i)\bwho\b|\bwhom\b|だれ|誰`)
)

// maxParts is how many parts a question has at most.
const maxParts = 4

// offlineParts compares words: a part of the question is given where a sentence has its words and adds some of its own, a
// figure, a name or the code where one is asked for. A sentence that shares no word with the question, nor with a sentence that does, is
// beside the point.
func offlineParts(d partsData) partsReply {
	reply := partsReply{Off: []int{}}
	asked := topicTerms(d.Question)
	for _, p := range questionParts(d.Question) {
		best := "no"
		for _, s := range d.Sentences {
			if given := offlineGiven(p, s.Text, asked, len(d.Sentences) == 1); givenShares[given] > givenShares[best] {
				best = given
			}
		}
		reply.Parts = append(reply.Parts, part{Part: p.words, Given: best})
	}
	near := map[string]bool{}
	for _, s := range d.Sentences {
		if terms := topicTerms(s.Text); sharesTerm(terms, asked) {
			maps.Copy(near, terms)
		}
	}
	for _, s := range d.Sentences {
		if len(near) > 0 && !sharesTerm(topicTerms(s.Text), near) && !textual.Refuses(s.Text) {
			reply.Off = append(reply.Off, s.Number)
		}
	}
	return reply
}

// askedPart is one thing that a question asks for.
type askedPart struct {
	words string
	own   map[string]bool // terms that no other part has; all of its terms where there are none
}

// questionParts cuts a question where it begins to ask for another thing.
func questionParts(question string) []askedPart {
	var cut []string
	from := 0
	for _, at := range partBreaks.FindAllStringSubmatchIndex(question, -1) {
		to, next := at[1], at[1]
		if at[2] >= 0 { // the question word belongs to the next part
			to, next = at[0], at[2]
		}
		if len(topicTerms(question[from:to])) > 0 && len(cut) < maxParts-1 {
			cut, from = append(cut, strings.TrimSpace(question[from:to])), next
		}
	}
	if rest := strings.TrimSpace(question[from:]); len(cut) == 0 || len(topicTerms(rest)) > 0 {
		cut = append(cut, rest)
	}
	parts, seen := make([]askedPart, len(cut)), map[string]int{}
	for i, words := range cut {
		parts[i] = askedPart{words: words, own: topicTerms(words)}
		for t := range parts[i].own {
			seen[t]++
		}
	}
	for _, p := range parts {
		alone := maps.Clone(p.own)
		maps.DeleteFunc(alone, func(t string, _ bool) bool { return seen[t] > 1 })
		if len(alone) > 0 {
			maps.DeleteFunc(p.own, func(t string, _ bool) bool { return !alone[t] })
		}
	}
	return parts
}

// offlineGiven is what one sentence gives of a part. A sentence that is all of the answer need not repeat the question's words.
func offlineGiven(p askedPart, sentence string, asked map[string]bool, alone bool) string {
	if textual.Refuses(sentence) {
		return "no"
	}
	common, adds, figure := 0, false, false
	for t := range termClasses(sentence) {
		common += int(textual.Truth(p.own[t.Text]))
		adds = adds || !asked[t.Text] && t.Class == text.Content
		figure = figure || !asked[t.Text] && t.Class == text.Number
	}
	whole := 2*common >= len(p.own) || alone && len([]rune(sentence)) <= 40
	switch {
	case lacksCode(p, sentence), asksFigure.MatchString(p.words) && !figure, asksName.MatchString(p.words) && len(nameRuns(sentence)) == 0:
		whole = false
	}
	switch {
	case whole && (adds || figure):
		return "yes"
	case common > 0 && (adds || figure):
		return "partly"
	}
	return "no"
}

// lacksCode reports whether a part asks about a code, such as E21 or ISO9001, of which a sentence does not speak.
func lacksCode(p askedPart, sentence string) bool {
	said := topicTerms(sentence)
	for t := range p.own {
		if strings.ContainsAny(t, "0123456789") && strings.ContainsAny(t, "abcdefghijklmnopqrstuvwxyz") && !said[t] {
			return true
		}
	}
	return false
}

// termClasses are the different terms of a text.
func termClasses(s string) map[text.Term]bool {
	out := map[text.Term]bool{}
	for _, t := range text.Terms(s) {
		out[t] = true
	}
	return out
}

func sharesTerm(a, b map[string]bool) bool {
	for t := range a {
		if b[t] {
			return true
		}
	}
	return false
}
