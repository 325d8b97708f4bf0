package foreign

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// ScoreTable is what a file of scored answers says, whatever tool wrote it.
type ScoreTable struct {
	File    string       // its name: the path it was read from
	Unit    string       // what its rows are called where they are counted: row, line or item
	Metrics []string     // column names, in the order of the file
	Items   []ScoredItem // in the order in which the ids first appear
	Text    []string     // columns that hold no scores and were passed over
	Unread  []string     // columns of numbers that were not read as scores
	// columns of figures of operation, such as latency, which are no scores of answers
	Operation []string
	Forms     []ColumnForm // columns whose numbers are no plain numbers
	Notes     []string     // what was assumed or left out
	Sheet     []text.Said  // of these, what was left out or chosen of a table
	Told      []text.Said  // of these, what warns of nothing: how the file is read, and what else is read of it
	Repeated  bool         // some item has more than one row, or a metric more than one column
	Doubled   []int        // items with several rows that no column of replicates tells apart: they count as votes
	ByID      bool         // items are known by ids of the file, and not by what was asked
	Tool      string       // the tool whose results these are; "" for a table of somebody's own

	Lower map[string]bool // of a tool's results: whether less is better, by metric; nil for a table of somebody's own

	Folded []string // metrics whose votes stand in several columns

	Unmapped []string // columns that people said the meaning of, and that it has not: see [CheckMapped]
	Unvalued error    // why no column has the signs whose numbers people said; the other file may have one
}

// ScoredItem is one question with all its scores.
type ScoredItem struct {
	ID         string
	Row        int // of the first row with this id, as the file counts
	Critical   bool
	Tags       []string
	Scores     [][]float64  // by metric of the table: the scores there are, in the order of the replicates
	Votes      int          // rows with this id
	Lacks      map[int]Lack // of a metric without a score what stands there instead
	Unanswered bool         // there is no answer that could have a score
	Rows       []int        // as the file counts, where no column of replicates tells them apart

	Question, Reference string // what was asked, and the right answer, folded; "" where the file does not say

	// of a tool's results: what was answered, from which passages, to be held against which right answer; "" where votes differ in it or
	// the file does not say. Equal ones are one answer.
	Answer string

	Texts ItemTexts // as the file writes them
}

// ItemTexts are what a file says of a question beside its scores, of the first row that asks it; "" where it does not say.
type ItemTexts struct {
	Question, Answer, Reference string
	Contexts                    []string
}

// Lack is where a score is missing, and what stands there, as the file writes it; "" where the cell is empty.
type Lack struct {
	Row  int
	Cell string
}

// The columns of a score file that are no metrics.
const (
	scoreID        = "id"
	scoreReplicate = "replicate"
	scoreQuestion  = "question"
	scoreAnswer    = "answer"
)

// ReadScores reads a file of scored answers, CSV, TSV, JSONL, JSON or XLSX.
//
// The column "id" (or "question_id", 質問ID and the like, see [intake.IDColumns]) names the question; without one its text does, folded, in
// a column such as "question". Several
// rows of one question are votes: it was asked or judged again. A column "replicate" holds whole numbers that tell them apart.
// "critical" marks questions with yes or no; "tags", "theme" and "category" group them. Every other column of numbers is a metric; true
// and false count as 1 and 0. An empty cell, NaN or null has no score, which is never a score of 0; nor does a row
// with an empty answer have any, where the file holds answers. A column counts as numbers when at least half of
// its filled cells are; then every other cell in it is a fault. Columns of text, and those whose names are usual for texts, are passed
// over.
//
// Results that another tool exported are read as they are, by [ReadForeign]: their metrics carry the tool's name.
//
// Everything wrong with the rows is in one Problem, code "scores_rows", as from [intake.ReadDataset].
func ReadScores(path string, o ForeignOptions) (*ScoreTable, error) {
	return ReadScoresCalled(path, path, o)
}

// ReadScoresCalled is [ReadScores] of a file that people know by another name than its path.
func ReadScoresCalled(path, name string, o ForeignOptions) (*ScoreTable, error) {
	if err := o.checkVoteColumns(); err != nil {
		return nil, err
	}
	raw, err := text.ReadFile(path, intake.MaxDatasetBytes)
	if err != nil {
		return nil, err
	}
	raw, told, err := asUnicode(raw, name, o.Encoding)
	if err != nil {
		return nil, aboutScores(err)
	}
	t, err := readScored(raw, name, o)
	if err == nil {
		t.Told, t.Notes = append(told, t.Told...), append(text.InEnglish(told), t.Notes...)
	}
	return t, err
}

// readScored reads scores of a file whose text is in UTF-8.
func readScored(raw []byte, name string, o ForeignOptions) (*ScoreTable, error) {
	doc, theirs := foreignScores(raw, name, o)
	if theirs {
		o.scoring = true
		results, err := theirResults(doc, raw, name, o)
		if p := problem.From(err); err != nil && p.Code == "results_rows" {
			again := *p
			return nil, again.WithHint(correctAndCompare)
		}
		if err != nil {
			return nil, err
		}
		return results.Scores(), nil
	}
	if doc != nil && doc.table != nil && doc.wrong == nil {
		faults := doc.table.Faults(name)
		return scoresOf(doc.table, name, faults, o) // not read again: a workbook of many rows takes seconds
	}
	return readScores(raw, name, o)
}

// foreignScores reports whether a file holds results of another tool, as far as can be told without an error, and what was read of it to
// tell.
func foreignScores(raw []byte, name string, o ForeignOptions) (doc *foreignFile, theirs bool) {
	if o.From != "" && o.From != "auto" {
		return nil, true
	}
	doc, err := openForeign(raw, name, o.Sheet)
	if err != nil {
		return nil, false // what is wrong is said by the reader of tables
	}
	columns := doc.header
	if doc.ext == ".csv" {
		columns = doc.table.Columns
	} else if len(doc.rows) > 0 {
		columns = doc.columns()
	}
	tool := doc.recognise()
	if tool == ToolTable && doc.table != nil && longFormOf(doc.table, questionColumn(doc.table, o)) != nil {
		return doc, false // whose rows are no answers
	}
	return doc, !ownScores(tool, columns)
}

func readScores(raw []byte, file string, o ForeignOptions) (*ScoreTable, error) {
	faults := &intake.RowFaults{File: file}
	t, err := intake.ReadTable(raw, file, o.Sheet, faults)
	if err != nil {
		return nil, aboutScores(err)
	}
	if several := severalTables(t, file); several != nil {
		return nil, several
	}
	if err := faults.Problem(); err != nil {
		return nil, aboutScores(err)
	}
	return scoresOf(t, file, faults, o)
}

// scoresOf takes the scores out of a table that was read without a fault.
func scoresOf(t *intake.Table, file string, faults *intake.RowFaults, o ForeignOptions) (*ScoreTable, error) {
	t.SetSumsAside()
	if len(t.Rows) == 0 {
		return nil, withForm(problem.New(problem.Invalid, "scores_empty", "%s holds no scores", file).With("file", file))
	}
	if turned := askedAcross(t, file); turned != nil {
		return nil, turned
	}
	valued, unvalued := o.valuedTable(t)
	told, err := oneSystem(t, file, o)
	if err != nil {
		return nil, err
	}
	told = append(told, valued...)
	b, err := newScoreBuilder(t, file, faults, o)
	if err != nil {
		return nil, cmp.Or(unvalued, err) // which may be why
	}
	b.out.Unvalued = unvalued
	b.out.Notes, b.out.Told = append(b.out.Notes, text.InEnglish(told)...), append(b.out.Told, told...)
	for _, row := range t.Rows {
		b.row(row)
	}
	b.seekStrays()
	if err := faults.Problem(); err != nil {
		return nil, aboutScores(err)
	}
	return b.table(), nil
}

// correctAndCompare is what is left to do about wrong rows: a comparison imports nothing.
const correctAndCompare = "correct these rows and compare again"

// withForm puts the hint on everything that is wrong with a file as a whole.
func withForm(p *problem.Problem) *problem.Problem {
	return p.WithHint("write the column names id or question, optionally replicate, and one column of numbers for each metric into the first " +
		"row, and one answer per row below")
}

// aboutScores turns a problem with a table, which speaks of questions, into one that speaks of scores.
func aboutScores(err error) error {
	p := *problem.From(err)
	if rest, ok := strings.CutPrefix(p.Code, "dataset_"); ok {
		p.Code = "scores_" + rest
	}
	switch p.Code {
	case "scores_empty", "scores_json":
		withForm(&p)
	case "scores_file_kind":
		p.WithHint("save the scores as .csv, .tsv, .jsonl, .json or .xlsx")
	case "scores_rows":
		p.WithHint(correctAndCompare)
	}
	return &p
}

// scoreBuilder gathers the rows of a score file by id.
type scoreBuilder struct {
	source  *intake.Table
	file    string
	faults  *intake.RowFaults
	at      map[string]int // columns that are no metrics, by name; -1 without one
	columns [][]int        // of each metric: one, or one for each of its votes
	forms   []cellForm     // of the columns of the source
	options ForeignOptions
	fields  map[string]string // by column: the texts of the answers
	sure    bool              // these are what a system answered
	out     ScoreTable
	items   map[string]int
	seen    map[scoreKey]int // row by id, lane and replicate
	order   map[[2]int][]int // replicate numbers of each item and lane, in the order of its rows
	long    *longForm        // nil where a row holds all scores of an answer

	unanswered int // rows whose answer is empty
}

type scoreKey struct{ item, lane, replicate int }

func newScoreBuilder(t *intake.Table, file string, faults *intake.RowFaults, o ForeignOptions) (*scoreBuilder, error) {
	b := &scoreBuilder{
		source: t, file: file, faults: faults, items: map[string]int{}, seen: map[scoreKey]int{}, order: map[[2]int][]int{},
		at:    map[string]int{scoreID: -1, scoreReplicate: -1, scoreQuestion: -1, scoreAnswer: -1},
		out:   ScoreTable{File: file, Unit: t.Unit, Notes: text.InEnglish(t.Notes), Sheet: t.Warnings()},
		forms: make([]cellForm, len(t.Columns)), options: o,
	}
	if err := o.checkFields(); err != nil {
		return nil, err
	}
	b.out.Unmapped = o.missingIn(t.Columns)
	b.fields, _ = o.fieldsOf(t.Columns, b.column)
	named := map[int]bool{}
	if i := slices.IndexFunc(t.Columns, func(c string) bool { return intake.ColumnKey(c) == scoreReplicate }); i >= 0 {
		b.at[scoreReplicate], named[i] = i, true
	}
	for i, name := range t.Columns {
		named[i] = named[i] || slices.Contains(groupFields, b.fields[name])
	}
	if i := questionColumn(t, o); i >= 0 {
		b.at[scoreQuestion], named[i] = i, true
		b.out.Text = append(b.out.Text, t.Columns[i])
	}
	if i := idOf(t, b.at[scoreQuestion]); i >= 0 {
		b.at[scoreID], named[i] = i, true
	} else if told, is := ambiguousID(t, b.at[scoreQuestion]); is {
		b.out.Notes, b.out.Sheet = append(b.out.Notes, told.EN), append(b.out.Sheet, told)
	}
	b.at[scoreAnswer] = answerColumn(t, b.fields)
	if b.out.ByID = b.at[scoreID] >= 0; !b.out.ByID && b.at[scoreQuestion] < 0 {
		return nil, withForm(problem.New(problem.Invalid, "scores_column_missing", "%s has neither ids nor questions; its columns are: %s",
			file, columnList(t.Columns)).With("file", file).With("column", scoreID))
	}
	b.takeLong()
	ticked := b.takeTicks()
	withoutTicks(b.fields, ticked)
	for i, name := range t.Columns {
		switch {
		case named[i], slices.Contains(ticked, name), b.long != nil && (i == b.long.metric || i == b.long.value):
		case b.long == nil && b.isMetric(i, name):
			b.columns, b.out.Metrics = append(b.columns, []int{i}), append(b.out.Metrics, name)
		default:
			b.out.Text = append(b.out.Text, name)
			if b.mayBeScores(i, name) && !slices.Contains(b.out.Unread, name) {
				b.out.Unread = append(b.out.Unread, name)
			}
		}
	}
	if len(b.columns) == 0 {
		p := withForm(problem.New(problem.Invalid, "scores_no_metric", "%s has no column of numbers beside the ids; its columns are: %s",
			file, columnList(t.Columns)).With("file", file))
		for _, f := range b.out.Forms { // none of them was read
			en, ja := f.ToWrite()
			p = p.WithHint("%s", problem.Both(p.Hint+"; "+en, p.In("ja").Hint+"。"+ja))
		}
		return nil, p
	}
	if b.long == nil {
		b.foldVotes(o)
	}
	b.tellTexts()
	return b, nil
}

// tellTexts says which columns are columns read besides the scores, and which are not.
func (b *scoreBuilder) tellTexts() {
	for name := range b.fields {
		if slices.Contains(b.out.Metrics, name) {
			delete(b.fields, name)
		}
	}
	b.sure = surelyAnswered(b.source.Columns, b.fields)
	told, kept := textsRead(b.source.Columns, b.fields)
	if kept {
		b.out.Notes, b.out.Told = append(b.out.Notes, told.EN), append(b.out.Told, told)
	}
	words := slices.DeleteFunc(slices.Clone(b.out.Text), func(name string) bool {
		return slices.Contains(b.out.Unread, name) || slices.Contains(b.out.Operation, name) ||
			kept && slices.Contains(textFields, b.fields[name])
	})
	if len(words) == 0 {
		return
	}
	en, ja := inShort(words)
	told = text.Say("columns without scores passed over: %s", "スコアのない列を読み飛ばしました：%s", text.Said{EN: en, JA: ja})
	if b.out.Notes = append(b.out.Notes, told.EN); kept {
		b.out.Told = append(b.out.Told, told)
	}
}

// shortList names at most ten columns.
func shortList(names []string) []string {
	if len(names) <= 10 {
		return names
	}
	return append(slices.Clone(names[:10]), fmt.Sprintf("and %d more", len(names)-10))
}

// columnList names at most ten columns in a refusal, in both languages.
func columnList(names []string) fmt.Stringer { return problem.Both(inShort(names)) }

// inShort names at most ten columns or metrics, in English and in Japanese.
func inShort(names []string) (en, ja string) {
	list := names[:min(10, len(names))]
	en, ja = strings.Join(shortList(names), ", "), strings.Join(list, "、")
	if len(names) > len(list) {
		ja = fmt.Sprintf("%s、ほか%d件", ja, len(names)-len(list))
	}
	return en, ja
}

// row takes one row.
func (b *scoreBuilder) row(row intake.TableRow) {
	known, empty := scoreID, "the id is empty"
	if !b.out.ByID {
		known, empty = scoreQuestion, "the question is empty"
	}
	id, err := intake.CellText(row.Cell(b.at[known]))
	if id = Wording(id); err == nil && id == "" {
		err = errors.New(empty)
	}
	if err != nil {
		b.faults.Add(intake.RowProblem{Row: row.Number, Field: b.name(known), Message: err.Error()})
		return
	}
	fault := func(column, format string, args ...any) {
		b.faults.Add(intake.RowProblem{Row: row.Number, QuestionID: id, Field: column, Message: fmt.Sprintf(format, args...)})
	}
	lane := b.lane(row)
	if lane < 0 {
		fault(b.source.Columns[b.long.metric], "the row names no metric")
		return
	}
	i := b.item(id, row, fault)
	replicate := len(b.order[[2]int{i, lane}]) // rows that nothing tells apart are votes in the order of the file
	if at := b.at[scoreReplicate]; at >= 0 {
		n, ok := intake.CellInt(row.Figure(at))
		if !ok || n < 0 {
			fault(b.name(scoreReplicate), "%s is no whole number from 0 on", cellQuote(row.Cell(at)))
			return
		}
		replicate = n
	}
	key := scoreKey{i, lane, replicate}
	if first, twice := b.seen[key]; twice {
		fault(b.name(scoreReplicate), "the same with replicate %d stands in %s %d too", replicate, b.source.Unit, first)
		return
	}
	b.seen[key] = row.Number
	b.add(key, row, fault)
}

func (b *scoreBuilder) name(field string) string { return b.source.Columns[b.at[field]] }

// item finds or makes the item of an id.
func (b *scoreBuilder) item(id string, row intake.TableRow, fault func(string, string, ...any)) int {
	key := id
	if !b.out.ByID {
		key = text.Fold(id)
	}
	i, known := b.items[key]
	if !known {
		i = len(b.out.Items)
		b.items[key] = i
		b.out.Items = append(b.out.Items, ScoredItem{ID: id, Row: row.Number, Scores: make([][]float64, len(b.columns))})
	}
	item := &b.out.Items[i]
	if at := b.at[scoreQuestion]; at >= 0 {
		words, _ := intake.CellText(row.Cell(at)) // what is no text names no question
		words = text.Fold(words)
		switch {
		case item.Question == "":
			item.Question = words
		case words != "" && words != item.Question:
			fault(b.name(scoreQuestion), "the id names another question in %s %d", b.source.Unit, item.Row)
		}
	}
	if item.Votes == 0 {
		item.Texts = b.textsOf(row)
	}
	critical, tags := groupedBy(b.source.Columns, b.fields, row.Cell, func(column, message string) { fault(column, "%s", message) })
	item.Critical = item.Critical || critical
	for _, tag := range tags {
		if !slices.Contains(item.Tags, tag) {
			item.Tags = append(item.Tags, tag)
		}
	}
	return i
}

// add appends the scores of one row, in the order of the replicates.
func (b *scoreBuilder) add(key scoreKey, row intake.TableRow, fault func(string, string, ...any)) {
	item, at := &b.out.Items[key.item], [2]int{key.item, key.lane}
	place, _ := slices.BinarySearch(b.order[at], key.replicate)
	b.order[at] = slices.Insert(b.order[at], place, key.replicate)
	before, votes := item.Votes, len(b.order[at])
	item.Votes = max(before, votes)
	if b.at[scoreReplicate] < 0 {
		switch {
		case b.long == nil:
			item.Rows = append(item.Rows, row.Number)
		case votes == 2:
			item.Rows = append(item.Rows, b.seen[scoreKey{key.item, key.lane, 0}], row.Number)
		case votes > 2:
			item.Rows = append(item.Rows, row.Number)
		}
		if before < 2 && item.Votes == 2 {
			b.out.Doubled = append(b.out.Doubled, key.item)
		}
	}
	b.out.Repeated = b.out.Repeated || item.Votes > 1
	if answer := b.answerOf(item, row); before == 0 {
		item.Answer = answer
	} else if item.Answer != answer {
		item.Answer = "" // votes on several answers
	}
	unanswered := b.unansweredRow(row)
	item.Unanswered = unanswered && (before == 0 || item.Unanswered)
	if unanswered {
		b.unanswered++
		return
	}
	for m := range b.columns {
		if b.long == nil || m == key.lane {
			b.votes(item, m, place, row, fault)
		}
	}
}

// textsOf are the texts of a row, as the file writes them.
func (b *scoreBuilder) textsOf(row intake.TableRow) (texts ItemTexts) {
	cell := func(field string) any { return row.Cell(columnOf(field, b.source.Columns, b.fields)) }
	texts.Answer, texts.Reference = wordsOf(cell(intake.FieldAnswer)), wordsOf(cell(intake.FieldReference))
	if at := b.at[scoreQuestion]; at >= 0 {
		texts.Question = wordsOf(row.Cell(at))
	}
	if contexts, _, unread, err := readContexts(cell(intake.FieldContexts)); err == nil && unread == 0 {
		texts.Contexts = textsIn(contexts)
	}
	return texts
}

// textsIn are the texts of some contexts.
func textsIn(contexts []rag.LoggedContext) (texts []string) {
	for _, c := range contexts {
		texts = append(texts, c.Text)
	}
	return texts
}

// answerOf is what a row says was answered, from which passages, to be held against which right answer.
func (b *scoreBuilder) answerOf(item *ScoredItem, row intake.TableRow) string {
	cell := func(field string) any { return row.Cell(columnOf(field, b.source.Columns, b.fields)) }
	answer := wordsOf(cell(intake.FieldAnswer))
	if blank(cell(intake.FieldAnswer)) || !b.sure {
		return ""
	}
	one := ForeignItem{Answer: &answer, Reference: wordsOf(cell(intake.FieldReference))}
	item.Reference = cmp.Or(item.Reference, text.Fold(one.Reference))
	if contexts, _, unread, err := readContexts(cell(intake.FieldContexts)); err == nil && unread == 0 {
		one.Contexts = contexts
	}
	return answerOf(one)
}

// votes appends the scores of one metric in a row, which is the replicate at this place.
func (b *scoreBuilder) votes(item *ScoredItem, m, place int, row intake.TableRow, fault func(string, string, ...any)) {
	columns := b.columns[m]
	at, before := min(place*len(columns), len(item.Scores[m])), len(item.Scores[m]) // earlier replicates may lack this score
	instead := ""
	for _, column := range columns {
		score, state := cellScore(b.forms[column].plain(row.Figure(column)))
		switch state {
		case scoreThere:
			item.Scores[m] = slices.Insert(item.Scores[m], at, score)
			at++
		case scoreWrong:
			name := b.source.Columns[column]
			if b.long != nil {
				name = b.out.Metrics[m]
			}
			fault(name, wrongNumber(row.Figure(column), "%s is no number; leave the cell empty where there is no score"), cellQuote(row.Cell(column)))
		case scoreNone:
			instead = cmp.Or(instead, strings.TrimSpace(wordsOf(row.Cell(column))))
		}
	}
	if len(item.Scores[m]) == before {
		item.lacks(m, row.Number, instead)
	}
}

// foldVotes puts columns together that hold votes of one metric.
func (b *scoreBuilder) foldVotes(o ForeignOptions) {
	at := map[string]int{}
	for m, name := range b.out.Metrics {
		at[name] = b.columns[m][0]
	}
	metrics, columns, said := o.folded(b.out.Metrics, func(name string) (scores []float64) {
		for v := range b.column(at[name]) {
			if score, state := cellScore(b.forms[at[name]].plain(v)); state == scoreThere {
				scores = append(scores, score)
			}
		}
		return scores
	})
	b.out.Metrics, b.columns = metrics, make([][]int, len(metrics))
	for m, names := range columns {
		for _, name := range names {
			b.columns[m] = append(b.columns[m], at[name])
		}
		if len(names) > 1 {
			b.out.Repeated, b.out.Folded = true, append(b.out.Folded, metrics[m])
		}
	}
	for _, told := range said {
		b.out.Notes, b.out.Sheet = append(b.out.Notes, told.EN), append(b.out.Sheet, told)
	}
}

// lacks notes what stands in place of a score.
func (i *ScoredItem) lacks(metric, row int, cell string) {
	if i.Lacks == nil {
		i.Lacks = map[int]Lack{}
	}
	i.Lacks[metric] = Lack{row, intake.Shortened(cell)}
}

func (b *scoreBuilder) table() *ScoreTable {
	if b.unanswered > 0 {
		b.out.Notes = append(b.out.Notes, withoutAnswer(b.unanswered))
	}
	return &b.out
}
