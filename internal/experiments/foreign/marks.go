package foreign

import (
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/metrics"
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

// Words of scales: grades, and what questionnaires let people tick.
var scaleWords = func() map[string]bool {
	set := wordSet("a b c d e f s 優 良 可 不可 秀 良い よい 悪い 普通 満足 不満 " +
		"やや満足 やや不満 非常に満足 非常に不満 とても良い やや良い やや悪い とても悪い " +
		"同意する 同意しない どちらともいえない " +
		"そう思う そう思わない ややそう思う あまりそう思わない 高 中 低 高い 低い " +
		"good bad fair poor excellent average high medium low agree disagree neutral")
	for _, s := range []string{"strongly agree", "strongly disagree", "somewhat agree", "somewhat disagree", "very good", "very bad",
		"very poor", "neither agree nor disagree"} {
		set[s] = true
	}
	return set
}()

// The bounds of a column of words that may be a scale: its words come again, and are few and short.
const (
	mostScaleWords = 7
	longestScale   = 24
)

// wordForm tells whether a column of words may have been meant as scores, by its name or by its words; some of them are returned then. What
// such words count is for people to say. The catalogue's metrics are numbers, and their words are faults.
func wordForm(name string, cells iter.Seq[any]) (cellForm, []string) {
	var words []string
	filled, known := 0, true
	for v := range cells {
		s, isText := shownText(v)
		if _, state := cellScore(v); state == scoreNone {
			continue
		}
		s = strings.TrimSpace(s)
		if !isText || utf8.RuneCountInString(s) > longestScale {
			return formPlain, nil
		}
		filled++
		known = known && scaleWords[strings.TrimRight(markText(s), "+-")]
		if !slices.Contains(words, s) {
			words = append(words, s)
		}
	}
	_, ours := metrics.Find(name)
	if ours || len(words) < 2 || len(words) > mostScaleWords || filled < 2*len(words) || !known && DirectionOf(name) != MoreIsBetter {
		return formPlain, nil
	}
	return formWords, words[:min(3, len(words))]
}

// holdsObjects tells whether every filled cell of a column is an object with a score in it, in JSON or as Python writes it, as the
// evaluators of Phoenix give them.
func holdsObjects(cells iter.Seq[any]) bool {
	filled := false
	for v := range cells {
		if _, state := cellScore(v); state == scoreNone {
			continue
		}
		if _, there := objectOf(objectLiteral(v))["score"]; !there {
			return false
		}
		filled = true
	}
	return filled
}

// scoreWithin is the score of a cell that holds an object; nil where it has none.
func scoreWithin(v any) any {
	object := objectOf(objectLiteral(v))
	score, there := object["score"]
	if object == nil || !there {
		return v
	}
	return score
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
