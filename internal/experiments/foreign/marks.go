package foreign

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/text"
)

// marks are what people write for right and wrong. One between them, such as △, has no number that everybody means.
var marks = map[string]json.Number{
	"○": "1", "◯": "1", "〇": "1", "⭕": "1", "✓": "1", "✔": "1", "✅": "1", "×": "0", "✕": "0", "✗": "0", "✘": "0", "❌": "0",
	"👍": "1", "👎": "0", "up": "1", "down": "0", "thumbs up": "1", "thumbs down": "0", "like": "1", "dislike": "0",
	"pass": "1", "passed": "1", "fail": "0", "failed": "0", "correct": "1", "incorrect": "0", "right": "1", "wrong": "0",
	"合格": "1", "不合格": "0", "正解": "1", "不正解": "0", "正": "1", "誤": "0", "適切": "1", "不適切": "0", "ok": "1", "ng": "0",
	"yes": "1", "no": "0", "y": "1", "n": "0", "はい": "1", "いいえ": "0", "ja": "1", "nein": "0", "oui": "1", "non": "0", "sí": "1",
	"是": "1", "否": "0", "正确": "1", "不正确": "0", "错误": "0", "正確": "1", "不正確": "0", "錯誤": "0", "对": "1", "错": "0",
	"richtig": "1", "falsch": "0", "korrekt": "1", "inkorrekt": "0", "wahr": "1", "vrai": "1", "faux": "0", "juste": "1",
	"verdadero": "1", "falso": "0", "verdadeiro": "1", "vero": "1", "correcto": "1", "incorrecto": "0", "bestanden": "1",
	"nicht bestanden": "0", "si": "1", "sì": "1", "通过": "1", "未通过": "0", "통과": "1", "불통과": "0",
	"예": "1", "아니오": "0", "정답": "1", "오답": "0", "o": "1", "x": "0", // the letters only beside one another
}

// between are marks between right and wrong, or beyond right: what they count is for people to say.
var between = []string{"△", "▲", "◎", "部分正解", "一部正解", "partial", "partially correct", "partly", "partly correct",
	"teilweise", "teilweise richtig", "teilweise korrekt", "partiellement correct", "parcialmente correcto", "部分正确", "部分正確",
	"부분 정답"}

// gradedCell begins with the number of a grade, and says out of how many it is, that it counts points, or what it means.
var gradedCell = text.Lazy(`^(?:([0-9]{1,3}(?:\.[0-9]{1,2})?)\s*(?:点?\s*(?:/|out of|of|von)\s*([0-9]{1,3})(?:点|pts?|points?)?|点|pts?|points?|punkte?)|` +
	`([0-9](?:\.[0-9])?)\s*[-–—:：.)）、(（]\s*[^0-9\s].*)$`)

// day is a day of the year, as spreadsheets make of 4/5.
var day = text.Lazy(`[0-9][-/. ](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|[0-9]月|[0-9]{4}[-/.年]|[0-9]:[0-9]`)

// gradeOf is the number of a grade and out of how many it is, "" where the cell does not say; false where it is no grade.
func gradeOf(s string) (grade, outOf string, is bool) {
	m := gradedCell.FindStringSubmatch(s)
	if m == nil || day.MatchString(s) {
		return "", "", false
	}
	grade, outOf = m[1]+m[3], m[2]
	n, _ := strconv.ParseFloat(grade, 64)
	most, _ := strconv.ParseFloat(outOf, 64)
	return grade, outOf, outOf == "" || n <= most && most > 2
}

// markedForm tells whether every filled cell of a column is a mark, or every one a grade out of as many; formPlain where not. Where some
// marks lie between right and wrong it is mixed, as the examples show.
func markedForm(cells iter.Seq[any]) (form cellForm, differing []string) {
	marked, graded, others, outOf := 0, 0, 0, ""
	var right, half string
	letters := letterMarks(cells)
	for v := range cells {
		if _, state := cellScore(v); state == scoreNone {
			continue
		}
		s, isText := shownText(v)
		if !isText {
			return formPlain, nil
		}
		s = markText(s)
		_, most, grade := gradeOf(s)
		switch {
		case marks[s] != "" && graded == 0 && (letters || s != "o" && s != "x"):
			marked++
			right = s
		case slices.Contains(between, s) && graded == 0:
			half = s
		case grade && marked == 0 && (graded == 0 || most == outOf):
			graded++
			outOf = most
		case utf8.RuneCountInString(s) <= longestScale && numberFirst.FindString(s) == "":
			others++
			half = cmp.Or(half, s)
		default:
			return formPlain, nil
		}
	}
	switch {
	case others > 0 && others >= marked:
		return formPlain, nil
	case marked > 0 && half != "":
		return formMixed, []string{right, half}
	case marked > 0:
		return formMarks, nil
	case graded > 0 && half == "" && outOf != "":
		return formGraded, []string{outOf} // of how many
	case graded > 0 && half == "":
		return formGraded, nil
	}
	return formPlain, nil
}

// letterMarks reports whether every filled cell of a column is O or X, and some are O: X alone is as often a tick.
func letterMarks(cells iter.Seq[any]) bool {
	right := false
	for v := range cells {
		if _, state := cellScore(v); state == scoreNone {
			continue
		}
		s, _ := shownText(v)
		if s = markText(s); s != "o" && s != "x" {
			return false
		}
		right = right || s == "o"
	}
	return right
}

var yesNoWords = []string{"yes", "no", "y", "n", "はい", "いいえ", "ja", "nein", "oui", "non", "sí", "si", "sì", "是", "否", "예", "아니오"}

// yesOrNo tells whether every filled cell of a column says yes or no, which answer what the name of the column asks.
func yesOrNo(cells iter.Seq[any]) bool {
	filled := false
	for v := range cells {
		if _, state := cellScore(v); state == scoreNone {
			continue
		}
		s, isText := shownText(v)
		if !isText || !slices.Contains(yesNoWords, markText(s)) {
			return false
		}
		filled = true
	}
	return filled
}

// What spreadsheets write for true and false in other languages than English, each with its own word for both; and what says by itself that
// an answer passed or did not.
var (
	truthWords = [][]string{{"wahr", "falsch"}, {"vrai", "faux"}, {"verdadero", "falso"}, {"verdadeiro", "falso"}, {"vero", "falso"}}
	passWords  = []string{"pass", "passed", "fail", "failed", "合格", "不合格", "bestanden", "nicht bestanden", "通过", "未通过", "통과", "불통과"}
)

// inWords reports whether every filled cell of a column is a word of one of these sets, and not all are the same.
func inWords(cells iter.Seq[any], sets ...[]string) bool {
	return slices.ContainsFunc(sets, func(words []string) bool {
		seen := map[string]bool{}
		for v := range cells {
			if _, state := cellScore(v); state == scoreNone {
				continue
			}
			s, isText := shownText(v)
			if s = markText(s); !isText || !slices.Contains(words, s) {
				return false
			}
			seen[s] = true
		}
		return len(seen) > 1
	})
}

// numberFirst begins with a number, alone or in a list, and goes on with something else; or it ends with one in brackets.
var numberFirst = text.Lazy(`^[~≈≥≤<>約\[]?\s*[-+]?[0-9]|[(（]\s*[0-9]+(?:\.[0-9]+)?\s*%?[)）]$`)

// numbersFirst are some cells of a column whose name is that of a measure, where most cells begin with a number and go on with something
// that says how it is meant, as in 0.8 ± 0.1; nil for other columns.
func numbersFirst(name string, cells iter.Seq[any]) (examples []string) {
	if DirectionOf(name) == DirectionUnknown {
		return nil
	}
	filled, numbers := 0, 0
	for v := range cells {
		s, isText := shownText(v)
		if _, state := cellScore(v); state == scoreNone {
			continue
		}
		filled++
		s = strings.TrimSpace(s)
		if dated := day.MatchString(markText(s)) && !intake.IsMeasure(name); dated {
			continue
		}
		if isText && utf8.RuneCountInString(s) <= longestScale && numberFirst.MatchString(markText(s)) {
			numbers++
			if len(examples) < 2 && !slices.Contains(examples, s) {
				examples = append(examples, s)
			}
		}
	}
	if 2*numbers < filled {
		return nil
	}
	return examples
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
	if examples := numbersFirst(name, cells); examples != nil {
		return formMixed, examples
	}
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
	measured := DirectionOf(name) == MoreIsBetter
	again := filled >= 2*len(words) || known && (filled > len(words) || measured)
	ticks := len(words) == 1 && measured && utf8.RuneCountInString(words[0]) == 1
	if ours || len(words) < 2 && !ticks || len(words) > mostScaleWords || !again || !known && !measured {
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

// starred tells whether every filled cell of a column shows stars, some of them filled, and some cell more than one: single stars mark
// rows.
func starred(cells iter.Seq[any]) bool {
	filled, several := false, false
	for v := range cells {
		if _, state := cellScore(v); state == scoreNone {
			continue
		}
		s, isText := shownText(v)
		stars := starText(s)
		m := starCell.FindStringSubmatch(stars)
		if !isText || m == nil {
			return false
		}
		filled, several = filled || m[1] != "", several || utf8.RuneCountInString(stars) > 1
	}
	return filled && several
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
	if grade, _, is := gradeOf(s); form == formGraded && is {
		return json.Number(grade)
	}
	if n := marks[s]; (form == formMarks || form == formYesNo) && n != "" {
		return n
	}
	return v
}

func markText(s string) string { return strings.ToLower(strings.TrimSpace(norm.NFKC.String(s))) }
