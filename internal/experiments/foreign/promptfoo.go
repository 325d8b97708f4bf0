package foreign

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/rag"
)

// promptfooFields are the variables that usually hold what the workbench needs, by ColumnKey.
var promptfooFields = map[string]string{
	"question": intake.FieldQuestion, "query": intake.FieldQuestion, "user_input": intake.FieldQuestion, "input": intake.FieldQuestion,
	"prompt": intake.FieldQuestion, "質問": intake.FieldQuestion,
	"context": intake.FieldContexts, "contexts": intake.FieldContexts, "retrieved_contexts": intake.FieldContexts,
	"retrieval_context": intake.FieldContexts, "documents": intake.FieldContexts, "コンテキスト": intake.FieldContexts,
	"reference": intake.FieldReference, "ground_truth": intake.FieldReference, "expected": intake.FieldReference,
	"expected_output": intake.FieldReference, "expected_answer": intake.FieldReference, "正解": intake.FieldReference,
}

// promptfoo reads what `promptfoo eval --output` writes as .json, .jsonl or .csv, and its summary alone. A row that promptfoo calls an
// error has no answer and no scores: its score of 0 says nothing of an answer.
func (r *foreignReader) promptfoo() error {
	if r.ext == ".csv" {
		return r.promptfooCSV()
	}
	if r.object != nil {
		name, list := "results.results", objectOf(r.object["results"])["results"]
		if listOf(r.object["results"]) != nil {
			name, list = "results", r.object["results"]
		}
		if err := r.rowsWithin(name, list); err != nil {
			return err
		}
	}
	names := map[string]bool{}
	for _, row := range r.rows {
		for name := range objectOf(row["vars"]) {
			names[name] = true
		}
	}
	variants, of := r.variants()
	wanted, err := r.variant(variants)
	if err != nil {
		return err
	}
	fields, err := r.variables(slices.Sorted(maps.Keys(names)))
	if err != nil {
		return err
	}
	of.only(wanted.key, r.foreignFile)
	types := r.assertionsOnce()
	for i, row := range r.rows {
		item := ForeignItem{Row: r.numbers[i]}
		vars := objectOf(row["vars"])
		r.promptfooVariables(&item, fields, func(name string) any { return vars[name] })
		r.promptfooAnswer(&item, row)
		if item.Answer != nil {
			r.promptfooScores(&item, row, types)
		}
		r.add(item)
	}
	return nil
}

// variables tells which variable holds which field.
func (r *foreignReader) variables(names []string) (map[string]string, error) {
	fields, named := map[string]string{}, map[string]bool{}
	for _, name := range names {
		field := promptfooFields[intake.ColumnKey(name)]
		if to, ok := r.options.Columns[name]; ok {
			field = to
			named[name] = true
		}
		if field != "" {
			fields[name] = field
		}
	}
	if err := r.checkColumns(named); err != nil {
		return nil, err
	}
	if ids, _ := intake.IDColumns(names); len(ids) > 0 && fields[names[ids[0]]] == "" &&
		!slices.Contains(slices.Collect(maps.Values(fields)), intake.FieldID) {
		fields[names[ids[0]]] = intake.FieldID
	}
	count := 0
	for _, field := range fields {
		if field == intake.FieldQuestion {
			count++
		}
	}
	if count != 1 {
		return nil, r.refuse("results_column_missing", "%d of its variables hold the question; they are: %s", count,
			columnList(names)).With("field", intake.FieldQuestion).
			WithHint("say which one does: --map \"VARIABLE=question\", and --map \"VARIABLE=ignore\" for others")
	}
	return fields, nil
}

func (r *foreignReader) promptfooVariables(item *ForeignItem, fields map[string]string, value func(string) any) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		v := value(name)
		switch fields[name] {
		case intake.FieldQuestion:
			item.Question = r.words(item, name, v)
		case intake.FieldReference:
			item.Reference = r.words(item, name, v)
		case intake.FieldID:
			item.ID = r.words(item, name, v)
		case intake.FieldContexts:
			r.contextsOf(item, name, v)
		}
	}
}

// promptfooAnswer reads the output, what it took, and why there is none.
func (r *foreignReader) promptfooAnswer(item *ForeignItem, row map[string]any) {
	response := objectOf(row["response"])
	if s, ok := firstOf(response, "error").(string); ok {
		item.Failure = failureOf(s)
	}
	if numberOf(row["failureReason"]) == 2 {
		item.Failure = cmp.Or(item.Failure, "ERROR")
	}
	output := firstOf(response, "output")
	if object, ok := output.(map[string]any); ok { // a provider that returns its contexts too
		if item.Contexts == nil {
			r.contextsOf(item, "response.output", firstOf(object, "contexts", "context", "retrieved_contexts", "sources"))
		}
		output = firstOf(object, intake.AnswerNamesInside...)
	}
	if output == nil || item.Failure != "" {
		return
	}
	item.Answer = new(r.words(item, "response.output", output))
	tokens := objectOf(response["tokenUsage"])
	m := rag.Measured{
		LatencyMS: int64(numberOf(row["latencyMs"])), PromptTokens: int(numberOf(tokens["prompt"])),
		CompletionTokens: int(numberOf(tokens["completion"])),
	}
	if m != (rag.Measured{}) {
		item.Measured = &m
	}
}

// assertionsOnce are the types of assertions without a metric's name that stand at most once in each row: those can be told apart.
func (r *foreignReader) assertionsOnce() map[string]bool {
	once, often := map[string]bool{}, map[string]bool{}
	for _, row := range r.rows {
		seen := map[string]bool{}
		for _, one := range listOf(objectOf(row["gradingResult"])["componentResults"]) {
			assertion := objectOf(objectOf(one)["assertion"])
			kind, _ := assertion["type"].(string)
			if kind == "" || assertion["metric"] != nil {
				continue
			}
			often[kind] = often[kind] || seen[kind]
			seen[kind], once[kind] = true, true
		}
	}
	maps.DeleteFunc(once, func(kind string, _ bool) bool { return often[kind] })
	return once
}

// promptfooScores reads the score of the row, pass or fail, the named scores, and assertions without a name by their type.
func (r *foreignReader) promptfooScores(item *ForeignItem, row map[string]any, types map[string]bool) {
	grading := objectOf(row["gradingResult"])
	reason, _ := grading["reason"].(string)
	r.score(item, "score", row["score"], reason, "")
	r.score(item, "pass", row["success"], reason, "")
	reasons := map[string]string{}
	for _, one := range listOf(grading["componentResults"]) {
		part := objectOf(one)
		assertion := objectOf(part["assertion"])
		words, _ := part["reason"].(string)
		kind, _ := assertion["type"].(string)
		if name, ok := assertion["metric"].(string); ok {
			reasons[name] = strings.TrimSpace(reasons[name] + "\n" + words)
			continue
		}
		if types[kind] {
			r.score(item, kind, part["score"], words, "")
		}
	}
	named := objectOf(row["namedScores"])
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if name == "score" || name == "pass" || types[name] {
			r.score(item, name+" (metric)", named[name], reasons[name], "")
			continue
		}
		r.score(item, name, named[name], reasons[name], "")
	}
}

// promptfooCSV reads a table: the variables, then for each variant its output, Status, Score, Named Scores and more. Scores stand
// there with two decimals; those in Named Scores are whole.
func (r *foreignReader) promptfooCSV() error {
	if isWorkbook(r.file) {
		return r.refuse("results_file_kind", "tables of promptfoo are not read as workbooks").
			WithHint("promptfoo eval --output results.csv writes them; .json says more")
	}
	lines := csv.NewReader(strings.NewReader(r.text))
	header, err := lines.Read()
	first := slices.Index(header, "Status") - 1
	if err != nil || first < 1 {
		return r.refuse("results_columns", "it has no columns of promptfoo").
			WithHint("promptfoo eval --output results.csv writes them; .json says more")
	}
	var variants []promptfooVariant
	for i := first; i < len(header)-1; i++ {
		if header[i+1] == "Status" {
			provider, prompt, _ := strings.Cut(strings.TrimPrefix(header[i], "["), "] ")
			variants = append(variants, promptfooVariant{provider: provider, prompt: prompt, whole: header[i], column: i})
		}
	}
	tellApart(variants)
	wanted, err := r.variant(variants)
	if err != nil {
		return err
	}
	fields, err := r.variables(header[:first])
	if err != nil {
		return err
	}
	r.out.Notes = append(r.out.Notes, "scores of the .csv are rounded to two decimals; the .json of promptfoo says more")
	for {
		row, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			r.faults.Add(intake.CsvFault(err, len(row), len(header)))
			return nil
		}
		number, _ := lines.FieldPos(0)
		r.promptfooLine(ForeignItem{Row: number}, header, row, fields, wanted.column)
	}
}

func (r *foreignReader) promptfooLine(item ForeignItem, header, row []string, fields map[string]string, at int) {
	r.promptfooVariables(&item, fields, func(name string) any { return row[slices.Index(header, name)] })
	cell := func(name string) string {
		for i := at + 1; i < len(header) && (i == len(header)-1 || header[i+1] != "Status" || i == at); i++ {
			if header[i] == name {
				return row[i]
			}
		}
		return ""
	}
	status := cell("Status")
	if status == "ERROR" {
		item.Failure = cmp.Or(capReason(cell("Grader Reason")), status)
		r.add(item)
		return
	}
	item.Answer = new(r.words(&item, "output", row[at]))
	reason := cell("Grader Reason")
	r.score(&item, "score", cell("Score"), reason, "")
	r.score(&item, "pass", status == "PASS", reason, "")
	var named map[string]any
	dec := json.NewDecoder(strings.NewReader(cell("Named Scores")))
	dec.UseNumber()
	if err := dec.Decode(&named); err != nil && !errors.Is(err, io.EOF) {
		r.fault(&item, "Named Scores", "%q is no JSON object", intake.Shortened(cell("Named Scores")))
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		r.score(&item, name, named[name], "", "")
	}
	r.add(item)
}
