package foreign

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// Experiments of LangSmith and Phoenix: a row is a question with its right answer, what was answered, and what evaluators said. The
// traces of both tools are other files.

// experimentForm says what the columns of an experiment are called. Each name also stands before a dot where a value has a column for
// each of its keys: inputs.question.
type experimentForm struct {
	fields map[string][]string
	scores *text.Pattern // columns that are scores, whatever they hold; the name is its first group
	others bool          // without such columns, every column of numbers of another name is a score
	aside  []string      // columns that say something of the run and not of the answer
}

var experimentForms = map[string]experimentForm{
	ToolLangSmith: {
		fields: map[string][]string{
			intake.FieldQuestion: {"inputs", "input"}, intake.FieldAnswer: {"outputs", "output"},
			intake.FieldReference: {"reference_outputs", "reference_output", "reference"},
			intake.FieldID:        {"example_id", "reference_example_id", "example"},
		},
		scores: text.Lazy(`^feedback\.(.+)$`), others: true,
		aside: strings.Fields("id name run run_id run_type run_name status error start_time end_time trace_id session session_id metadata tags url"),
	},
	ToolPhoenix: {
		fields: map[string][]string{
			intake.FieldQuestion: {"input"}, intake.FieldAnswer: {"output"}, intake.FieldReference: {"reference_output", "expected"},
			intake.FieldID: {"example_id"},
		},
		scores: text.Lazy(`^(?:annotation_|eval\.)(.+)[._]score$`),
		aside:  strings.Fields("id run_id error start_time end_time trace_id metadata annotations repetition_number"),
	},
}

// experimentTool tells whose experiment a table is by its columns; "" where they are everybody's.
func experimentTool(columns []string) string {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(columns, name) })
	}
	begins := func(start string) bool {
		return slices.ContainsFunc(columns, func(c string) bool { return strings.HasPrefix(c, start) })
	}
	inputs, outputs := has("inputs") || begins("inputs."), has("outputs") || begins("outputs.")
	switch {
	case inputs && outputs && (has("reference_outputs") || begins("reference_outputs.") || begins("feedback.")),
		has("inputs", "outputs", "reference"),
		begins("inputs.") && begins("outputs.") && (begins("reference.") || has("example_id")),
		has("inputs", "outputs", "run_type"):
		return ToolLangSmith
	case has("example_id", "input", "output") && (has("reference_output") || has("annotations") || has("repetition_number") ||
		slices.ContainsFunc(columns, experimentForms[ToolPhoenix].scores.MatchString)):
		return ToolPhoenix
	}
	return ""
}

// isExperiment reports whether a file of this tool is an experiment rather than traces. A table of LangSmith is always one.
func (f *foreignFile) isExperiment(tool string) bool {
	var columns []string
	switch {
	case experimentForms[tool].fields == nil:
		return false
	case f.ext == ".csv":
		columns = f.table.Columns
	case len(f.rows) > 0:
		if _, span := traceTools[tool](f.rows[0]); span {
			return false
		}
		columns = f.columns()
	}
	return experimentTool(columns) == tool || tool == ToolLangSmith && f.ext == ".csv"
}

// experiment reads an experiment of LangSmith, as its page exports it or ExperimentResults.to_pandas gives it, or of Phoenix, as its API
// gives it (GET /v1/experiments/ID/json or /csv).
func (r *foreignReader) experiment() error {
	if r.ext == ".csv" {
		if err := r.csvRows(); err != nil {
			return err
		}
	}
	form := experimentForms[r.out.Tool]
	fields, err := r.experimentFields(form)
	if err != nil {
		return err
	}
	scores := r.experimentScores(form, fields)
	for i, row := range r.rows {
		r.experimentRow(ForeignItem{Row: r.numbers[i]}, row, fields, scores)
	}
	return nil
}

// experimentFields tells which columns hold which field; a mapping comes before the usual names.
func (r *foreignReader) experimentFields(form experimentForm) (map[string][]string, error) {
	fields, named := map[string][]string{}, map[string]bool{}
	for _, name := range r.columns() {
		if field, ok := r.options.Columns[name]; ok {
			fields[field], named[name] = append(fields[field], name), true
		}
	}
	if err := r.checkColumns(named); err != nil {
		return nil, err
	}
	for field, starts := range form.fields {
		if fields[field] != nil {
			continue
		}
		for _, start := range starts {
			for _, name := range r.columns() {
				if !named[name] && (name == start || strings.HasPrefix(name, start+".")) {
					fields[field], named[name] = append(fields[field], name), true
				}
			}
			if fields[field] != nil {
				break
			}
		}
	}
	for _, need := range []string{intake.FieldQuestion, intake.FieldAnswer} {
		if fields[need] == nil {
			return nil, r.without(need, r.columns())
		}
	}
	return fields, nil
}

// experimentScores are the columns of scores with the names of their metrics. What is left out is noted.
func (r *foreignReader) experimentScores(form experimentForm, fields map[string][]string) map[string]string {
	used := map[string]bool{}
	for _, names := range fields {
		for _, name := range names {
			used[name] = true
		}
	}
	scores := map[string]string{}
	var words, passed []string
	marked := slices.ContainsFunc(r.columns(), form.scores.MatchString)
	for _, name := range r.columns() {
		m := form.scores.FindStringSubmatch(name)
		switch {
		case used[name], slices.Contains(form.aside, name), experimentAside(name):
		case m != nil && slices.ContainsFunc(r.rows, func(row map[string]any) bool { _, ok := rated(row[name]); return !ok }):
			words = append(words, name)
		case m != nil:
			scores[name] = m[1]
		case form.others && !marked && !metrics.OfOperation(name) && r.isForeignMetric(name):
			scores[name] = name
		default:
			passed = append(passed, name)
		}
	}
	if len(words) > 0 {
		r.out.Notes = append(r.out.Notes, "columns that hold words and no scores passed over: "+strings.Join(shortList(words), ", "))
	}
	r.passOver(passed)
	return scores
}

// experimentAside reports whether a column of Phoenix says something beside a score.
func experimentAside(name string) bool {
	if !strings.HasPrefix(name, "annotation_") && !strings.HasPrefix(name, "eval.") {
		return false
	}
	return slices.ContainsFunc([]string{"label", "explanation", "metadata", "annotator_kind", "trace_id", "error", "start_time",
		"end_time"},
		func(end string) bool { return strings.HasSuffix(name, "_"+end) || strings.HasSuffix(name, "."+end) })
}

// fieldOf is the value of a field: of its column, or an object of its columns.
func fieldOf(row map[string]any, names []string) any {
	if len(names) == 0 {
		return nil
	}
	if len(names) == 1 && !strings.Contains(names[0], ".") {
		return row[names[0]]
	}
	object := map[string]any{}
	for _, name := range names {
		_, key, dotted := strings.Cut(name, ".")
		if !dotted {
			return row[name]
		}
		if v := row[name]; v != nil && v != "" {
			object[key] = v
		}
	}
	return object
}

// figureOf is a figure of operation, also from a cell of a table; 0 for none.
func figureOf(v any) float64 {
	if s, isText := v.(string); isText {
		v = json.Number(strings.TrimSpace(s))
	}
	return numberOf(v)
}

func (r *foreignReader) experimentRow(item ForeignItem, row map[string]any, fields map[string][]string, scores map[string]string) {
	output := fieldOf(row, fields[intake.FieldAnswer])
	item.Question = asked(fieldOf(row, fields[intake.FieldQuestion]))
	item.Reference = right(fieldOf(row, fields[intake.FieldReference]))
	item.ID = r.words(&item, intake.FieldID, fieldOf(row, fields[intake.FieldID]))
	if answer := answered(output); answer != "" {
		item.Answer = &answer
	} else {
		item.Failure = failureOf(said(row["error"], nil, ""))
	}
	if object := objectOf(objectLiteral(output)); object != nil {
		r.contextsOf(&item, "outputs", firstOf(object, retrievedNames...))
	}
	latency := figureOf(row["latency_ms"])
	if latency == 0 {
		latency = 1000 * figureOf(firstOf(row, "latency", "execution_time"))
	}
	prompt := figureOf(firstOf(row, "prompt_token_count", "prompt_tokens"))
	completion := figureOf(firstOf(row, "completion_token_count", "completion_tokens"))
	if latency > 0 || prompt > 0 || completion > 0 {
		item.Measured = &rag.Measured{LatencyMS: int64(latency + .5), PromptTokens: int(prompt), CompletionTokens: int(completion)}
	}
	for _, name := range r.columns() {
		metric, is := scores[name]
		if !is {
			continue
		}
		aside := func(end string) string {
			v := firstOf(row, strings.TrimSuffix(name, "score")+end)
			return said(v, nil, "")
		}
		v, _ := rated(row[name])
		reason, failed := "", ""
		if r.out.Tool == ToolPhoenix {
			reason, failed = aside("explanation"), aside("error")
		}
		r.score(&item, metric, v, reason, failed)
	}
	for _, one := range listOf(objectLiteral(row["annotations"])) {
		a := objectOf(one)
		if v, ok := rated(there(a["score"], a["label"])); ok && a != nil {
			r.score(&item, r.words(&item, "annotations", a["name"]), v, said(a["explanation"], nil, ""), said(a["error"], nil, ""))
		}
	}
	r.add(item)
}
