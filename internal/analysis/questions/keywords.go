package questions

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// The document frequencies between which a candidate is a keyword: a word of one question groups nothing, and one of many tells
// nothing apart.
const (
	keywordLeast    = 2
	keywordMost     = .40 // share of the questions
	keywordMostFrom = 10  // questions from which on that is judged
	keywordsShown   = 8   // of one question, the longest
)

// notKeywords are content words that questions of any subject have.
var notKeywords = wordSet("much many long often early late soon according does mean means please tell explain describe list name give get got use used using " +
	"kind type types way ways thing things able need happen happens happened following different difference following question answer " +
	"possible made make known called became become first one two also would could should may might there " +
	"場合 方法 何 何人 誰 誰 今 時 年 月 日 人 的 性 方 名 名前 何時 何年 何月 何日 以下 以上 次 前 後 中 内 以前 以後 必要 可能 教 下 上 本 例 私 自分 最初 最後 違 理由 説明 どちら")

// contracted matches words such as i'm, you've and that'll, which are grammar; patient's is a word.
var contracted = text.Lazy(`^[a-z]+['’](?:m|re|ve|ll|d)$|^(?:he|she|that|there|who|where|how|let)['’]s$|n['’]t$`)

// isKeyword reports whether a folded word can be a keyword at all.
func isKeyword(word string) bool {
	n := utf8.RuneCountInString(word)
	if notKeywords()[word] || n < 2 || n > 40 || contracted.MatchString(word) {
		return false
	}
	letters, ascii := 0, true
	for _, r := range word {
		if unicode.IsLetter(r) {
			letters++
		}
		ascii = ascii && r < utf8.RuneSelf
	}
	return letters > 0 && (!ascii || n > 2)
}

// settledKeywords are the keywords of questions: candidates whose document frequency, all spellings together, is at least 2 and
// at most keywordMost of the questions, matched in the folded texts. Of words of which one stands inside the other only the longer
// one counts in a text; longer ones come first.
func settledKeywords(texts []string, candidates [][]string, aliases []experiments.AliasGroup) [][]string {
	found := make([][]string, len(texts))
	index := newPairIndex(texts)
	done := map[string]bool{}
	add := func(word string, forms []string) {
		var holding []int
		for _, f := range forms {
			done[f] = true
			holding = append(holding, index.holding(f)...)
		}
		slices.Sort(holding)
		if holding = slices.Compact(holding); len(holding) < keywordLeast ||
			len(texts) >= keywordMostFrom && float64(len(holding)) > keywordMost*float64(len(texts)) {
			return
		}
		for _, i := range holding {
			found[i] = append(found[i], word)
		}
	}
	for _, g := range aliases {
		forms := make([]string, len(g))
		for i, spelling := range g {
			forms[i] = text.Fold(spelling)
		}
		if len(g) > 0 {
			add(g[0], forms)
		}
	}
	for _, list := range candidates {
		for _, c := range list {
			if !done[c] {
				add(c, []string{c})
			}
		}
	}
	for i := range found {
		found[i] = longestFirst(found[i])
		found[i] = found[i][:min(keywordsShown, len(found[i]))]
	}
	return found
}

// longestFirst orders words by length, then by name, and drops those that stand inside another.
func longestFirst(words []string) []string {
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(utf8.RuneCountInString(b), utf8.RuneCountInString(a)), cmp.Compare(a, b))
	})
	out := []string{}
	for _, w := range words {
		if !slices.ContainsFunc(out, func(longer string) bool { return strings.Contains(text.Fold(longer), text.Fold(w)) }) {
			out = append(out, w)
		}
	}
	return out
}

// pairIndex finds the texts that may hold a word by its rarest pair of neighbouring characters.
type pairIndex struct {
	texts []string
	pairs map[[2]rune][]int
}

func newPairIndex(texts []string) pairIndex {
	x := pairIndex{texts: texts, pairs: map[[2]rune][]int{}}
	for i, s := range texts {
		for _, p := range runePairs(s) {
			if list := x.pairs[p]; len(list) == 0 || list[len(list)-1] != i {
				x.pairs[p] = append(list, i)
			}
		}
	}
	return x
}

func runePairs(s string) [][2]rune {
	var out [][2]rune
	var before rune
	for i, r := range s {
		if i > 0 {
			out = append(out, [2]rune{before, r})
		}
		before = r
	}
	return out
}

// holding are the texts that hold a folded word of at least two characters.
func (x pairIndex) holding(word string) []int {
	var fewest []int
	for i, p := range runePairs(word) {
		if list := x.pairs[p]; i == 0 || len(list) < len(fewest) {
			fewest = list
		}
	}
	var out []int
	for _, i := range fewest {
		if holdsWord(x.texts[i], word) {
			out = append(out, i)
		}
	}
	return out
}

// holdsWord reports whether a folded text holds a folded word: Latin letters, digits and katakana
// only as whole words, one kanji only alone, others anywhere.
func holdsWord(s, word string) bool {
	for from := 0; word != ""; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(s[:start])
		after, _ := utf8.DecodeRuneInString(s[end:])
		first, size := utf8.DecodeRuneInString(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		alone := size == len(word) && unicode.Is(unicode.Han, first) // one kanji inside a word is another word
		if alone && (kanji(before) || kanji(after)) {
			from = start + size
			continue
		}
		if !oneWord(before, first) && !oneWord(last, after) {
			return true
		}
		from = start + size
	}
	return false
}

// oneWord reports whether two neighbouring characters belong to one word: Latin letters and digits, or katakana.
func oneWord(a, b rune) bool { return latinOrDigit(a) && latinOrDigit(b) || katakana(a) && katakana(b) }

func latinOrDigit(r rune) bool {
	return unicode.IsDigit(r) || unicode.Is(unicode.Latin, r)
}

func kanji(r rune) bool { return unicode.Is(unicode.Han, r) || r == '々' }

func katakana(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }
