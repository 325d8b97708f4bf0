package intake

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/text"
)

// AnswersReport tells a person how a file of logged answers was understood.
type AnswersReport struct {
	ReadReport
	Missing []string `json:"missing"` // ids of the dataset's questions that the file does not answer
}

// ReadAnswers reads what a system answered to the questions of a dataset into a log of version 0 called name.
//
// The file is JSONL, JSON, CSV, TSV or XLSX, as for [ReadDataset], with one answer in a row. Columns are found by the names that
// common tools use; [AnswerFields] lists ours. A row belongs to the question whose id it names, or else to the one with its
// text; where both are given they must agree. Contexts are a list of texts, or of objects with a text and an id; JSON lists,
// Python lists and text with one context per line are accepted, and the report says which was assumed. An empty answer is an
// answer; a row without one is refused. A row without contexts has none logged, which is not the same as an empty list.
//
// A row that fits no question, two rows for one question, and everything else that is wrong with the rows is in one Problem as
// from [ReadDataset]; nothing is returned half-read. Questions without a row are no fault; the report lists them.
func ReadAnswers(path, name string, dataset *experiments.Dataset, opts ReadOptions) (*rag.Log, AnswersReport, error) {
	raw, err := text.ReadFile(path, MaxDatasetBytes)
	if err != nil {
		return nil, AnswersReport{}, err
	}
	return readAnswers(raw, filepath.Base(path), name, dataset, opts)
}

func readAnswers(raw []byte, file, name string, dataset *experiments.Dataset, opts ReadOptions) (*rag.Log, AnswersReport, error) {
	faults := &RowFaults{File: file}
	opts.Sheets = opts.Sheets[:min(1, len(opts.Sheets))]
	t, err := readTable(raw, file, opts, faults, nil)
	if err != nil {
		return nil, AnswersReport{}, err
	}
	if err := faults.Problem(); err != nil {
		return nil, AnswersReport{}, err
	}
	t.SetSumsAside()
	columns, notes, err := mapAnswerColumns(file, t.Columns, opts.Columns)
	if err != nil {
		return nil, AnswersReport{}, err
	}
	b := NewAnswerBuilder(t, columns, dataset, faults)
	for _, row := range t.Rows {
		b.row(row)
	}
	if err := faults.Problem(); err != nil {
		return nil, AnswersReport{}, err
	}
	answers, missing := b.InOrder()
	if len(answers) == 0 {
		return nil, AnswersReport{}, problem.New(problem.Invalid, "answers_empty", "%s holds no answer", file).With("file", file).
			WithHint("write one answer per row below the column names")
	}
	report := AnswersReport{Missing: missing}
	report.ReadReport = ReadReport{Format: t.format, Encoding: t.encoding, Sheet: t.sheet, Rows: len(answers),
		Columns: columns.uses(t.Columns)}
	report.Notes = slices.Concat(t.Notes, notes, b.notes())
	ref := experiments.Ref{Name: dataset.Name, Version: dataset.Version}
	return rag.NewLog(name, ref.String(), answers), report, nil
}

// AnswerBuilder turns rows into logged answers and gathers what is wrong and what was assumed.
type AnswerBuilder struct {
	*questionBuilder // reads cells, and counts how lists were read
	dataset          *experiments.Dataset
	ByID             map[string]int
	ByText           map[string]int // by folded text; -1: several questions have it
	Taken            map[int]int    // question → row
	Answers          map[int]rag.LoggedAnswer

	empty, unlogged, cut int
}

// NewAnswerBuilder returns what collects the answers of a table to the questions of a dataset.
func NewAnswerBuilder(t *Table, m ColumnMap, dataset *experiments.Dataset, f *RowFaults) *AnswerBuilder {
	b := &AnswerBuilder{
		questionBuilder: newQuestionBuilder(t, m, nil, f), dataset: dataset, ByID: map[string]int{}, ByText: map[string]int{},
		Taken: map[int]int{}, Answers: map[int]rag.LoggedAnswer{},
	}
	for i, q := range dataset.Questions {
		b.ByID[q.ID] = i
		key := text.Fold(q.Text)
		if _, twice := b.ByText[key]; twice {
			b.ByText[key] = -1
			continue
		}
		b.ByText[key] = i
	}
	return b
}

func (b *AnswerBuilder) row(row TableRow) {
	r := &rowReader{b: b.questionBuilder, row: row}
	r.id = r.text(FieldID)
	at, ok := b.find(r)
	if !ok {
		return
	}
	q := b.dataset.Questions[at]
	r.id = q.ID
	if other, twice := b.Taken[at]; twice {
		r.fault(FieldID, "%s %d answers the same question; a log holds one answer to each", b.table.Unit, other)
		return
	}
	b.Taken[at] = row.Number
	a := rag.LoggedAnswer{QuestionID: q.ID, Question: q.Text, Answer: b.answer(r)}
	a.Contexts, a.Notes = b.contexts(r)
	a.Measured = b.measured(r)
	b.Answers[at] = a
}

// find is the question that a row answers.
func (b *AnswerBuilder) find(r *rowReader) (at int, ok bool) {
	wording, err := CellText(r.textInside(r.value(FieldQuestion), askedInside))
	if err != nil {
		r.fault(FieldQuestion, "%v", err)
		return 0, false
	}
	byID, hasID := b.ByID[r.id]
	byText, hasText := b.ByText[text.Fold(wording)]
	switch {
	case r.id == "" && wording == "":
		r.fault(FieldID, "names neither a question's id nor its text")
	case hasID && r.id != "" && wording != "" && text.Fold(b.dataset.Questions[byID].Text) != text.Fold(wording):
		r.fault(FieldQuestion,
			"is not worded as question %s of the dataset (%q); if the ids alone are right, leave the column out: --map \"%s=ignore\"",
			r.id, Shortened(b.dataset.Questions[byID].Text), b.table.Columns[b.columns.at(FieldQuestion)])
	case hasID && r.id != "":
		return byID, true
	case wording != "" && hasText && byText >= 0:
		return byText, true
	case wording != "" && hasText:
		r.fault(FieldQuestion, "several questions of the dataset have this text; name the question's id in a column %s", FieldID)
	case r.id != "":
		r.fault(FieldID, "the dataset %s has no question %q%s", b.dataset.Name, Shortened(r.id), orThisText(wording))
	default:
		r.fault(FieldQuestion, "the dataset %s has no question %q", b.dataset.Name, Shortened(wording))
	}
	return 0, false
}

func orThisText(wording string) string {
	if wording == "" {
		return ""
	}
	return " and none with this text"
}

// AnswerNamesInside are where an object that stands for an answer keeps its text.
var AnswerNamesInside = []string{"answer", "output", "response", "text", "content", "result"}

func (b *AnswerBuilder) answer(r *rowReader) string {
	v := r.textInside(r.value(FieldAnswer), AnswerNamesInside)
	s, err := CellText(v)
	switch {
	case err != nil:
		r.fault(FieldAnswer, "%v", err)
	case v == nil || s == "NaN" || s == "nan":
		r.fault(FieldAnswer, "there is no answer; if the system answered nothing, write an empty text")
	case s == "":
		b.empty++
	}
	return s
}

// contexts reads the retrieved texts; nil where they were not logged.
func (b *AnswerBuilder) contexts(r *rowReader) (contexts []rag.LoggedContext, notes []string) {
	if b.columns.at(FieldContexts) < 0 {
		return nil, nil
	}
	v := r.value(FieldContexts)
	if s, ok := v.(string); v == nil || ok && (strings.TrimSpace(s) == "" || strings.EqualFold(strings.TrimSpace(s), "nan")) {
		b.unlogged++
		return nil, nil
	}
	if s, ok := v.(string); ok && strings.HasPrefix(strings.TrimSpace(s), "[") && strings.HasSuffix(strings.TrimSpace(s), "]") {
		if _, _, isList := ListLiteral(strings.TrimSpace(s)); !isList {
			r.fault(FieldContexts, "%q looks like a list but is not one in JSON or Python", Shortened(s))
			return nil, nil
		}
	}
	items := r.list(FieldContexts, "", nil)
	ids := r.list(fieldContextIDs, AsSplit, SplitTags)
	if len(ids) > 0 && len(ids) != len(items) {
		r.fault(fieldContextIDs, "has %d ids for %d contexts", len(ids), len(items))
		return nil, nil
	}
	cut := len(items) > remote.MaxContexts
	contexts = make([]rag.LoggedContext, 0, len(items))
	for i, item := range items[:min(len(items), remote.MaxContexts)] {
		c, short, ok := rag.ReadContext(item)
		if !ok {
			r.fault(FieldContexts, "item %d is neither a text nor an object with a text", i+1)
			return nil, nil
		}
		cut = cut || short
		if c.DocID == "" && len(ids) > 0 {
			c.DocID, _ = CellText(ids[i])
		}
		contexts = append(contexts, c)
	}
	if cut {
		b.cut++
		notes = []string{remote.NoteContextsCapped}
	}
	return contexts, notes
}

// measured reads what the log says about time and tokens; nil when it says nothing.
func (b *AnswerBuilder) measured(r *rowReader) *rag.Measured {
	var m rag.Measured
	m.LatencyMS = r.latency()
	m.PromptTokens, m.CompletionTokens = r.count(fieldPromptTokens), r.count(fieldCompletionTokens)
	if m == (rag.Measured{}) {
		return nil
	}
	return &m
}

// InOrder returns the answers in the order of the dataset, and the ids of the questions without one.
func (b *AnswerBuilder) InOrder() (answers []rag.LoggedAnswer, missing []string) {
	missing = []string{}
	for i, q := range b.dataset.Questions {
		if a, ok := b.Answers[i]; ok {
			answers = append(answers, a)
		} else {
			missing = append(missing, q.ID)
		}
	}
	return answers, missing
}

// notes is what was assumed, as sentences.
func (b *AnswerBuilder) notes() []text.Said {
	out := b.report()
	say := func(n int, en, ja string) {
		if n > 0 {
			out = append(out, text.Say(en, ja, text.Count(n, "row", "行")))
		}
	}
	say(b.empty, "an empty answer in %s: the system answered nothing", "空の回答が%sあります：システムは何も答えていません")
	say(b.unlogged, "no contexts logged in %s: metrics that look at them do not apply there",
		"参照箇所の記録がない行が%sあります：参照箇所を見る指標は適用しません")
	say(b.cut, "contexts cut in %s: 200 of them and 16 KiB of each are kept",
		"参照箇所を%sで切り詰めました：200件まで、1件16 KiBまでを保存します")
	if b.columns.at(FieldContexts) < 0 {
		out = append(out, text.Say("no column with contexts: metrics that look at them do not apply",
			"参照箇所の列がないため、参照箇所を見る指標は適用しません"))
	}
	return out
}
