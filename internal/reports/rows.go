package reports

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// Row is one question of the report as data: everything that the workbook says of it. It is one line of [Report.WriteJSONL], and
// one line of [Report.WriteCSV] with the metrics in columns of their own.
type Row struct {
	RunID      string   `json:"run_id"`
	QuestionID string   `json:"question_id"`
	Question   string   `json:"question"`
	Reference  string   `json:"reference,omitempty"`
	Answer     *string  `json:"answer"`            // null without one
	Failure    string   `json:"failure,omitempty"` // why there is no answer
	Tags       []string `json:"tags,omitempty"`
	Critical   bool     `json:"critical,omitempty"`
	LowScore   *bool    `json:"low_score"` // null where no score tells

	Scores  map[string]float64 `json:"scores"`            // by metric id
	Missing map[string]string  `json:"missing,omitempty"` // why there is no score, by metric id: "not_applicable: no_reference"
	Reasons map[string]string  `json:"reasons,omitempty"` // of the judge, by metric id

	// since the baseline; "" without one, where it was left out, or where nothing that decides was scored
	Change   analysiscompare.Label  `json:"change,omitempty"`
	Pattern  causes.Pattern         `json:"pattern,omitempty"`
	Data     causes.DataCause       `json:"data_cause,omitempty"`
	Cause    causes.Component       `json:"cause,omitempty"`
	Method   string                 `json:"cause_method,omitempty"`
	Sure     causes.Certainty       `json:"certainty,omitempty"`
	Why      *experiments.Rationale `json:"rationale,omitempty"`
	Category experiments.Category   `json:"category,omitempty"`
	Theme    string                 `json:"theme,omitempty"`
}

// rowOf is what the report says of a question.
func (f *content) rowOf(r row) Row {
	q, res := r.question, r.result
	out := Row{
		RunID: f.after.run.ID, QuestionID: res.QuestionID, Question: q.Text, Reference: q.Reference, Tags: q.Tags, Critical: q.Critical,
		Scores: map[string]float64{}, Missing: map[string]string{}, Reasons: map[string]string{},
	}
	if res.Answer != nil {
		out.Answer = &res.Answer.Text
	}
	if res.Failure != nil {
		out.Failure = res.Failure.Cause
	}
	if res.Rated(f.rule) {
		out.LowScore = new(res.Low(f.rule))
	}
	for i, s := range res.Scores {
		switch {
		case s.State == metrics.Scored && finite(s.Value):
			out.Scores[s.Metric] = s.Value
			if reason := res.Reason(i); reason != "" {
				out.Reasons[s.Metric] = reason
			}
		case s.State == metrics.Scored:
			out.Missing[s.Metric] = string(metrics.Errored) + ": not_a_number"
		case s.Reason != "":
			out.Missing[s.Metric] = string(s.State) + ": " + s.Reason
		default:
			out.Missing[s.Metric] = string(s.State)
		}
	}
	if f.Comparison != nil && !f.apart[q.ID] && !slices.Contains(f.Comparison.Undecided, q.ID) {
		out.Change = analysiscompare.NoChange
		if v, ok := f.changes[q.ID]; ok {
			out.Change = v.Verdict
		}
	}
	if d := f.causes[q.ID]; d != nil {
		out.Pattern, out.Data, out.Cause, out.Method, out.Sure, out.Why = d.Pattern, d.Data, d.Component, string(d.Method),
			d.Certainty, &d.Rationale
	}
	if l := f.labels[q.ID]; l != nil {
		out.Category, out.Theme = l.Category, l.Theme
	}
	if c, ok := tagged(q, "category:"); ok {
		out.Category = experiments.Category(c)
	}
	if t, ok := tagged(q, "theme:"); ok {
		out.Theme = t
	}
	return out
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// WriteJSONL writes every question as one line of JSON, in the order of the dataset. The language does not matter: codes are codes.
func (r Report) WriteJSONL(w io.Writer) error {
	f, err := r.content()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, row := range f.after.rows {
		if err := enc.Encode(f.rowOf(row)); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteCSV writes every question as a line of a table ([Table]): UTF-8 with a byte order mark, so that spreadsheets read Japanese,
// and no text that they would take for a formula. A missing score is an empty cell; the last column says why.
func (r Report) WriteCSV(w io.Writer) error {
	f, err := r.content()
	if err != nil {
		return err
	}
	head := []string{
		"run_id", "question_id", "question", "reference", "answer", "low_score", "change", "pattern", "data_cause", "cause", "cause_method",
		"certainty", "rationale",
		"category", "theme", "tags", "critical",
	}
	for _, s := range f.specs {
		head = append(head, s.ID)
	}
	return spreadsheet.Table{Name: "questions", Columns: append(head, "missing"), Rows: func(yield func([]any) error) error {
		for _, row := range f.after.rows {
			if err := yield(f.tableLine(row)); err != nil {
				return err
			}
		}
		return nil
	}}.Write(w, "csv")
}

func (f *content) tableLine(r row) []any {
	d := f.rowOf(r)
	answer, low := "", ""
	if d.Answer != nil {
		answer = *d.Answer
	}
	if d.LowScore != nil {
		low = strconv.FormatBool(*d.LowScore)
	}
	var missing []string
	if d.Failure != "" {
		missing = append(missing, "answer: "+d.Failure)
	}
	line := []any{
		d.RunID, d.QuestionID, d.Question, d.Reference, answer, low, string(d.Change), string(d.Pattern), string(d.Data), string(d.Cause),
		d.Method, string(d.Sure),
		f.rationale(d.QuestionID), string(d.Category), d.Theme, strings.Join(d.Tags, ", "), d.Critical,
	}
	for _, s := range f.specs {
		if v, ok := d.Scores[s.ID]; ok {
			line = append(line, v)
			continue
		}
		line = append(line, nil)
		why := d.Missing[s.ID]
		if why == "" {
			why = "not_measured"
		}
		missing = append(missing, s.ID+": "+why)
	}
	line = append(line, strings.Join(missing, "; "))
	for i, v := range line {
		if s, ok := v.(string); ok {
			line[i] = spreadsheet.Clean(s)
		}
	}
	return line
}
