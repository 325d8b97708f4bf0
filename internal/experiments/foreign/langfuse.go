package foreign

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// langfuse reads what Langfuse exports: items of an experiment with their scores (the API, or what its SDK returns), the table of traces
// or observations, which holds a list for each score, and the table of scores, which holds no questions.
func (r *foreignReader) langfuse() error {
	if err := r.noMapping(); err != nil {
		return err
	}
	if r.ext == ".csv" {
		if err := r.csvRows(); err != nil {
			return err
		}
	}
	for _, key := range []string{"itemResults", "item_results", "data", "scores"} {
		if r.object[key] != nil && r.rows == nil {
			if err := r.rowsWithin(key, r.object[key]); err != nil {
				return err
			}
		}
	}
	if len(r.rows) == 0 {
		return r.refuse("results_empty", "it holds no row").WithHint("export the items of the experiment, or its table of traces")
	}
	first := r.rows[0]
	switch {
	case isLangfuseScore(first):
		return r.langfuseScores()
	case firstOf(first, "datasetItemId", "dataset_item_id") != nil && first["output"] == nil && first["input"] == nil:
		return r.refuse("results_unscored", "it links items to traces and holds neither answers nor scores").
			WithHint("export the table of traces of that run, or the experiment's items (GET /api/public/experiment-items with fields io and scores)")
	}
	numbers := r.langfuseNumbers()
	for i, row := range r.rows {
		r.langfuseItem(ForeignItem{Row: r.numbers[i]}, row, numbers)
	}
	return nil
}

// langfuseNumbers are the columns of a table of traces that hold one number and not a list, as pages write them that joined the scores to
// the traces themselves. What Langfuse counts and measures is none.
func (r *foreignReader) langfuseNumbers() (names []string) {
	for _, name := range r.columns() {
		counted := slices.ContainsFunc([]string{"Count", "Tokens", "Cost", "Usage", "Latency", "Id", "Index"},
			func(end string) bool { return strings.HasSuffix(name, end) })
		lists := false // a list in each cell is read as one
		for v := range r.column(name) {
			lists = lists || listOf(objectLiteral(v)) != nil
		}
		if !counted && !lists && !slices.Contains(langfuseTexts, name) && !metrics.OfOperation(name) && r.isForeignMetric(name) {
			names = append(names, name)
		}
	}
	return names
}

// isLangfuseScore recognises a row of the table of scores, of the API or of an export to a bucket.
func isLangfuseScore(row map[string]any) bool {
	_, named := row["name"]
	_, valued := row["value"]
	_, typed := row["dataType"]
	_, typedThere := row["data_type"]
	return named && valued && (typed || typedThere)
}

// langfuseItem reads a row with an input and an output.
func (r *foreignReader) langfuseItem(item ForeignItem, row map[string]any, numbers []string) {
	inner := objectOf(objectLiteral(row["item"]))
	item.ID = r.words(&item, "id", there(firstOf(row, "experimentItemId", "datasetItemId", "dataset_item_id"), inner["id"]))
	item.Question = asked(there(row["input"], inner["input"]))
	item.Reference = right(there(firstOf(row, "expectedOutput", "expected_output"), firstOf(inner, "expectedOutput", "expected_output")))
	if answer := answered(row["output"]); answer != "" {
		item.Answer = &answer
	}
	if output := objectOf(objectLiteral(row["output"])); output != nil {
		contexts := firstOf(output, retrievedNames...)
		r.contextsOf(&item, "output", contexts)
	}
	scores := objectLiteral(firstOf(row, "scores", "evaluations"))
	given := listOf(scores)
	for _, one := range given {
		score := objectOf(one)
		if v, ok := rated(langfuseValue(score)); ok {
			r.score(&item, r.words(&item, "scores", score["name"]), v, said(score["comment"], nil, ""), "")
		}
	}
	if by := objectOf(scores); by != nil { // the table of traces with all scores in one column
		r.langfuseColumns(&item, by)
	} else if given == nil {
		r.langfuseColumns(&item, row)
		for _, name := range numbers {
			r.score(&item, name, row[name], "", "")
		}
	}
	r.add(item)
}

// langfuseColumns reads scores that stand in columns of their own, each a list: several values are votes, and their mean counts.
func (r *foreignReader) langfuseColumns(item *ForeignItem, row map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(row)) {
		if slices.Contains(langfuseTexts, name) {
			continue
		}
		list := listOf(objectLiteral(row[name]))
		if n, isNumber := row[name].(json.Number); isNumber && row["id"] == nil { // of an object of scores
			list = []any{n}
		}
		sum, n := 0.0, 0
		for _, one := range list {
			v, _ := rated(one)
			if x, state := cellScore(v); state == scoreThere {
				sum, n = sum+x, n+1
			}
		}
		if n > 0 && n == len(list) {
			r.score(item, name, json.Number(strconv.FormatFloat(sum/float64(n), 'g', -1, 64)), "", "")
		}
	}
}

// langfuseTexts are the columns of traces and observations that hold lists and no scores.
var langfuseTexts = []string{"bookmarked", "public", "level", "version", "release", "name", "user", "userId", "environment",
	"input", "output", "metadata", "tags", "traceTags", "comments", "usage", "usageDetails", "costDetails",
	"toolCalls", "toolDefinitions"}

// langfuseValue is the value of a score: its number, or its word where it is a category.
func langfuseValue(score map[string]any) any {
	kind, _ := firstOf(score, "dataType", "data_type").(string)
	if word := firstOf(score, "stringValue", "string_value"); strings.EqualFold(kind, "CATEGORICAL") && word != nil {
		return word
	}
	return score["value"]
}

// langfuseScores reads the table of scores: what belongs to one item of a dataset or to one trace is one item. There is no question in it.
func (r *foreignReader) langfuseScores() error {
	r.out.scoresOnly = true
	at := map[string]int{}
	run, words := 0, map[string]bool{}
	for i, row := range r.rows {
		item := ForeignItem{Row: r.numbers[i]}
		metadata := objectOf(objectLiteral(row["metadata"]))
		id := r.words(&item, "traceId", there(firstOf(metadata, "datasetItemId", "dataset_item_id", "item_id", "question_id"),
			firstOf(row, "datasetItemId", "dataset_item_id", "traceId", "trace_id", "sessionId", "session_id")))
		if id == "" {
			run++
			continue
		}
		name := r.words(&item, "name", row["name"])
		v, ok := rated(langfuseValue(row))
		if !ok {
			words[name] = true
			continue
		}
		if _, known := at[id]; !known {
			at[id] = len(r.out.Items)
			r.out.Items = append(r.out.Items, ForeignItem{Row: item.Row, ID: id})
		}
		r.score(&r.out.Items[at[id]], name, v, said(row["comment"], nil, ""), "")
	}
	if run > 0 {
		r.out.Notes = append(r.out.Notes, intake.Plural(run, "score")+" of a run as a whole left out")
	}
	if len(words) > 0 {
		r.out.Notes = append(r.out.Notes, "scores that are words passed over: "+strings.Join(slices.Sorted(maps.Keys(words)), ", "))
	}
	return nil
}

// looksLikeLangfuse tells exports of Langfuse by their columns.
func looksLikeLangfuse(has func(...string) bool) bool {
	scores := has("name", "value", "dataType") || has("name", "value", "data_type")
	io := has("input", "output")
	return scores || has("itemResults") || has("item_results") || has("datasetItemId", "traceId") ||
		has("id", "timestamp", "name", "input", "output") || // the table of traces
		io && (has("traceId") || has("experimentItemId") || has("evaluations") || has("sessionId") || has("observationCount") ||
			has("release"))
}

// there is the first value that is there.
func there(values ...any) any {
	for _, v := range values {
		if v != nil && v != "" {
			return v
		}
	}
	return nil
}
