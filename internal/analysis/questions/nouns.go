package questions

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// nounPhrase is a name or a noun with what stands before it, as a text writes it.
type nounPhrase struct {
	key   string // what it is found by again: folded, English words stemmed
	shown string
	words int  // English words; of Japanese 1
	named bool // it stands in brackets or has capital letters
}

// longestPhrase is how many words an English noun phrase has at most.
const longestPhrase = 4

// nounPhrases are the noun phrases of a text, every one of them once, in order; of a longer one also its parts that a reader would name.
func nounPhrases(s string) []nounPhrase {
	var out []nounPhrase
	if text.Language(s) == "ja" {
		out = japaneseNouns(s)
	} else {
		out = englishNouns(s)
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(p nounPhrase) bool {
		again := seen[p.key]
		seen[p.key] = true
		return again || p.key == ""
	})
}

// wholeTitle is a title that is short enough to be a name as it stands: "Refunds and cancellation", ほくほく線.
func wholeTitle(title string) (nounPhrase, bool) {
	title = strings.Trim(strings.Join(strings.Fields(title), " "), " #:：■●")
	words := englishWord.FindAllString(title, -1)
	if len(words) == 0 && text.Language(title) != "ja" || strings.ContainsAny(title, "?？!！。、,:：;|/[]()（）") {
		return nounPhrase{}, false
	}
	if text.Language(title) == "ja" {
		n := utf8.RuneCountInString(title)
		asks := strings.ContainsRune("かいする", lastRune(title))
		return nounPhrase{key: text.Fold(title), shown: title, words: 2, named: true}, n > 2 && n <= 14 && !asks && !lightJapanese()[title]
	}
	first, last := strings.ToLower(words[0]), words[len(words)-1]
	if len(words) < 2 || len(words) > longestPhrase+1 || grammar()[first] || stopWord(first) || headless(last) ||
		!nominal(last, "", true) ||
		!strings.Contains(title, " and ") && slices.ContainsFunc(words, func(w string) bool { return verbWords()[strings.ToLower(w)] }) {
		return nounPhrase{}, false
	}
	return nounPhrase{key: keyOfPhrase(title), shown: title, words: 2, named: true}, true
}

var englishWord = text.Lazy(`[\p{L}\p{N}]+(?:['’.&/-][\p{L}\p{N}]+)*`)

// englishRun is a stretch of words that can be one noun phrase.
type englishRun []string

func englishNouns(s string) []nounPhrase {
	var out []nounPhrase
	for _, run := range englishRuns(s) {
		for end := len(run); end > 0; end-- {
			if headless(run[end-1]) {
				continue
			}
			for start := max(0, end-longestPhrase); start < end; start++ {
				if p, ok := englishPhrase(run[start:end]); ok {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

func englishPhrase(words []string) (nounPhrase, bool) {
	stems := make([]string, len(words))
	for i, w := range words {
		stems[i] = stemOf(w)
	}
	last := words[len(words)-1]
	if len(words) == 1 && (lightNouns()[stems[0]] || utf8.RuneCountInString(last) < 3 && !capitals(last)) || lightNouns()[stems[0]] {
		return nounPhrase{}, false
	}
	shown := slices.Clone(words)
	named := true
	for i, w := range shown {
		named = named && isCapital(w)
		if !isCapital(w) {
			shown[i] = strings.ToLower(w)
		}
	}
	return nounPhrase{key: strings.Join(stems, " "), shown: strings.Join(shown, " "), words: len(words), named: named}, true
}

func stemOf(word string) string {
	terms := text.Terms(strings.Trim(strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s"), "."))
	parts := make([]string, len(terms))
	for i, t := range terms {
		parts[i] = t.Text
	}
	return strings.Join(parts, "-")
}

// englishRuns cuts a text at marks, grammar, verbs, adverbs and bare numbers.
func englishRuns(s string) []englishRun {
	s = strings.Join(strings.Fields(s), " ")
	shouting := s == strings.ToUpper(s)
	title := titleCase(s)
	var out []englishRun
	var run englishRun
	flush := func() {
		if len(run) > 0 {
			out = append(out, run)
		}
		run = nil
	}
	end, before := 0, ""
	places := englishWord.FindAllStringIndex(s, -1)
	for i, at := range places {
		between, word := s[end:at[0]], s[at[0]:at[1]]
		end = at[1]
		if strings.Trim(between, " ") != "" {
			flush()
			before = ""
		}
		if shouting || i == 0 && !capitals(word) && !strings.ContainsAny(word, "-.") && !title {
			word = strings.ToLower(word[:1]) + word[1:]
		}
		if !nominal(word, before, title) {
			flush()
		} else {
			if name := isCapital(word); len(run) > 0 && !name && isCapital(run[len(run)-1]) && !title && len(run) > 2 {
				flush()
			}
			owner := strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
			if owner == word || i+1 < len(places) && isCapital(s[places[i+1][0]:]) {
				run = append(run, word)
			} else {
				run = append(run, owner)
				flush()
			}
		}
		before = strings.ToLower(word)
	}
	flush()
	return out
}

// titleCase reports whether most words of a text begin with a capital letter, so that capitals tell no names.
func titleCase(s string) bool {
	words := englishWord.FindAllString(s, -1)
	capital, content := 0, 0
	for _, w := range words {
		if !stopWord(strings.ToLower(w)) {
			content++
			if isCapital(w) {
				capital++
			}
		}
	}
	return content > 1 && 4*capital > 3*content
}

// pronouns stand before verbs.
var pronouns = wordSet("i you we they he she it who one people")

// nominal reports whether an English word can be part of a noun phrase after the word before it.
func nominal(word, before string, title bool) bool {
	lower := strings.ToLower(word)
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case stopWord(lower), grammar()[lower], grammar()[strings.TrimSuffix(strings.TrimSuffix(lower, "'s"), "’s")],
		stopWord(strings.TrimSuffix(strings.TrimSuffix(lower, "'s"), "’s")),
		!unicode.IsLetter(first) && !strings.ContainsFunc(word, unicode.IsLetter):
		return false
	case isCapital(word) && !title:
		return true
	case verbs()[stemOf(lower)] && (verbWords()[lower] || !strings.HasSuffix(lower, "tion") && !strings.HasSuffix(lower, "ment")),
		pronouns()[before]:
		return false
	case strings.HasSuffix(lower, "ly") && !nounsInLy()[lower]:
		return false
	case strings.HasSuffix(lower, "ed") && len(lower) > 4 && !nounsInEd()[lower]:
		return false
	case before == "to" && !title:
		return len(lower) > 6 || strings.HasSuffix(lower, "s")
	case strings.HasSuffix(lower, "ing") && len(lower) > 5 && (before == "" || stopWord(before)) && !nounsInIng()[lower]:
		return false
	}
	return true
}

// headless reports whether a word can stand before a noun and is none itself.
func headless(word string) bool {
	lower := strings.ToLower(word)
	if capitals(word) || nounsLikeAdjectives()[lower] {
		return false
	}
	for _, suffix := range []string{"ous", "ful", "ible", "able", "less", "ic", "al", "ive", "ary"} {
		if strings.HasSuffix(lower, suffix) && len(lower) > len(suffix)+2 {
			return true
		}
	}
	return adjectives()[lower]
}

// stopWord reports whether an English word is grammar.
func stopWord(lower string) bool {
	terms := text.Terms(lower)
	return len(terms) == 1 && terms[0].Class == text.Function
}

func isCapital(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// capitals reports whether a word is written in capital letters, as abbreviations are.
func capitals(word string) bool {
	n := 0
	for _, r := range word {
		if unicode.IsUpper(r) {
			n++
		}
	}
	return n > 1
}
