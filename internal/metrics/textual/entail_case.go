package textual

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// cases says which cases a statement speaks of. Two statements about different cases do not contradict one another: that a
// missed flight is not refunded is not denied by what happens if the airline cancels it.
type cases struct {
	conditions [][]string // the terms of each condition
	exceptions [][]string // the terms of each exception
	others     bool       // it holds of what is left: all other rules
	only       bool       // it holds of nothing else, so it denies the rest by itself
	points     bool       // it sends its reader elsewhere, which nothing can deny
	silent     bool       // it says that something is not said
	said       []string   // the terms of what a silent one does say
}

var (
	englishCondition = text.Lazy(`\b(?:if|when|whenever|provided|in case|as long as)\b([^,;:.()]*)`)
	englishException = text.Lazy(`\b(?:unless|except|other than|apart from|with the exception of)\b([^,;:.()]*)`)
	englishOnly      = text.Lazy(`\b(?:only|limited to|restricted to|exclusively|solely)\b`)
	englishOthers    = text.Lazy(`^(?:all|any|the|every|each|no)? ?(?:others?|else|remaining|rest)\b`)
	englishPoints    = text.Lazy(`^(?:for [^,.]* )?(?:please )?(?:see|read|ask|contact|call|refer to|look at|visit|check)\b`)

	japaneseCondition = text.Lazy(`([^、。；：「」（）()]*?)(?:場合|とき|際)(?:は|に|には|も|でも|、|$)|` +
		`([^、。；：「」（）()]*?(?:れば|たら|なら|ならば|[るい]と))(?:、|$)`)
	japaneseException = text.Lazy(`([^、。；：「」（）()]*?)(?:を除き|を除いて|を除く|以外は|以外の|ない限り)`)
	japaneseOnly      = text.Lazy(`に限|のみ|だけ`)
	japaneseOthers    = text.Lazy(`^(?:その他|そのほか|ほか|他|それ以外|これ以外|残り)の?`)
	japanesePoints    = text.Lazy(`(?:ご覧|ご参照|参照して|お問い合わせ|問い合わせて|お尋ね|ご確認)[^。]{0,3}(?:ください|下さい|願います|をお願いします)|` +
		`問い合わせ(?:は|について)?[^。]*(?:お願いします|となります|になります)`)
)

// Short texts of which each match of a pattern has one: most sentences have none, which is seen much faster.
var (
	conditionParts = map[string][]string{
		"en": {"if", "when", "provided", "in case", "as long as"},
		"ja": {"場合", "とき", "際", "れば", "たら", "なら", "ると", "いと"},
	}
	exceptionParts = map[string][]string{
		"en": {"unless", "except", "other than", "apart from"},
		"ja": {"を除", "以外", "ない限り"},
	}
	onlyParts = map[string][]string{
		"en": {"only", "limited", "restricted", "exclusively", "solely"},
		"ja": {"に限", "のみ", "だけ"},
	}
	pointsParts = map[string][]string{
		"en": {"see", "read", "ask", "contact", "call", "refer", "look", "visit", "check"},
		"ja": {"ご覧", "参照", "問い合わせ", "お尋ね", "ご確認"},
	}
)

// readCases reads the cases of a sentence, which is given folded too.
func (st *Statement) readCases(s, folded string) {
	condition, exception, only, points, others := englishCondition, englishException, englishOnly, englishPoints, englishOthers
	lang := "en"
	if st.lang == "ja" {
		condition, exception, only, points, others = japaneseCondition, japaneseException, japaneseOnly, japanesePoints, japaneseOthers
		lang = "ja"
	}
	has := func(parts map[string][]string) bool {
		return slices.ContainsFunc(parts[lang], func(part string) bool { return strings.Contains(folded, part) })
	}
	st.cases = cases{
		others: others.MatchString(folded),
		only:   has(onlyParts) && only.MatchString(folded),
		points: has(pointsParts) && points.MatchString(folded), silent: Refuses(s),
	}
	if has(conditionParts) {
		st.cases.conditions = partsOf(condition.FindAllStringSubmatch(folded, -1))
	}
	if has(exceptionParts) {
		st.cases.exceptions = partsOf(exception.FindAllStringSubmatch(folded, -1))
	}
	if !st.cases.silent {
		return
	}
	for _, part := range clausesOf(strings.ToLower(s), st.lang) {
		if Refuses(part) {
			if st.lang != "ja" { // what is not said follows in English, and stands before in Japanese
				return
			}
			continue
		}
		for _, t := range text.Terms(part) {
			st.cases.said = append(st.cases.said, t.Text)
		}
	}
}

// silentOn reports whether a statement says of what a claim says that it is not said.
func (st *Statement) silentOn(claim *Statement) bool {
	if !st.cases.silent || claim.cases.silent {
		return false
	}
	held, all := 0, 0
	for _, c := range claim.clauses {
		held += shared(c.terms, st.cases.said)
		all += len(c.terms)
	}
	const most = 0.7 // of the claim, in what it does say
	return float64(held) < most*float64(all)
}

// partsOf are the terms of meaning in what a pattern found; a part without any says nothing.
func partsOf(found [][]string) [][]string {
	var parts [][]string
	for _, groups := range found {
		var list []string
		for _, t := range text.Terms(strings.Join(groups[1:], " ")) {
			if t.Class != text.Function && !slices.Contains(list, t.Text) {
				list = append(list, t.Text)
			}
		}
		if len(list) > 0 {
			parts = append(parts, list)
		}
	}
	return parts
}

// meets reports whether the statement speaks of a condition: it holds at least half of its terms.
func (st *Statement) meets(condition []string) bool {
	l, n := lexiconOf(st.lang), 0
	for _, t := range condition {
		if slices.ContainsFunc(st.clauses, func(c clause) bool {
			return slices.ContainsFunc(c.terms, func(o string) bool { return l.same(t, o) || l.same(o, t) })
		}) {
			n++
		}
	}
	return 2*n >= len(condition)
}

// countsUp reports whether a statement holds the numbers of a condition, or gives its own under one.
func (st *Statement) countsUp(condition []string) bool {
	numbered := func(c []string) bool { return slices.ContainsFunc(c, isNumber) }
	return !numbered(condition) || slices.ContainsFunc(st.cases.conditions, numbered) ||
		!slices.ContainsFunc(condition, func(t string) bool {
			return isNumber(t) && !slices.ContainsFunc(st.words, func(w text.Word) bool { return w.Text == t })
		})
}

func isNumber(term string) bool { return term != "" && term[0] >= '0' && term[0] <= '9' }

// otherCase reports whether two statements speak of different cases, or one of them of none that the other could deny.
func (st *Statement) otherCase(claim *Statement, d *comparison) bool {
	lacks := func(s *Statement) func([]string) bool {
		return func(c []string) bool { return !s.meets(c) || d.rivals > 0 && !s.countsUp(c) }
	}
	switch {
	case st.cases.points || claim.cases.points, st.silentOn(claim):
		return true
	case d.denied && (st.cases.only || claim.cases.only):
		return true
	case slices.ContainsFunc(st.cases.conditions, lacks(claim)), slices.ContainsFunc(claim.cases.conditions, lacks(st)):
		return true
	case d.denied && (slices.ContainsFunc(st.cases.exceptions, claim.meets) || slices.ContainsFunc(claim.cases.exceptions, st.meets)):
		return true
	}
	switch {
	case d.sides > 0 && d.rivals == 0 && !d.denied:
		return true
	case d.selects > 0:
		return true
	case (st.lang == "ja" || d.denied || d.rivals > 0) && st.otherTopic(claim):
		return true
	case d.denied != (d.rivals > 0) && st.meetAt(claim):
		return true
	case d.denied && st.otherKind(claim):
		return true
	}
	return d.rivals > 0 && (d.rivalUnits > 1 || d.scoped > 0 || d.renamed > 0 || !sameSubject(claim, st))
}

// sameSubject reports whether one of two statements holds the word that opens the other.
func sameSubject(a, b *Statement) bool {
	return a.lang == "ja" || b.opensWith(a) || a.opensWith(b)
}

// opensWith reports whether the first word of meaning stands in another statement.
func (st *Statement) opensWith(other *Statement) bool {
	l := lexiconOf(st.lang)
	at := slices.IndexFunc(st.words, func(w text.Word) bool { return w.Class == text.Content && !measures(w.Text, w.Raw) })
	return at < 0 || slices.ContainsFunc(other.words, func(w text.Word) bool {
		return l.same(st.words[at].Text, w.Text) || l.same(w.Text, st.words[at].Text)
	})
}

// fragmentOf reports whether a statement is so short beside another that it does not say what it speaks of: 110分です.
func (st *Statement) fragmentOf(other *Statement) bool {
	const times = 3
	fewest := 2
	if st.lang == "ja" {
		fewest = 3 // pairs of characters: 国際線 is two
	}
	n := st.size()
	return n < fewest && other.size() > times*n
}

// size is how many terms of meaning a statement holds.
func (st *Statement) size() int {
	n := 0
	for _, c := range st.clauses {
		n += len(c.terms)
	}
	return n
}
