package foreign

import (
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// marks are what people write for right and wrong. One between them, such as △, has no number that everybody means.
var marks = map[string]json.Number{
	"○": "1", "◯": "1", "〇": "1", "⭕": "1", "✓": "1", "✔": "1", "✅": "1", "×": "0", "✕": "0", "✗": "0", "✘": "0", "❌": "0",
	"pass": "1", "passed": "1", "fail": "0", "failed": "0", "correct": "1", "incorrect": "0", "right": "1", "wrong": "0",
	"合格": "1", "不合格": "0", "正解": "1", "不正解": "0", "正": "1", "誤": "0", "適切": "1", "不適切": "0", "ok": "1", "ng": "0",
}

// between are marks between right and wrong, or beyond right: what they count is for people to say.
var between = []string{"△", "▲", "◎", "部分正解", "一部正解", "partial", "partially correct", "partly", "partly correct"}

// gradedCell begins with the number of a grade, and says what it means or out of how many it is.
var gradedCell = text.Lazy(`^([0-9](?:\.[0-9])?)\s*(?:(?:/|out of)\s*(5|10)|[-–—:：.)）、(（]\s*[^0-9\s].*|点|pts?|points?)$`)

// markedForm tells whether every filled cell of a column is a mark, or every one a grade out of as many; formPlain where not. Where some
// marks lie between right and wrong it is mixed, as the examples show.
func markedForm(cells iter.Seq[any]) (form cellForm, differing []string) {
	marked, graded, outOf := 0, 0, ""
	var right, half string
	for v := range cells {
		if _, state := cellScore(v); state == scoreNone {
			continue
		}
		s, isText := shownText(v)
		if !isText {
			return formPlain, nil
		}
		s = markText(s)
		m := gradedCell.FindStringSubmatch(s)
		switch {
		case marks[s] != "" && graded == 0:
			marked++
			right = s
		case slices.Contains(between, s) && graded == 0:
			half = s
		case m != nil && marked == 0 && (graded == 0 || m[2] == outOf):
			graded++
			outOf = m[2]
		default:
			return formPlain, nil
		}
	}
	switch {
	case marked > 0 && half != "":
		return formMixed, []string{right, half}
	case marked > 0:
		return formMarks, nil
	case graded > 0 && half == "":
		return formGraded, nil
	}
	return formPlain, nil
}

// starCell is some stars that are filled, and those that are not behind them.
var starCell = text.Lazy(`^([★⭐🌟]*)[☆✩]*$`)

// starred tells whether every filled cell of a column shows stars, and not all of them none.
func starred(cells iter.Seq[any]) bool {
	filled := false
	for v := range cells {
		if _, state := cellScore(v); state == scoreNone {
			continue
		}
		s, isText := shownText(v)
		m := starCell.FindStringSubmatch(starText(s))
		if !isText || m == nil {
			return false
		}
		filled = filled || m[1] != ""
	}
	return filled
}

// starText is a cell without blanks between its stars, and without the sign that colours them.
func starText(s string) string {
	return strings.NewReplacer(" ", "", "\u3000", "", "\ufe0f", "").Replace(markText(s))
}

// marked is a cell of such a column as a number.
func (form cellForm) marked(v any) any {
	s, _ := v.(string)
	if form == formStars {
		if m := starCell.FindStringSubmatch(starText(s)); m != nil {
			return json.Number(strconv.Itoa(utf8.RuneCountInString(m[1])))
		}
		return v
	}
	s = markText(s)
	if m := gradedCell.FindStringSubmatch(s); form == formGraded && m != nil {
		return json.Number(m[1])
	}
	if n := marks[s]; form == formMarks && n != "" {
		return n
	}
	return v
}

func markText(s string) string { return strings.ToLower(strings.TrimSpace(norm.NFKC.String(s))) }
