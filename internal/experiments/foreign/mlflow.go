package foreign

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/text"
)

// mlflowScore matches the columns of scores in tables of MLflow: name/v1/score, name/v1 and, for a metric of one's own, name/score of
// mlflow.evaluate; name/value of mlflow.genai.evaluate.
var mlflowScore = text.Lazy(`^(.+?)(/v\d+(/score)?|/score|/value)$`)

// mlflowFields are the columns of MLflow that hold no scores, the likeliest names first.
var mlflowFields = []struct {
	field string
	names []string
}{
	{intake.FieldQuestion, []string{"inputs", "request", "question", "query", "input", "prompt"}},
	{intake.FieldAnswer, []string{"outputs", "response", "predictions", "prediction", "output", "answer"}},
	{intake.FieldReference, []string{"expectations", "expected_response", "ground_truth", "targets", "target", "expected_output",
		"reference", "answer", "expected_facts"}},
	{intake.FieldContexts, []string{"retrieved_context", "retrieved_contexts", "contexts", "context", "retrieved_documents",
		"source_documents"}},
	{intake.FieldID, []string{"question_id", "client_request_id"}},
}

// mlflow reads an evaluation table: eval_results_table.json, the artifact of mlflow.evaluate; or the result_df of
// mlflow.genai.evaluate, written with to_json or to_csv.
func (r *foreignReader) mlflow() error {
	if r.ext == ".csv" {
		if err := r.csvRows(); err != nil {
			return err
		}
	} else if r.object != nil && r.rows == nil {
		if err := r.columnRows(); err != nil {
			return err
		}
	}
	fields, err := r.mlflowColumns()
	if err != nil {
		return err
	}
	var scores, words, passed []string
	used := map[string]bool{"trace_id": true, "request_id": true, "error_message": true, "assessments": true}
	for _, name := range fields {
		used[name] = true
	}
	for _, name := range r.columns() {
		m := mlflowScore.FindStringSubmatch(name)
		switch {
		case used[name], m == nil && mlflowAside(name):
		case m != nil && strings.HasPrefix(m[1], "expected_"):
		case m != nil && slices.ContainsFunc(r.rows, func(row map[string]any) bool { _, ok := rated(row[name]); return !ok }):
			words = append(words, name)
		case m != nil, name == "latency":
			scores = append(scores, name)
		default:
			passed = append(passed, name)
		}
	}
	for i, row := range r.rows {
		r.mlflowRow(ForeignItem{Row: r.numbers[i]}, row, fields, scores)
	}
	if len(words) > 0 {
		r.out.Notes = append(r.out.Notes, "columns that hold words and no scores passed over: "+strings.Join(shortList(words), ", "))
	}
	r.passOver(passed)
	return nil
}

// mlflowAside reports whether a column says something beside a score: why it is what it is, or that it failed.
func mlflowAside(name string) bool {
	return slices.ContainsFunc([]string{"/justification", "/rationale", "/error_message", "/error_code"},
		func(end string) bool { return strings.HasSuffix(name, end) })
}

// mlflowColumns tells which column holds which field; a mapping comes before the usual names.
func (r *foreignReader) mlflowColumns() (map[string]string, error) {
	fields, named := map[string]string{}, map[string]bool{}
	for name, field := range r.options.Columns {
		if slices.Contains(r.columns(), name) {
			fields[field], named[name] = name, true
		}
	}
	if err := r.checkColumns(named); err != nil {
		return nil, err
	}
	for _, f := range mlflowFields {
		for _, name := range f.names {
			if fields[f.field] == "" && slices.Contains(r.columns(), name) && !named[name] {
				fields[f.field], named[name] = name, true
			}
		}
	}
	for _, need := range []string{intake.FieldQuestion, intake.FieldAnswer} {
		if fields[need] == "" {
			return nil, r.without(need, r.columns())
		}
	}
	return fields, nil
}

func (r *foreignReader) mlflowRow(item ForeignItem, row map[string]any, fields map[string]string, scores []string) {
	item.Question = asked(row[fields[intake.FieldQuestion]])
	item.Reference = right(row[fields[intake.FieldReference]])
	item.ID = r.words(&item, intake.FieldID, row[fields[intake.FieldID]])
	if answer := answered(row[fields[intake.FieldAnswer]]); answer != "" {
		item.Answer = &answer
	} else {
		item.Failure = failureOf(r.words(&item, "error_message", row["error_message"]))
	}
	r.contextsOf(&item, fields[intake.FieldContexts], row[fields[intake.FieldContexts]])
	for _, name := range scores {
		base := mlflowScore.ReplaceAllString(name, "$1")
		aside := func(ends ...string) string {
			for _, end := range ends {
				if s, ok := row[base+end].(string); ok && !strings.EqualFold(s, "nan") {
					return s
				}
			}
			return ""
		}
		v, _ := rated(row[name])
		version := strings.TrimSuffix(strings.TrimPrefix(name, base), "/score")
		r.score(&item, base, v, aside("/rationale", version+"/justification", "/justification"), aside("/error_message"))
	}
	for _, one := range listOf(objectLiteral(row["assessments"])) {
		a := objectOf(one)
		feedback := objectOf(a["feedback"])
		if v, ok := rated(feedback["value"]); ok && feedback != nil {
			r.score(&item, r.words(&item, "assessments", firstOf(a, "assessment_name", "name")), v, said(a["rationale"], nil, ""),
				said(feedback["error"], nil, ""))
		}
	}
	r.add(item)
}

// looksLikeMLflow tells an evaluation table by its columns. Inputs and outputs alone are everybody's names.
func looksLikeMLflow(columns []string) bool {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(columns, name) })
	}
	if slices.ContainsFunc(columns, func(c string) bool { return strings.HasSuffix(c, "/explanation") }) {
		return false // of Vertex AI, which calls its scores as MLflow does
	}
	return slices.ContainsFunc(columns, mlflowScore.MatchString) || has("request", "response", "trace_id") || has("inputs", "outputs") &&
		(has("trace_id") || has("assessments") || has("expectations") || has("token_count"))
}
