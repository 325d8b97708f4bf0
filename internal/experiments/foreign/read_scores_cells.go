package foreign

import (
	"encoding/json"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/text"
)

// answerColumn is the column of a table of scores that holds the answers; -1 where none holds any.
func answerColumn(t *intake.Table, fields map[string]string) int {
	at := columnOf(intake.FieldAnswer, t.Columns, fields)
	if at < 0 || !slices.ContainsFunc(t.Rows, func(row intake.TableRow) bool { return !blank(row.Cell(at)) }) {
		return -1
	}
	return at
}

// unansweredRow reports whether a row of a table with answers has none.
func (b *scoreBuilder) unansweredRow(row intake.TableRow) bool {
	at := b.at[scoreAnswer]
	return at >= 0 && !slices.ContainsFunc(b.columns, func(c []int) bool { return slices.Contains(c, at) }) && blank(row.Cell(at))
}

// blank reports whether a cell of words holds none, as sheets, data frames and JSON write that.
func blank(v any) bool {
	s, err := intake.CellText(v)
	return err == nil && (s == "" || strings.EqualFold(s, "nan"))
}

// unnamed matches the columns that data frames and sheets leave without a name: most often a count of the rows.
var unnamed = text.Lazy(`^(column[ _]\d+|unnamed:?[ _]\d+)$`)

// numbering reports whether a column is called as ids, or as what counts rows: 質問ID, No., 項番.
func numbering(name string) bool {
	named, counting := intake.IDColumns([]string{name})
	return len(named)+len(counting) > 0
}

// isMetric reports whether a column holds scores.
func (b *scoreBuilder) isMetric(column int, name string) bool {
	key := intake.ColumnKey(name)
	_, known := metrics.Find(name)
	is, _ := numeric(b.column(column))
	if !known && (intake.IsText(name) && !gradesIn(name, b.column(column), b.source.Decimal()) || numbering(name) ||
		identifying(key) || unnamed.MatchString(strings.ToLower(name)) || besideScore(name, b.source.Columns) ||
		strings.HasSuffix(key, "_reason")) {
		return false
	}
	if !known && intake.NoScore(name) && DirectionOf(name) == DirectionUnknown && !b.options.saysDirection(name) {
		return false
	}
	if is && b.passedOver(name) {
		b.out.Operation = append(b.out.Operation, name)
		return false
	}
	form, differing := formOf(name, b.column(column), b.source.Decimal())
	b.forms[column] = form
	if form == formMixed && (is || known) {
		return true // the cells that differ are faults, each by its row
	}
	if told, is := columnForm(name, form, differing); is {
		b.out.Notes, b.out.Forms = append(b.out.Notes, told.note()), append(b.out.Forms, told)
	}
	if mixedNumbers(form, differing) {
		b.out.Unread = append(b.out.Unread, name)
	}
	if !known && !is && (form == formPlain || form == formMixed || form == formWords) {
		return false
	}
	if told, differs := storedNote(name, b.column(column)); differs && form != formMixed {
		b.out.Notes, b.out.Sheet = append(b.out.Notes, told.EN), append(b.out.Sheet, told)
	}
	return true
}

// passedOver reports whether a column holds figures of operation of which nobody says whether more or less is better, such as how long
// the answers are.
func (b *scoreBuilder) passedOver(name string) bool {
	return metrics.OfOperation(name) && DirectionOf(name) == DirectionUnknown && !b.options.saysDirection(name)
}

// mayBeScores reports whether a column that is no metric holds numbers that somebody may have meant as scores.
func (b *scoreBuilder) mayBeScores(column int, name string) bool {
	if is, _ := numeric(b.column(column)); !is && (intake.IsText(name) && !intake.IsGrade(name) || !someNumbers(b.column(column))) {
		return false
	}
	return name != "" && !slices.Contains(b.out.Operation, name) && !numbering(name) && !unnamed.MatchString(strings.ToLower(name))
}

// column are the cells of a column.
func (b *scoreBuilder) column(at int) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, row := range b.source.Rows {
			if !yield(row.Figure(at)) {
				return
			}
		}
	}
}

// scoreState says what a cell of a metric holds.
type scoreState int

const (
	scoreNone scoreState = iota
	scoreThere
	scoreWrong
)

// cellScore reads one score.
func cellScore(v any) (float64, scoreState) {
	switch v := v.(type) {
	case nil:
		return 0, scoreNone
	case bool:
		if v {
			return 1, scoreThere
		}
		return 0, scoreThere
	case intake.Figure:
		return parsedScore(v.Number.String())
	case json.Number:
		return parsedScore(v.String())
	case string:
		return parsedScore(strings.TrimSpace(v))
	}
	return 0, scoreWrong
}

// noScore are what people and data frames write where there is no score, without the spaces.
var noScore = wordSet(`nan null none na n/a n.a. n.a - – — ー notapplicable notrated 対象外 該当なし 未評価 未採点 未確認 評価対象外 評価不可
	k.a. k.a k/a keineangabe nichtbewertet nichtanwendbar entfällt s/o s.o. sansobjet nonévalué n/d n.d. n.d noaplica sinevaluar nonapplicabile`)

// parsedScore reads a score as text. Words that data frames write for nothing are no score; infinity is no number.
func parsedScore(s string) (float64, scoreState) {
	if s == "" {
		return 0, scoreNone
	}
	score, err := strconv.ParseFloat(s, 64)
	if err == nil && !math.IsNaN(score) && !math.IsInf(score, 0) && !strings.ContainsAny(s, "xX_") {
		return score, scoreThere
	}
	s = strings.ReplaceAll(strings.ToLower(norm.NFKC.String(s)), "−", "-")
	if wide, err := strconv.ParseFloat(s, 64); err == nil && wholeCell.MatchString(strings.Replace(s, ".", "", 1)) {
		return wide, scoreThere // in the wide digits of Japanese
	}
	if noScore[strings.ReplaceAll(s, " ", "")] {
		return 0, scoreNone
	}
	switch s {
	case "true":
		return 1, scoreThere
	case "false":
		return 0, scoreThere
	}
	return 0, scoreWrong
}

// cellQuote shows a cell that is wrong.
func cellQuote(v any) string {
	switch v := v.(type) {
	case nil:
		return "an empty cell"
	case string:
		if strings.TrimSpace(v) == "" {
			return "an empty cell"
		}
		return strconv.Quote(intake.Shortened(v))
	case json.Number:
		return v.String()
	case intake.Figure:
		return strconv.Quote(intake.Shortened(v.Shown))
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "this value"
}
