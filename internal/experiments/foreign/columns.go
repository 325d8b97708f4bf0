package foreign

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// cellForm is how a column writes its numbers.
type cellForm int

const (
	formPlain     cellForm = iota
	formPercent            // 85%
	formComma              // 0,85
	formThousands          // 1,250 beside 980
	formSpaced             // 1'234.5 and 1 234.5
	formPoints             // 1.234,5: points between thousands, a comma before the decimals
	formMarks              // ○, ×
	formYesNo              // yes, no, of what the name of the column says
	formGraded             // 4/5, 4 - good
	formStars              // ★★★☆☆
	formObject             // {"score": 0.5, "label": …}
	formWords              // A to E, 良い to 悪い: an order that no number says
	formMixed              // some cells so and others not: what one number means cannot be told
)

var (
	percentCell = text.Lazy(`^[-+]?\d+(?:[.,]\d+)?\s*[%％]$`)
	commaCell   = text.Lazy(`^[-+]?\d+,\d+$`)
	groupedCell = text.Lazy(`^[-+]?[1-9]\d{0,2}(?:,\d{3})+$`) // 1,234 is mostly more than a thousand
	wholeCell   = text.Lazy(`^[-+]?\d+$`)
	pointsCell  = text.Lazy(`^[-+]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$`) // 1.234,5; without a comma it may be a number of three decimals
	spacedCell  = text.Lazy(`^[-+]?[1-9]\d{0,2}(?:[ '’]\d{3})+(?:[.,]\d+)?$`)
)

// formOf tells how a column writes its numbers. A form counts only where every filled cell has it, because 85% beside 0.85 may mean
// anything; the first cells that differ are returned then. A column of words is plain. decimal is what stands before the decimals in the
// rest of its table, '.' or ','; 0 where nothing says it.
func formOf(name string, cells iter.Seq[any], decimal rune) (form cellForm, differing []string) {
	if form, differing := signForm(name, cells); form != formPlain {
		return form, differing
	}
	c := &formCount{count: map[cellForm]int{}, first: map[cellForm]string{}}
	for v := range cells {
		c.cell(v, decimal)
	}
	if c.count[formPoints] > 0 && c.words+c.points+c.count[formPercent]+c.typed == 0 { // 1.010 beside 1.234,5 is more than a thousand
		return formPoints, nil
	}
	numbers := c.count[formPlain] + c.count[formPercent] + c.count[formComma] + c.count[formPoints]
	switch {
	case numbers == 0 && c.words > 0:
		return wordForm(name, cells)
	case c.words == 0 && c.spaced > 0 && c.count[formPlain] == numbers:
		return formSpaced, nil
	case c.count[formPercent]+c.count[formComma]+c.count[formPoints] == 0, c.words > numbers:
		return formPlain, nil
	case c.words == 0 && c.count[formPercent] == numbers:
		return formPercent, nil
	case c.words == 0 && c.count[formComma]+c.count[formPoints] == 0 && c.typed == 0 && c.above == 0:
		return formPlain, nil // the sheet stores 0.6 where it shows 60%, as it does where it shows 0.6
	case c.words+c.count[formPercent]+c.points == 0 && c.grouped == c.count[formComma] && decimal != ',' &&
		(c.hundreds > 0 && c.hundreds == c.count[formPlain] || decimal == '.'):
		return formThousands, nil
	case 4*c.words <= numbers && c.count[formPercent] == 0 && c.points == 0 && (c.grouped == 0 || c.leading > 0 || decimal == ','):
		// no thousand begins with 0; a word among many numbers is a fault of its own
		return formComma, nil
	}
	for _, form := range []cellForm{formPercent, formPoints, formComma, formPlain} {
		if c.count[form] > 0 {
			differing = append(differing, c.first[form])
		}
	}
	return formMixed, differing
}

// formCount is how many cells of a column are written in which form.
type formCount struct {
	count                           map[cellForm]int
	first                           map[cellForm]string // the first cell of each
	words, grouped, leading, points int
	typed, above                    int // percentages that are texts; plain numbers over 1
	spaced                          int // numbers whose thousands stand apart
	hundreds                        int // plain numbers from 100 on
}

func (c *formCount) see(form cellForm, s string) {
	if c.count[form]++; c.count[form] == 1 {
		c.first[form] = s
	}
}

// cell counts a cell.
func (c *formCount) cell(v any, decimal rune) {
	s, isText := shownText(v)
	s = together(strings.TrimSpace(norm.NFKC.String(s)))
	if isText && spacedText(v) {
		v, c.spaced = s, c.spaced+1
	}
	score, state := cellScore(v)
	figure, isFigure := v.(intake.Figure)
	switch {
	case state == scoreNone:
	case isText && !isFigure && pointsCell.MatchString(s) && (decimal == ',' || strings.Contains(s, ",")):
		c.see(formPoints, s)
	case isFigure && percentCell.MatchString(s):
		c.see(formPercent, s)
	case isFigure:
		c.see(formPlain, figure.Number.String())
		c.points++ // in whatever way it is shown, no comma stands before its decimals
		c.above += over(score, 1)
	case state == scoreThere:
		c.above, c.hundreds = c.above+over(score, 1), c.hundreds+over(score, 99.5)
		if n, isNumber := v.(json.Number); isNumber {
			s = n.String()
		}
		c.see(formPlain, s)
		if !wholeCell.MatchString(s) {
			c.points++
		}
	case isText && percentCell.MatchString(s):
		c.see(formPercent, s)
		c.typed++
	case isText && (commaCell.MatchString(s) || groupedCell.MatchString(s)):
		c.see(formComma, s)
		if groupedCell.MatchString(s) {
			c.grouped++
		}
		if strings.HasPrefix(strings.TrimLeft(s, "+-"), "0,") {
			c.leading++
		}
	default:
		c.words++
	}
}

// signForm tells which signs or words of right and wrong a column writes in place of numbers; formPlain where it writes none.
func signForm(name string, cells iter.Seq[any]) (cellForm, []string) {
	direction := DirectionOf(name)
	switch {
	case starred(cells):
		return formStars, nil
	case holdsObjects(cells):
		return formObject, nil
	case direction != DirectionUnknown && yesOrNo(cells), inWords(cells, truthWords...):
		return formYesNo, nil
	case inWords(cells, passWords):
		return formMarks, nil
	case direction == MoreIsBetter: // a tick may mean anything elsewhere
		return markedForm(cells)
	}
	return formPlain, nil
}

// together is a number without the signs that part its thousands where these can be nothing else: 1 234,5 and 1'234.5.
func together(s string) string {
	if !spacedCell.MatchString(s) {
		return s
	}
	return strings.NewReplacer(" ", "", "'", "", "’", "").Replace(s)
}

// spacedText reports whether a cell is a text that [together] puts together.
func spacedText(v any) bool {
	s, isText := v.(string)
	return isText && spacedCell.MatchString(strings.TrimSpace(norm.NFKC.String(s)))
}

// decimal is what stands before the decimals in the table that is read.
func (r *foreignReader) decimal() rune {
	if r.table == nil {
		return 0
	}
	return r.table.Decimal()
}

// mixedNumbers reports whether a column holds numbers in several forms, rather than marks of which one has no number.
func mixedNumbers(form cellForm, differing []string) bool {
	return form == formMixed && (len(differing) == 0 || marks[markText(differing[0])] == "")
}

// over is 1 for a number over a bound, else 0.
func over(n, bound float64) int {
	if n > bound {
		return 1
	}
	return 0
}

// shownText is what a cell of a table shows, unless it holds a number of JSON or no text at all.
func shownText(v any) (string, bool) {
	if f, is := v.(intake.Figure); is {
		return f.Shown, true
	}
	s, is := v.(string)
	return s, is
}

// wrongNumber says what is wrong with a cell that is no number: a percentage stands in a column whose other cells are plain numbers, since
// one of percentages was read as numbers, and 77% beside 0.76 may mean anything. What else it is, otherwise says.
func wrongNumber(v any, otherwise string) string {
	if s, _ := shownText(v); percentCell.MatchString(strings.TrimSpace(norm.NFKC.String(s))) {
		return "%s stands among numbers without a per cent sign; write the whole column in one way"
	}
	return otherwise
}

// storedNote says where scores of a column are stored as other numbers than the sheet shows; false where they are not.
func storedNote(name string, cells iter.Seq[any]) (text.Said, bool) {
	n, shown, stored := 0, "", ""
	for v := range cells {
		if f, is := v.(intake.Figure); is && f.Rounded() && !f.Symbol() {
			if n++; n == 1 {
				shown, stored = strings.TrimSpace(f.Shown), f.Number.String()
			}
		}
	}
	return text.Say("%s: the numbers count as the sheet stores them and not as it shows them, which differs in %s (the first holds %s and shows %q)",
		"%s：表示ではなく、シートに保存されている数値を読み取りました。%sで異なります（最初のセルは%s、"+
			"表示は「%s」）",
		name, text.Count(n, "cell", "セル"), stored, shown), n > 0
}

// plain is a cell of a column in this form as a plain number; what is none stays as it is.
func (form cellForm) plain(v any) any {
	if f, is := v.(intake.Figure); is {
		if form == formMixed && percentCell.MatchString(strings.TrimSpace(f.Shown)) {
			return f.Shown // beside 70, 60% may mean 60
		}
		return f.Number
	}
	if form == formObject {
		return scoreWithin(v)
	}
	s, isText := v.(string)
	s = together(strings.TrimSpace(norm.NFKC.String(s)))
	if form == formSpaced && spacedText(v) {
		return s
	}
	if form == formPlain || form == formSpaced || form == formMixed || !isText || s == "" {
		return v
	}
	if form == formMarks || form == formYesNo || form == formGraded || form == formStars {
		return form.marked(v)
	}
	if form == formThousands {
		return json.Number(strings.ReplaceAll(s, ",", ""))
	}
	if form == formPoints {
		s = strings.ReplaceAll(s, ".", "")
	}
	number, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(strings.TrimRight(s, "%％")), ",", "."), 64)
	if err != nil {
		return v
	}
	if form == formPercent {
		number /= 100
	}
	return json.Number(strconv.FormatFloat(number, 'g', -1, 64))
}

// ColumnForm says of a column of numbers that they are not written as plain numbers. Its form is "percent", "comma", "thousands",
// "points", "marks", "yesno", "graded", "stars" or "object", which were read as plain numbers, or "mixed", "words", "between" or
// "ticks", which were not read.
type ColumnForm struct {
	Column   string   `json:"column"`
	Form     string   `json:"form"`
	Examples []string `json:"examples,omitempty"` // of one that was not read: a cell of each kind, or some of its words

	outOf bool // its cells say of how many points: 4/5
}

// more reports whether the way in which a column is written says that more is better.
func (f ColumnForm) more() bool {
	return f.outOf || slices.Contains([]string{"percent", "marks", "yesno", "stars"}, f.Form)
}

// judges reports whether the cells of a column say by themselves which of them are the better ones, whatever the column is called.
func (f ColumnForm) judges() bool { return f.Form == "marks" || f.Form == "stars" || f.outOf }

// columnForm is what people are told of a column; false where its numbers are plain.
func columnForm(name string, form cellForm, differing []string) (ColumnForm, bool) {
	said := map[cellForm]string{formPercent: "percent", formComma: "comma", formThousands: "thousands",
		formPoints: "points", formMarks: "marks",
		formYesNo: "yesno", formGraded: "graded", formStars: "stars", formObject: "object", formWords: "words", formMixed: "mixed"}[form]
	if form == formMixed && !mixedNumbers(form, differing) {
		said = "between"
	}
	if form == formGraded {
		return ColumnForm{Column: name, Form: said, outOf: len(differing) > 0}, true
	}
	return ColumnForm{Column: name, Form: said, Examples: differing}, said != ""
}

// Read reports whether the cells of the column are scores, however they are written: of the others people are warned.
func (f ColumnForm) Read() bool {
	return !slices.Contains([]string{"words", "mixed", "between", "ticks"}, f.Form)
}

// note is the form in words, for notes of imports.
func (f ColumnForm) note() string {
	switch f.Form {
	case "percent":
		return f.Column + ": percentages, read as shares of 1 (85% is 0.85)"
	case "comma":
		return f.Column + ": read with a comma before the decimals (0,85 is 0.85)"
	case "points":
		return f.Column + ": read with points between thousands and a comma before the decimals (1.234,5 is 1234.5)"
	case "thousands":
		return f.Column + ": read with a comma between thousands (1,250 is 1250)"
	case "marks":
		return f.Column + ": marks, read as 1 for right and 0 for wrong"
	case "yesno":
		return f.Column + ": yes is read as 1, and no as 0"
	case "graded":
		return f.Column + ": read as the number that each cell begins with (4/5 is 4)"
	case "object":
		return f.Column + ": objects, of which each is read as its score"
	case "stars":
		return f.Column + ": read as the number of filled stars (★★★☆☆ is 3)"
	}
	quoted := make([]string, len(f.Examples))
	for i, s := range f.Examples {
		quoted[i] = strconv.Quote(s)
	}
	if f.Form == "ticks" {
		return fmt.Sprintf("%s: not read as scores: a tick in one of them says how good an answer was; write one column of numbers "+
			"instead, for example 1, 0.5 and 0", f.Column)
	}
	if f.Form == "between" {
		return fmt.Sprintf("%s: not read as scores: beside right and wrong it holds other marks or words (%s); write numbers, "+
			"for example 1, 0.5 and 0", f.Column, strings.Join(quoted, ", "))
	}
	if f.Form == "words" {
		return fmt.Sprintf("%s: not read as scores: it holds words (%s); write numbers, for example 5 to 1", f.Column, strings.Join(quoted, ", "))
	}
	return fmt.Sprintf("%s: not read as scores: how its numbers are written cannot be told for certain (%s); write plain numbers, for example 1, 0.5 "+
		"and 0", f.Column, strings.Join(quoted, ", "))
}

// ToWrite says what to do about a column that was not read, in English and in Japanese.
func (f ColumnForm) ToWrite() (en, ja string) {
	said := problem.New(problem.Invalid, "", "").WithHint("%s holds cells of different kinds (%s): write numbers into it, for example 1, 0.5 and 0",
		f.Column, strings.Join(f.Examples, ", "))
	switch f.Form {
	case "ticks":
		said = said.WithHint("a tick in one of the columns %s says how good an answer was: write one column of numbers instead, "+
			"for example 1, 0.5 and 0", f.Column)
	case "between":
		said = said.WithHint("%s holds other marks or words beside right and wrong (%s): write numbers into it, for example 1, 0.5 and 0",
			f.Column, strings.Join(f.Examples, ", "))
	case "words":
		said = said.WithHint("%s holds words (%s): write numbers into it, for example 5 to 1", f.Column, strings.Join(f.Examples, ", "))
	}
	return said.Hint, said.In("ja").Hint
}

// settleForm reads a column whose numbers are percentages or have a comma as plain numbers, once, and says so. It is not asked of
// columns of texts.
func (r *foreignReader) settleForm(name string) {
	form, differing := formOf(name, r.column(name), r.decimal())
	if is, _ := numeric(r.column(name)); is && form == formMixed {
		r.rewrite(name, form) // the cells that differ are faults, each by its row
		return
	}
	if told, is := columnForm(name, form, differing); is {
		r.out.Notes, r.out.Forms = append(r.out.Notes, told.note()), append(r.out.Forms, told)
	}
	if mixedNumbers(form, differing) {
		r.out.Unread = append(r.out.Unread, name)
	}
	if form == formMixed || form == formWords {
		return
	}
	if is, _ := numeric(r.column(name)); is || form != formPlain {
		if told, differs := storedNote(name, r.column(name)); differs {
			r.out.Notes, r.out.Sheet = append(r.out.Notes, told.EN), append(r.out.Sheet, told)
		}
	}
	if form == formPlain {
		return
	}
	r.rewrite(name, form)
}

// rewrite puts plain numbers into a column of this form.
func (r *foreignReader) rewrite(name string, form cellForm) {
	for _, row := range r.rows {
		if v, there := row[name]; there {
			row[name] = form.plain(v)
		}
	}
}

func (r *foreignReader) column(name string) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, row := range r.rows {
			if !yield(row[name]) {
				return
			}
		}
	}
}

// numeric reports whether most of what a column holds are numbers; filled is how many cells hold something.
func numeric(cells iter.Seq[any]) (is bool, filled int) {
	numbers := 0
	for v := range cells {
		switch _, state := cellScore(v); state {
		case scoreThere:
			numbers, filled = numbers+1, filled+1
		case scoreWrong:
			filled++
		case scoreNone:
		}
	}
	return numbers > 0 && 2*numbers >= filled, filled
}

// gradesIn reports whether a column that is called as grades holds numbers, however they are written, and hardly anything else: a Note
// may be a remark.
func gradesIn(name string, cells iter.Seq[any], decimal rune) bool {
	if !intake.IsGrade(name) {
		return false
	}
	form, _ := formOf(name, cells, decimal)
	numbers, filled := 0, 0
	for v := range cells {
		if _, state := cellScore(form.plain(v)); state != scoreNone {
			filled++
			if state == scoreThere {
				numbers++
			}
		}
	}
	return numbers > 0 && 10*numbers >= 9*filled
}

// someNumbers reports whether a column may have been meant as scores: a quarter of what it holds or more are numbers.
func someNumbers(cells iter.Seq[any]) bool {
	numbers, filled := 0, 0
	for v := range cells {
		switch _, state := cellScore(v); state {
		case scoreThere:
			numbers, filled = numbers+1, filled+1
		case scoreWrong:
			filled++
		case scoreNone:
		}
	}
	return numbers > 0 && 4*numbers >= filled
}

// passOver notes the columns that are not read: those of words, and by another name those of numbers, which may have been meant as
// scores.
func (r *foreignReader) passOver(names []string) {
	var words []string
	for _, name := range names {
		is, _ := numeric(r.column(name))
		if metrics.OfOperation(name) && !is { // 0,012 is a number as well
			form, _ := formOf(name, r.column(name), r.decimal())
			r.rewrite(name, form)
			is, _ = numeric(r.column(name))
		}
		switch {
		case slices.Contains(r.out.Unread, name): // why was said
		case is && metrics.OfOperation(name):
			r.out.Operation = append(r.out.Operation, name)
		case is && !unnamed.MatchString(strings.ToLower(name)) && name != "":
			r.out.Unread = append(r.out.Unread, name)
		default:
			words = append(words, name)
		}
	}
	if len(words) > 0 {
		r.out.Notes = append(r.out.Notes, "columns without scores passed over: "+strings.Join(shortList(words), ", "))
	}
	if len(r.out.Operation) > 0 {
		r.out.Notes = append(r.out.Notes, "figures of operation, which are no scores of answers: "+strings.Join(shortList(r.out.Operation), ", "))
	}
	if len(r.out.Unread) > 0 {
		r.out.Notes = append(r.out.Notes, "columns of numbers that are not read as scores: "+strings.Join(shortList(r.out.Unread), ", "))
	}
}

// numbered matches what numbers people, machines or cases: 評価者番号, 社員コード.
var numbered = text.Lazy(`(?:番号|コード|ナンバー)$|^(?:reviewer|rater|annotator|evaluator|grader)(?:_(?:number|code))?$`)

// identifying reports whether a column's name says that its numbers tell rows, sessions, runs or people apart: no metric is called so.
func identifying(key string) bool {
	if numbered.MatchString(key) {
		return true
	}
	parts := strings.Split(key, "_")
	last := parts[len(parts)-1]
	return slices.Contains([]string{"id", "ids", "no", "idx", "index", "uuid", "guid"}, last) && !strings.HasSuffix(key, "yes_no") ||
		slices.Contains([]string{"session", "thread", "epoch", "row", "row_number", "line_number", "sample", "example", "repetition",
			"repetition_number", "seed", "order"}, key)
}

// besideScore reports whether a column stands beside a score and is none: the threshold that it had to reach, and what Azure AI Evaluation
// makes of it in outputs.NAME.NAME_result, or repeats under an older name in outputs.NAME.gpt_NAME.
func besideScore(name string, columns []string) bool {
	key := intake.ColumnKey(name)
	at := strings.LastIndex(key, ".") + 1
	evaluator, last := key[:at], key[at:]
	if last == "threshold" || strings.HasSuffix(last, "_threshold") {
		return true
	}
	if !strings.HasPrefix(evaluator, "outputs.") || strings.Count(evaluator, ".") != 2 {
		return false
	}
	newer, older := strings.CutPrefix(last, "gpt_")
	return strings.HasSuffix(last, "_result") || older && slices.ContainsFunc(columns, func(c string) bool {
		return intake.ColumnKey(c) == evaluator+newer
	})
}
