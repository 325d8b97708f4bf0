package textual

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// side says of which end of what is spoken of a quantity is: an opening time is a lower one, and a deadline an upper one.
type side byte

const (
	noSide side = iota
	lowerSide
	upperSide
	bothSides
)

// sided is a quantity with its side.
type sided struct {
	quantity
	side side
}

var (
	englishLower = text.Lazy(`\b(?:from|since|after|between|over|above|more than|exceeding|(?:open|start|begin)s?(?: at)?)$`)
	englishUpper = text.Lazy(`\b(?:until|till|to|by|within|under|below|at most|(?:no|not) more than|(?:less|fewer) than|no later than|` +
		`(?:close|end|finish)(?:e?s)?(?: at)?|between \S+(?: \S+)? and)$`)
	japaneseLower = text.Lazy(`から|以上|超え|超過|以降|以後|開館|開店|開始|開き|開く|始ま`)
	japaneseUpper = text.Lazy(`まで|以内|以下|未満|以前|閉館|閉店|閉ま|閉じ|終了|終わ`)
)

// sides are the quantities of a sentence with their sides, as far as the words beside them tell.
func sides(words []text.Word, lang string) []sided {
	var list []sided
	for i := 0; i < len(words); {
		q, n := readQuantity(words, i)
		if n == 0 {
			i++
			continue
		}
		s := sided{q, sideBefore(words[:i])}
		if lang == "ja" {
			s.side = sideAfter(words[i+n:])
		}
		i += n
		if at := slices.IndexFunc(list, func(o sided) bool { return o.quantity == q }); at < 0 {
			list = append(list, s)
		} else if list[at].side != s.side {
			list[at].side = bothSides
		}
	}
	return list
}

// sideBefore reads the side of a quantity from the English words before it.
func sideBefore(words []text.Word) side {
	const most = 4 // words that say it
	var before []string
	for _, w := range words[max(0, len(words)-most):] {
		if w.Break {
			before = nil
		}
		before = append(before, w.Raw)
	}
	switch s := strings.Join(before, " "); {
	case englishUpper.MatchString(s):
		return upperSide
	case englishLower.MatchString(s):
		return lowerSide
	}
	return noSide
}

// sideAfter reads the side of a quantity from the Japanese words after it.
func sideAfter(words []text.Word) side {
	var after strings.Builder
	for i, w := range words {
		if w.Class == text.Number || i > 0 && w.Break {
			break
		}
		after.WriteString(w.Raw)
	}
	lower, upper := japaneseLower.FindStringIndex(after.String()), japaneseUpper.FindStringIndex(after.String())
	switch {
	case lower == nil && upper == nil:
		return noSide
	case upper == nil, lower != nil && lower[0] < upper[0]:
		return lowerSide
	}
	return upperSide
}

func (st *Statement) sideOf(q quantity) side {
	for _, s := range st.sided {
		if s.quantity == q {
			return s.side
		}
	}
	return noSide
}

// apart reports whether one side is the lower and the other the upper one.
func (s side) apart(o side) bool {
	return s == lowerSide && o == upperSide || s == upperSide && o == lowerSide
}

// meetAt reports whether two statements speak of what lies on either side of a quantity that comes first in one of them: parcels of
// up to 20 kg, and those over it.
func (st *Statement) meetAt(other *Statement) bool {
	for i, a := range st.sided {
		for j, b := range other.sided {
			if (i == 0 || j == 0) && a.equal(b.quantity) && a.side.apart(b.side) {
				return true
			}
		}
	}
	return false
}

// caseWords are words that pick out of what a rule speaks: some wherever they stand, others only where they open a statement.
type caseWords struct{ anywhere, opening map[string]bool }

var casesOf = sync.OnceValue(func() caseWords {
	read := func(words string) map[string]bool {
		set := map[string]bool{}
		for _, w := range strings.Fields(words) {
			set[w] = true
			if terms := text.Terms(w); len(terms) == 1 {
				set[terms[0].Text] = true
			}
		}
		return set
	}
	return caseWords{
		anywhere: read(`domestic international overseas abroad weekday weekend
			国内線 国内 国際線 国外 海外 平日 休日 祝日
			大人 成人 子供 小児 幼児 本人 代理人 個人 法人 往路 復路 片道 往復`),
		opening: read(`north south east west northern southern eastern western upper lower front back rear left right
			morning afternoon evening night daytime nighttime spring summer autumn winter first last
			adult grownup child kid infant baby toddler`),
	}
})

// topicsOf are the words of meaning by which a statement says what it speaks of: those before each は or も in Japanese, of which the later
// begin where their clause does, and the first two in English.
func topicsOf(words []text.Word, lang string) [][]text.Word {
	var topics [][]text.Word
	var topic []text.Word
	for _, w := range words {
		last, _ := utf8.DecodeLastRuneInString(w.Raw)
		ends := lang == "ja" && (last == 'は' || last == 'も')
		if w.Break && len(topics) > 0 {
			topic = nil
		}
		if !ends && w.Class == text.Content && !measures(w.Text, w.Raw) && !general[w.Raw] {
			topic = append(topic, w)
		}
		if (ends || lang != "ja" && len(topic) == 2) && len(topic) > 0 {
			topics, topic = append(topics, topic), nil
		}
		if lang != "ja" && len(topics) > 0 {
			break
		}
	}
	return topics
}

// general are Japanese words that name nothing by themselves.
var general = map[string]bool{"方": true, "人": true, "者": true, "場合": true, "際": true, "時": true, "客様": true, "お客様": true, "日": true}

// otherTopic reports whether two statements say by their topics that they speak of different things.
func (st *Statement) otherTopic(o *Statement) bool {
	if len(st.topics) == 0 || len(o.topics) == 0 || st.lang != o.lang {
		return false
	}
	if st.lang != "ja" {
		return st.opensOtherCase(o)
	}
	return !slices.ContainsFunc(st.topics, func(a []text.Word) bool {
		return slices.ContainsFunc(o.topics, func(b []text.Word) bool { return sameTopic(st, a, o, b) })
	})
}

// sameTopic reports whether two Japanese statements may speak of one thing by these topics: each holds the last word of the other's, and
// one of them all of it.
func sameTopic(a *Statement, ofA []text.Word, b *Statement, ofB []text.Word) bool {
	lack := func(s *Statement, topic []text.Word) bool {
		return slices.ContainsFunc(topic, func(w text.Word) bool { return !s.speaksOf(w) })
	}
	return b.speaksOf(ofA[len(ofA)-1]) && a.speaksOf(ofB[len(ofB)-1]) && !(lack(b, ofA) && lack(a, ofB))
}

// speaksOf reports whether a Japanese statement holds a word, or one that shares two neighbouring characters with it.
func (st *Statement) speaksOf(w text.Word) bool {
	l := lexiconOf(st.lang)
	return slices.ContainsFunc(st.words, func(o text.Word) bool { return l.means(w.Text, o.Text) || sharesPair(w.Text, o.Text) })
}

// lacks reports whether an English statement has no word of the meaning of one.
func (st *Statement) lacks(w text.Word) bool {
	l := lexiconOf(st.lang)
	return !slices.ContainsFunc(st.words, func(o text.Word) bool { return l.means(w.Text, o.Text) })
}

// opensOtherCase reports whether two English statements open with words that pick out different cases.
func (st *Statement) opensOtherCase(o *Statement) bool {
	l := lexiconOf(st.lang)
	return slices.ContainsFunc(st.topics[0], func(a text.Word) bool {
		picks := casesOf().anywhere[a.Text] || casesOf().opening[a.Text]
		return picks && o.lacks(a) && slices.ContainsFunc(o.topics[0], func(b text.Word) bool {
			return st.lacks(b) && l.exclude(a.Text, b.Text)
		})
	})
}

// otherKind reports whether two English statements open with two kinds of one thing: adult tickets and group tickets.
func (st *Statement) otherKind(o *Statement) bool {
	if st.lang == "ja" || o.lang != st.lang || len(st.topics) == 0 || len(o.topics) == 0 {
		return false
	}
	a, b := st.topics[0], o.topics[0]
	return a[1].Text == b[1].Text && o.lacks(a[0]) && st.lacks(b[0])
}

// sharesPair reports whether two words have two neighbouring characters in common.
func sharesPair(a, b string) bool {
	runes := []rune(a)
	if len(runes) == 1 {
		return strings.Contains(b, a)
	}
	for i := range len(runes) - 1 {
		if strings.Contains(b, string(runes[i:i+2])) {
			return true
		}
	}
	return false
}
