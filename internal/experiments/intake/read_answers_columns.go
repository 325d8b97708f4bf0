package intake

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// The fields of a logged answer, besides question_id and question.
const (
	FieldAnswer           = "answer"
	FieldContexts         = "contexts"
	fieldContextIDs       = "context_ids"
	fieldLatencyMS        = "latency_ms"
	fieldLatencyS         = "latency_s"
	fieldPromptTokens     = "prompt_tokens"
	fieldCompletionTokens = "completion_tokens"
)

// AnswerFields returns the names a column of logged answers can be mapped to, besides "ignore".
func AnswerFields() []string {
	names := make([]string, len(answerAliases))
	for i, a := range answerAliases {
		names[i] = a.field
	}
	return names
}

// IsAnswer reports whether a column is called as one with answers.
func IsAnswer(column string) bool { return calledAs(FieldAnswer, column) }

// SurelyAnswered reports whether a column that holds answers says by its name that a system gave them. An answer alone may be the right
// one.
func SurelyAnswered(column string) bool {
	field, _ := guessName(column)
	return field == kindSystem || IsAnswer(column) && !MayBeRight(column)
}

// MayBeRight reports whether a column's name means an answer, of which what stands beside it has to say whose it is: answer, 回答, model
// answer.
func MayBeRight(column string) bool {
	if IsAnswer(column) {
		return slices.Contains(eitherNames, ColumnKey(column))
	}
	field, strength := guessName(column)
	return field == FieldReference && strength < likely
}

// IsContexts reports whether a column is called as one with what was retrieved for an answer.
func IsContexts(column string) bool {
	return calledAs(FieldContexts, column) || isKind(kindContext, column) || says(alsoContexts, column)
}

// calledAs reports whether a column of logged answers has a name of a field.
func calledAs(field, column string) bool {
	return slices.ContainsFunc(answerAliases, func(a struct {
		field string
		names []string
	}) bool {
		return a.field == field && slices.Contains(a.names, ColumnKey(column))
	})
}

// mapAnswerColumns decides what each column is: first by override, then by name.
func mapAnswerColumns(file string, columns []string, override map[string]string) (ColumnMap, []text.Said, error) {
	m := ColumnMap{fields: make([]string, len(columns)), column: map[string]int{}, number: -1, rank: -1}
	if err := m.overrideAnswers(file, columns, override); err != nil {
		return m, nil, err
	}
	keys := make([]string, len(columns))
	for i, name := range columns {
		keys[i] = ColumnKey(name)
	}
	var notes []text.Said
	for _, a := range answerAliases {
		for _, name := range a.names {
			i := slices.Index(keys, name)
			switch {
			case i < 0 || m.fields[i] != "":
			case m.at(a.field) < 0:
				m.set(i, a.field)
			default:
				m.set(i, FieldIgnore)
				notes = append(notes, text.Say("column %s: ignored, because column %s is read as %s",
					"列「%s」：読み取りません（列「%s」を%sとして読み取るため）", columns[i], columns[m.at(a.field)], a.field))
			}
		}
	}
	told, err := m.guessAnswers(file, columns)
	if err != nil {
		return m, nil, err
	}
	notes = append(notes, told...)
	var scores []string
	for i, key := range keys {
		if m.fields[i] != "" {
			continue
		}
		m.set(i, FieldIgnore)
		if isKind(kindScore, columns[i]) {
			scores = append(scores, columns[i])
		}
		if slices.Contains(unclearNames, key) {
			notes = append(notes,
				text.Say("column %s: ignored, because its name does not say the unit; if you know it, say so: --map \"%s=latency_ms\" (or latency_s, prompt_tokens, …)",
					"列「%s」：読み取りません（名前から単位が分からないため）。分かる場合は --map \"%s=latency_ms\"（または latency_s、prompt_tokens など）", columns[i], columns[i]))
		}
	}
	if len(scores) > 0 {
		notes = append(notes, text.Say("scores are not taken over here (%s): workbench import-results takes them over with the answers",
			"採点は取り込みません（%s）。回答と一緒に取り込むには workbench import-results を使ってください",
			strings.Join(scores, ", ")))
	}
	missing := func(field, what string) error {
		return problem.New(problem.Invalid, "answers_column_missing", "%s has no column with %s; its columns are: %s", file, what,
			strings.Join(columns, ", ")).
			With("file", file).With("field", field).With("columns", columns).
			WithHint("name the column %q, or say which one it is: --map \"COLUMN=%s\"", field, field)
	}
	switch {
	case m.at(FieldAnswer) < 0:
		return m, nil, missing(FieldAnswer, "the answers")
	case m.at(FieldID) < 0 && m.at(FieldQuestion) < 0:
		return m, nil, missing(FieldID, "the ids or texts of the questions")
	}
	return m, notes, nil
}

// SystemAnswers are the columns that are called as what systems answered, by more than the names that tools use.
func SystemAnswers(columns []string) (names []string) {
	for _, name := range columns {
		field, strength := guessName(name)
		if (says(alsoAnswer, name) || answersGiven(name)) && (field == kindSystem || field == FieldReference && strength < likely) {
			names = append(names, name)
		}
	}
	if asks, answers := onlyLetters(columns); asks >= 0 && answers >= 0 && len(names) == 0 {
		names = append(names, columns[answers])
	}
	return names
}

// QuestionAmong is the column of questions among those of a table by their names, Q where no other one is; -1 without one.
func QuestionAmong(columns []string) int {
	if at := slices.IndexFunc(columns, func(c string) bool { return FieldNamed(c) == FieldQuestion }); at >= 0 {
		return at
	}
	asks, _ := onlyLetters(columns)
	return asks
}

// onlyLetters are the columns called Q and A and nothing else; -1 without one, and where B stands beside A, which are two systems then.
func onlyLetters(columns []string) (asks, answers int) {
	called := func(letter string) int {
		return slices.IndexFunc(columns, func(c string) bool {
			return plainName(c) == letter && !strings.ContainsAny(c, "([（［【<") // A (expected) says more
		})
	}
	if asks, answers = called("q"), called("a"); called("b") >= 0 {
		answers = -1
	}
	return asks, answers
}

// MayReply reports whether a column's name means what came out of a system, or else whether it was right: result.
func MayReply(name string) bool { return says(alsoReplies, name) }

// UnclearAnswers asks which of several columns holds the answers.
func UnclearAnswers(file string, columns []string) *problem.Problem {
	return problem.New(problem.Invalid, "answers_unclear", "%s holds answers in several columns: %s", file, strings.Join(columns, ", ")).
		With("file", file).With("columns", columns).
		WithHint("say which are read, and import the file once for each: --map \"%s=answer\"", columns[0])
}

// guessAnswers finds the questions, their ids and the answers of a sheet by names that people use, where no name of a tool says which
// they are.
func (m ColumnMap) guessAnswers(file string, columns []string) (notes []text.Said, err error) {
	named, counting := IDColumns(columns)
	ids := slices.Concat(named, counting)
	asks := QuestionAmong(columns)
	for field, i := range map[string]int{FieldQuestion: asks, FieldID: append(ids, -1)[0]} {
		if i >= 0 && m.at(field) < 0 && m.fields[i] == "" {
			m.set(i, field)
		}
	}
	for i, name := range columns {
		if m.at(FieldContexts) < 0 && m.fields[i] == "" && IsContexts(name) {
			m.set(i, FieldContexts)
			notes = append(notes, text.Say("column %s: read as the contexts that were retrieved",
				"列「%s」：検索された参照箇所として読み取りました", name))
		}
	}
	if m.at(FieldAnswer) >= 0 {
		return notes, nil
	}
	found := slices.DeleteFunc(SystemAnswers(columns), func(c string) bool { return m.fields[slices.Index(columns, c)] != "" })
	if len(found) > 1 {
		return nil, UnclearAnswers(file, found)
	}
	for _, name := range found {
		m.set(slices.Index(columns, name), FieldAnswer)
		notes = append(notes, text.Say("column %s: read as what the system answered", "列「%s」：システムの回答として読み取りました", name))
	}
	return notes, nil
}

func (m ColumnMap) overrideAnswers(file string, columns []string, override map[string]string) error {
	sources := make([]string, 0, len(override))
	for source := range override {
		sources = append(sources, source)
	}
	slices.Sort(sources)
	for _, source := range sources {
		field := override[source]
		if field == "id" {
			field = FieldID
		}
		if !slices.Contains(AnswerFields(), field) && field != FieldIgnore {
			return problem.New(problem.Invalid, "answers_field_unknown", "column %s cannot be mapped to %q, which is no field of an answer",
				source, field).
				With("column", source).With("field", field).WithHint("the fields are %s and ignore", strings.Join(AnswerFields(), ", "))
		}
		i := slices.IndexFunc(columns, func(c string) bool { return c == source || ColumnKey(c) == ColumnKey(source) })
		if i < 0 {
			return problem.New(problem.Invalid, "answers_column_unknown", "%s has no column %q to map to %s", file, source, field).
				With("file", file).With("column", source).WithHint("its columns are: %s", strings.Join(columns, ", "))
		}
		if m.at(field) >= 0 || m.fields[i] != "" {
			return problem.New(problem.Invalid, "answers_column_twice", "column %s or the field %s is mapped twice", source, field).
				With("column", source).With("field", field).WithHint("map every column and every field once")
		}
		m.set(i, field)
	}
	return nil
}

// number is a field with a number of 0 or more, times factor; 0 when it is empty.
func (r *rowReader) number(field string, factor float64) float64 {
	v := r.row.Figure(r.b.columns.at(field))
	s := ""
	switch v := v.(type) {
	case Figure:
		s = v.Number.String()
	case json.Number:
		s = v.String()
	case string:
		s = strings.TrimSpace(v)
	case nil:
	default:
		r.fault(field, "holds no number")
		return 0
	}
	if s == "" || strings.EqualFold(s, "nan") {
		return 0
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(n) || n < 0 || n > 1e9 {
		r.fault(field, "%q is not a number from 0 to 1e9", Shortened(s))
		return 0
	}
	return n * factor
}

// latency is the time of an answer in whole milliseconds, which may stand there in two units: then both say the same.
func (r *rowReader) latency() int64 {
	ms, s := r.number(fieldLatencyMS, 1), r.number(fieldLatencyS, 1000)
	const rounding = 0.01 // of the longer one, as seconds are often written with two decimals
	if ms > 0 && s > 0 && math.Abs(ms-s) > max(1, rounding*max(ms, s)) {
		r.fault(fieldLatencyS, "%g s beside %g ms: one answer took one time", s/1000, ms)
	}
	return int64(cmp.Or(ms, s) + 0.5)
}

// count is a whole number of tokens.
func (r *rowReader) count(field string) int {
	n := r.number(field, 1)
	if n != math.Trunc(n) {
		r.fault(field, "%g is no whole number from 0 on", n)
		return 0
	}
	return int(n)
}
