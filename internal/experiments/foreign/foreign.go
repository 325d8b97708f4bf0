package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/text"
)

// The tools whose results [ReadForeign] reads.
const (
	ToolRagas      = "ragas"
	ToolDeepEval   = "deepeval"
	ToolPromptfoo  = "promptfoo"
	ToolRAGChecker = "ragchecker"
	ToolMLflow     = "mlflow"
	ToolLangfuse   = "langfuse"
	ToolOTel       = "otel"
	ToolPhoenix    = "phoenix"
	ToolLangSmith  = "langsmith"
	ToolTable      = metrics.PlainTable // no tool: a table of questions and answers that shows no tool's marks

	ToolMLflowTraces = "mlflow-traces" // its evaluation tables are another thing
)

// ForeignTools lists them.
func ForeignTools() []string {
	return []string{ToolRagas, ToolDeepEval, ToolPromptfoo, ToolRAGChecker, ToolMLflow, ToolLangfuse, ToolOTel, ToolPhoenix,
		ToolLangSmith, ToolMLflowTraces, ToolTable}
}

// ForeignOptions change how [ReadForeign] reads a file. The zero value is the usual way.
type ForeignOptions struct {
	From  string `json:"from,omitempty"`  // a tool; "" or "auto" recognises it
	Sheet string `json:"sheet,omitempty"` // of a workbook; "" takes the one that looks most like a table of results
	// of a text file that is not in UTF-8, as [text.DecodeAs] takes it; "" leaves it to what the bytes say beyond doubt
	Encoding string `json:"encoding,omitempty"`
	// of a file with rows of several systems, prompts or providers: the one to read, by its name or a part that no other has
	Variant string `json:"variant,omitempty"`
	// column of a table, or variable of promptfoo → question, answer, contexts, reference, question_id, critical, theme, category, tags or
	// ignore
	Columns map[string]string `json:"columns,omitempty"`
	Lower   []string          `json:"lower,omitempty"`  // metrics, as the tool names them, of which less is better
	Higher  []string          `json:"higher,omitempty"` // metrics, as the tool names them, of which more is better
	// of a table with several columns that differ by a number alone: [VotesFold], [VotesApart], or "" for what their names say
	VoteColumns string `json:"vote_columns,omitempty"`
	// of a file in which people wrote signs or words: the number that each counts as, such as ○ → 1, △ → 0.5
	Values map[string]float64 `json:"values,omitempty"`

	Sample int      `json:"sample,omitempty"` // only so many questions, chosen by their wording; 0 is all
	Seed   string   `json:"seed,omitempty"`   // of the sample: another one draws other questions
	Mask   []string `json:"mask,omitempty"`   // rules that hide personal data; of traces all of [MaskRules] unless something is named

	scoring bool // only the scores are wanted: rows that ask the same are votes, and questions may be missing
}

// Beside are the options for a file that is read together with another: where only that one is a workbook, the sheet is one of it.
func (o ForeignOptions) Beside(file, other string) ForeignOptions {
	if !isWorkbook(file) && isWorkbook(other) {
		o.Sheet = ""
	}
	return o
}

func isWorkbook(file string) bool { return strings.EqualFold(filepath.Ext(file), ".xlsx") }

// Foreign is what a tool's file of results says.
type Foreign struct {
	Tool    string          `json:"tool"`
	Items   []ForeignItem   `json:"items"`
	Metrics []ForeignMetric `json:"metrics"` // in the order in which they first appear
	Notes   []string        `json:"notes"`   // what was assumed or left out
	File    string          `json:"file"`
	Unit    string          `json:"unit"`             // what a row of the file is called
	Unread  []string        `json:"unread,omitempty"` // columns of numbers that are not read as scores
	// columns of figures of operation, such as latency, which are no scores of answers
	Operation []string     `json:"operation,omitempty"`
	Forms     []ColumnForm `json:"forms,omitempty"` // columns whose numbers are no plain numbers
	// what was left out or chosen of a table, which Notes have in English too
	Sheet []text.Said `json:"sheet,omitempty"`

	// notes that warn of nothing, such as how the file is read, which Notes have in English too
	Told []text.Said `json:"told,omitempty"`

	scoresOnly bool     // there are no questions in the file
	unsure     bool     // the answers may as well be the right ones
	folded     []string // metrics, as the tool names them, whose votes stand in several columns
}

// ForeignItem is one question with what a system answered and what the tool said of it.
type ForeignItem struct {
	Row       int                 `json:"row"` // as the file counts, from 1
	ID        string              `json:"id"`  // "" where the tool gives none
	Question  string              `json:"question"`
	Reference string              `json:"reference"` // "" for none
	Answer    *string             `json:"answer"`
	Failure   string              `json:"failure"`  // why there is no answer, in the tool's words; "" where it says nothing
	Contexts  []rag.LoggedContext `json:"contexts"` // null: not exported; empty: nothing was retrieved
	Notes     []string            `json:"notes"`    // of the contexts
	Measured  *rag.Measured       `json:"measured"`
	Scores    []rag.LoggedScore   `json:"scores"`
	Critical  bool                `json:"critical,omitempty"` // the file marks the question as one that must never get worse
	Tags      []string            `json:"tags,omitempty"`     // its theme, category and tags, as a dataset has them

	// one more vote on the answer of the item before, of a row with several: nothing is new but the scores
	Again bool `json:"again,omitempty"`
}

// ForeignMetric says how a metric of the tool is known here.
type ForeignMetric struct {
	ID      string  `json:"id"`     // such as ragas.faithfulness
	Source  string  `json:"source"` // as the tool writes it
	Min     float64 `json:"min"`
	Max     float64 `json:"max"`
	Lower   bool    `json:"lower_is_better,omitempty"`
	Scored  int     `json:"scored"`
	Missing int     `json:"missing"` // the tool gave no number; never counted as 0
}

// ReadForeign reads results that Ragas, DeepEval, promptfoo, RAGChecker, MLflow or Langfuse exported: questions, right answers, answers,
// contexts and scores; and traces of OpenTelemetry, Phoenix, LangSmith and MLflow, which hold no right answers and no scores.
// docs/imports.md lists the files. A score that is NaN, null or an empty cell is missing by name, and a row that the tool itself calls an
// error, or whose answer is empty, has none, nor scores; neither is ever a 0. Ids of metrics begin with the tool's name, those of a table
// of nobody known with [ToolTable].
//
// Everything wrong with the rows is in one Problem, code "results_rows", as from [intake.ReadDataset]; nothing is returned half-read.
func ReadForeign(path string, o ForeignOptions) (*Foreign, error) {
	raw, err := text.ReadFile(path, intake.MaxDatasetBytes)
	if err != nil {
		return nil, err
	}
	raw, told, err := asUnicode(raw, filepath.Base(path), o.Encoding)
	if err != nil {
		return nil, err
	}
	results, err := readForeign(raw, filepath.Base(path), o)
	if err == nil {
		results.tell(told...)
	}
	return results, err
}

func readForeign(raw []byte, file string, o ForeignOptions) (*Foreign, error) {
	doc, err := openForeign(raw, file, o.Sheet)
	if err != nil {
		return nil, err
	}
	return doc.results(o)
}

// results are what an opened file says.
func (f *foreignFile) results(o ForeignOptions) (*Foreign, error) {
	if err := f.valued(o); err != nil {
		return nil, err
	}
	doc, tool := f, o.From
	if tool == "" || tool == "auto" {
		if tool = doc.recognise(); tool == "" && doc.isSheet() {
			tool = ToolTable
		}
		if tool == "" && doc.wrong != nil { // its rows may be why
			return nil, doc.wrong
		}
		if tool == "" {
			return nil, doc.unknown()
		}
	}
	read := map[string]func(*foreignReader) error{
		ToolRagas: (*foreignReader).ragas, ToolTable: (*foreignReader).ragas, ToolDeepEval: (*foreignReader).deepeval,
		ToolPromptfoo: (*foreignReader).promptfoo, ToolRAGChecker: (*foreignReader).ragchecker,
		ToolMLflow: (*foreignReader).mlflow, ToolLangfuse: (*foreignReader).langfuse,
		ToolOTel: (*foreignReader).otel, ToolPhoenix: (*foreignReader).toolTraces, ToolLangSmith: (*foreignReader).toolTraces,
		ToolMLflowTraces: (*foreignReader).toolTraces,
	}[tool]
	traces := readsTraces(tool)
	if doc.isExperiment(tool) {
		read, traces = (*foreignReader).experiment, false
	}
	if read == nil {
		return nil, problem.New(problem.Invalid, "results_tool", "results of %q are not read", tool).With("tool", tool).
			WithHint("--from is one of %s, or auto", strings.Join(ForeignTools(), ", "))
	}
	if err := o.checkVoteColumns(); err != nil {
		return nil, err
	}
	rules, err := masks(traces, o.Mask)
	if err != nil {
		return nil, err
	}
	r := newReader(doc, tool, rules, o)
	if err := read(r); err != nil {
		return nil, err
	}
	return r.finish()
}

// unknown refuses a file of nobody known by naming what was seen of it.
func (f *foreignFile) unknown() error {
	var columns []string
	switch {
	case f.ext == ".csv":
		columns = f.table.Columns
	case len(f.rows) > 0:
		columns = f.columns()
	default:
		columns = slices.Sorted(maps.Keys(f.object))
	}
	if turned := askedAcross(f.table, f.file); turned != nil {
		return turned
	}
	if p := f.scoresAlone(); p != nil {
		return p
	}
	p := f.refuse("results_unknown", "it is not recognised as results of %s; it holds: %s", strings.Join(ForeignTools(), ", "),
		columnList(columns))
	return p.With("columns", columns).WithHint("name the tool with --from, or read the columns as a plain table: --from table "+
		"--map \"COLUMN=question\" --map \"COLUMN=answer\"; answers of your own without scores are read by: "+
		"workbench import-answers %s --dataset NAME", f.file)
}

func newReader(doc *foreignFile, tool string, rules []maskRule, o ForeignOptions) *foreignReader {
	faults := &intake.RowFaults{File: doc.file, Unit: doc.unit}
	if doc.table != nil {
		faults = doc.table.Faults(doc.file)
	}
	return &foreignReader{
		masker: masker{rules, map[string]int{}}, foreignFile: doc, options: o, faults: faults,
		metrics: map[string]*foreignScale{}, taken: map[string]bool{},
		out: &Foreign{Tool: tool, File: doc.file, Unit: doc.unit, Notes: doc.notes},
	}
}

// foreignReader gathers items, what is wrong and what was assumed.
type foreignReader struct {
	*foreignFile
	options ForeignOptions
	faults  *intake.RowFaults
	metrics map[string]*foreignScale // by the tool's name
	order   []*foreignScale
	taken   map[string]bool // ids of metrics
	masker
	out *Foreign
	cut int
}

func (r *foreignReader) fault(item *ForeignItem, field, format string, args ...any) {
	r.faults.Add(intake.RowProblem{Row: item.Row, QuestionID: item.ID, Field: field, Message: fmt.Sprintf(format, args...)})
}

// words reads a text of a row.
func (r *foreignReader) words(item *ForeignItem, field string, v any) string {
	s, err := intake.CellText(v)
	if err != nil {
		r.fault(item, field, "%v", err)
	}
	return s
}

// add takes an item, unless it asks nothing.
func (r *foreignReader) add(item ForeignItem) {
	if item.Question == "" {
		r.fault(&item, intake.FieldQuestion, "there is no question")
		return
	}
	if item.Answer != nil && strings.TrimSpace(*item.Answer) == "" {
		item.Answer = nil // what is empty was not answered, in whichever form a tool writes that
	}
	r.hide(&item)
	r.out.Items = append(r.out.Items, item)
}

// finish checks the whole and gives metrics their scales.
func (r *foreignReader) finish() (*Foreign, error) {
	f := r.out
	if !r.options.scoring {
		r.tooOften()
	}
	if f.scoresOnly && !r.options.scoring {
		return nil, r.refuse("results_unasked", "it holds scores without questions and answers").
			WithHint("compare two such files: workbench compare OLD NEW; to import, export the items of the experiment or the table of traces")
	}
	r.seekStrays()
	if err := r.faults.Problem(); err != nil {
		return nil, aboutResults(err)
	}
	r.sample()
	f.Notes = append(f.Notes, r.maskNotes()...)
	answered := 0
	for _, item := range f.Items {
		if item.Answer != nil {
			answered++
		}
	}
	if answered == 0 && !f.scoresOnly {
		return nil, r.refuse("results_empty", "it holds no answer").
			WithHint("export the results with questions and answers; docs/imports.md shows how for each tool")
	}
	if !f.scoresOnly {
		r.unscore()
	}
	if err := r.scale(); err != nil {
		return nil, err
	}
	if told, other := intake.OtherLanguages(f.Questions()); other && !r.options.scoring {
		f.tell(told)
	}
	f.Notes = append(f.Notes, f.repeated()...)
	if r.cut > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("contexts cut in %s: %d of them and %d KiB of each are kept", intake.Plural(r.cut, "row"),
			remote.MaxContexts, remote.MaxContextBytes>>10))
	}
	if !f.scoresOnly {
		f.Notes = append(f.Notes, f.unanswered()...)
	}
	return f, nil
}

// unscore takes away what a tool says of answers that are none: they count at no door, neither as good nor as bad.
func (r *foreignReader) unscore() {
	for i := range r.out.Items {
		if r.out.Items[i].Answer == nil {
			r.out.Items[i].Scores = nil
		}
	}
}

// aboutResults turns a problem with a table, which speaks of questions, into one that speaks of results.
func aboutResults(err error) error {
	p := *problem.From(err)
	if rest, ok := strings.CutPrefix(p.Code, "dataset_"); ok {
		p.Code = "results_" + rest
	}
	return &p
}

// unanswered says how many rows have no answer, and of how many of them the file says that they failed.
func (f *Foreign) unanswered() (notes []string) {
	failed, silent := 0, 0
	for _, item := range f.Items {
		switch {
		case item.Answer != nil, item.Again:
		case item.Failure != "":
			failed++
		default:
			silent++
		}
	}
	if failed > 0 {
		notes = append(notes, fmt.Sprintf("%s without an answer: %s says it failed; no score there counts", intake.Plural(failed, "row"), f.Tool))
	}
	if silent > 0 {
		notes = append(notes, withoutAnswer(silent))
	}
	return notes
}

// withoutAnswer says what becomes of rows whose answer is empty.
func withoutAnswer(rows int) string {
	return intake.Plural(rows, "row") + " without an answer: no score there counts"
}

// foreignFile is a file as its format reads, before anybody asks whose it is.
type foreignFile struct {
	file, ext string        // every table is read as a .csv file is
	table     *intake.Table // nil: no table
	wrong     error         // what is wrong with its rows
	unit      string
	text      string
	object    map[string]any   // of a .json file that is an object
	rows      []map[string]any // of a .json list, or of .jsonl; nil cells where a row lacks a key
	numbers   []int            // of the rows
	header    []string         // columns, where the file has an order
	notes     []string
	nested    bool // its rows were gathered out of objects: see [foreignFile.unnest]
}

func (f *foreignFile) refuse(code, format string, args ...any) *problem.Problem {
	why := problem.New(problem.Invalid, code, format, args...)
	return problem.New(problem.Invalid, code, "%s: %s", f.file, problem.Both(why.Message, why.In("ja").Message)).With("file", f.file)
}

func openForeign(raw []byte, file, sheet string) (*foreignFile, error) {
	f, err := openedForeign(raw, file, sheet)
	if err == nil && f.table == nil {
		f.unnest()
	}
	return f, err
}

func openedForeign(raw []byte, file, sheet string) (*foreignFile, error) {
	f := &foreignFile{file: file, ext: strings.ToLower(filepath.Ext(file)), unit: "item"}
	if f.ext == ".xlsx" {
		return f, f.openTable(raw, sheet)
	}
	if sheet != "" {
		return nil, intake.NoSheets(file, sheet)
	}
	if otelBinary(f.ext) {
		return f, f.readBinary(raw)
	}
	if !slices.Contains([]string{".json", ".jsonl", ".csv", ".tsv"}, f.ext) {
		return nil, f.refuse("results_file_kind", "it is of a kind that is not read").
			WithHint("export the results as .json, .jsonl, .csv, .tsv or .xlsx; traces of OpenTelemetry in protobuf end in .pb, .binpb or .otlp")
	}
	s, _, err := intake.Decoded(raw, file, "")
	if err != nil {
		return nil, err
	}
	if f.ext == ".json" && intake.IsLines(s) {
		f.ext = ".jsonl"
	}
	if f.ext != ".json" {
		f.unit = "line"
	}
	f.text = s
	if f.ext == ".csv" || f.ext == ".tsv" {
		return f, f.openTable([]byte(s), "")
	}
	var t intake.Table
	s = t.ReplaceNaN(s)
	if f.ext == ".jsonl" {
		return f, f.readLines(s)
	}
	v, err := decodeForeign(s)
	if err != nil {
		return nil, f.refuse("results_json", "it is not JSON that can be read: %v", err).
			WithHint("export it again; one object per line is a .jsonl file")
	}
	switch v := v.(type) {
	case map[string]any:
		f.object = v
		if run := objectOf(v["testRunData"]); run != nil { // DeepEval keeps its latest run with a link beside it
			f.object = run
		}
		return f, f.splitRows()
	case []any:
		for i, item := range v {
			row, ok := item.(map[string]any)
			if !ok {
				return nil, f.refuse("results_json", "item %d is no object", i+1).WithHint("docs/imports.md shows the files that are read")
			}
			f.rows, f.numbers = append(f.rows, row), append(f.numbers, i+1)
		}
	}
	return f, nil
}

// openTable reads a table: of a workbook the sheet that is called so, or looks most like one of results. What is wrong with its rows is
// kept for whoever reads them: promptfoo's are read in another way.
func (f *foreignFile) openTable(raw []byte, sheet string) error {
	faults := &intake.RowFaults{File: f.file}
	t, err := intake.ReadTable(raw, f.file, sheet, faults)
	if err != nil {
		return aboutResults(err)
	}
	if several := severalTables(t, f.file); several != nil {
		f.wrong = several
	} else if err := faults.Problem(); err != nil {
		f.wrong = aboutResults(err)
	}
	f.table, f.ext, f.unit = t, ".csv", t.Unit
	return nil
}

// splitRows takes rows out of an object that holds them, and turns a table of columns and data, as MLflow logs tables and pandas writes
// them with orient="split", into rows.
func (f *foreignFile) splitRows() error {
	if rows := listOf(f.object["rows"]); len(rows) > 0 && objectOf(rows[0]) != nil { // Azure AI Evaluation, with means beside them
		for i, one := range rows {
			f.rows, f.numbers = append(f.rows, objectOf(one)), append(f.numbers, i+1)
		}
		f.object = nil
		return nil
	}
	columns, data := listOf(f.object["columns"]), listOf(f.object["data"])
	if columns == nil || data == nil {
		return nil
	}
	f.header = make([]string, len(columns))
	for i, c := range columns {
		f.header[i], _ = c.(string)
	}
	for i, one := range data {
		cells, ok := one.([]any)
		if !ok || len(cells) != len(columns) {
			return f.refuse("results_json", "row %d of its data does not have a value for each of its %d columns", i+1, len(columns)).
				WithHint("export the table again")
		}
		row := make(map[string]any, len(cells))
		for j, cell := range cells {
			row[f.header[j]] = cell
		}
		f.rows, f.numbers = append(f.rows, row), append(f.numbers, i+1)
	}
	f.object = nil
	return nil
}

func (f *foreignFile) readLines(s string) error {
	number := 0
	for line := range strings.Lines(s) {
		number++
		if strings.TrimSpace(line) == "" {
			continue
		}
		v, err := decodeForeign(line)
		row, ok := v.(map[string]any)
		if err != nil || !ok {
			return f.refuse("results_json", "line %d is no JSON object", number).With("line", number).
				WithHint("a .jsonl file holds one object in each line")
		}
		f.rows, f.numbers = append(f.rows, row), append(f.numbers, number)
	}
	return nil
}

func decodeForeign(s string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, intake.NotJSON(err)
	}
	if dec.More() {
		return nil, errors.New("more text follows after its end")
	}
	return v, nil
}

// recognise tells whose results these are; "" when they look like nobody's.
func (f *foreignFile) recognise() string {
	var first map[string]any
	if len(f.rows) > 0 {
		first = f.rows[0]
	}
	has := func(row map[string]any, keys ...string) bool {
		for _, key := range keys {
			if _, there := row[key]; !there {
				return false
			}
		}
		return true
	}
	within := func(row map[string]any) func(...string) bool {
		return func(keys ...string) bool { return has(row, keys...) }
	}
	if first == nil && len(listOf(f.object["data"])) > 0 { // a page of an API
		first = objectOf(listOf(f.object["data"])[0])
	}
	switch o := f.object; {
	case f.nested:
		return ToolTable
	case f.ext == ".csv":
		return f.recogniseCSV()
	case looksLikeOTel(o), looksLikeOTel(first):
		return ToolOTel
	case whichTraces(o, first) != "":
		return whichTraces(o, first)
	case experimentTool(slices.Collect(maps.Keys(first))) != "":
		return experimentTool(slices.Collect(maps.Keys(first)))
	case looksLikeLangfuse(within(o)), looksLikeLangfuse(within(first)):
		return ToolLangfuse
	case looksLikeMLflow(slices.Collect(maps.Keys(o))), looksLikeMLflow(slices.Collect(maps.Keys(first))):
		return ToolMLflow
	case has(o, "testCases"), has(o, "test_results"), has(o, "testResults"), has(first, "input", "actual_output"),
		has(first, "input", "actualOutput"):
		return ToolDeepEval
	case has(objectOf(o["results"]), "results"), looksLikePromptfoo(first),
		len(listOf(o["results"])) > 0 && looksLikePromptfoo(objectOf(listOf(o["results"])[0])):
		return ToolPromptfoo
	case o["results"] != nil && len(listOf(o["results"])) > 0 && has(objectOf(listOf(o["results"])[0]), "query", "response", "gt_answer"),
		has(first, "query", "response", "gt_answer"):
		return ToolRAGChecker
	case has(o, "user_input", "response"), has(o, "question", "answer"):
		return tableTool(slices.Collect(maps.Keys(o)))
	case has(first, "user_input", "response"), has(first, "question", "answer"):
		return tableTool(f.columns())
	}
	return ""
}

func objectOf(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

func listOf(v any) []any {
	l, _ := v.([]any)
	return l
}
