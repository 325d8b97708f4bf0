package foreign

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/text"
)

// ragasFields are the columns of Ragas that hold no scores: those of 0.2 and later, then the older names.
var ragasFields = map[string]string{
	"user_input": intake.FieldQuestion, "question": intake.FieldQuestion, "response": intake.FieldAnswer, "answer": intake.FieldAnswer,
	"reference": intake.FieldReference, "ground_truth": intake.FieldReference, "ground_truths": intake.FieldReference,
	"retrieved_contexts": intake.FieldContexts, "contexts": intake.FieldContexts, "retrieved_context_ids": intake.FieldIgnore,
	"reference_context_ids": intake.FieldIgnore,
	"reference_contexts":    intake.FieldIgnore, "rubrics": intake.FieldIgnore, "rubric": intake.FieldIgnore,
	"multi_responses": intake.FieldIgnore, "synthesizer_name": intake.FieldIgnore,
	"persona_name": intake.FieldIgnore, "query_style": intake.FieldIgnore, "query_length": intake.FieldIgnore,
}

// everybodys are the columns of ragasFields that other tables have too: they show nothing of Ragas.
var everybodys = []string{
	"question", "answer", "response", "reference", "ground_truth", "contexts", "rubrics", "rubric",
}

// ragasMetrics are names of metrics of Ragas. They are metrics even where every score is NaN.
var ragasMetrics = []string{
	"faithfulness", "answer_relevancy", "context_precision", "context_recall", "context_entity_recall", "answer_correctness",
	"answer_similarity",
	"context_relevancy", "context_utilization",
	"semantic_similarity", "factual_correctness", "noise_sensitivity", "llm_context_precision_with_reference",
	"llm_context_precision_without_reference",
	"non_llm_context_precision_with_reference", "non_llm_context_recall", "rouge_score", "bleu_score", "exact_match", "string_present",
}

// tableTool tells whose a table of questions and answers is: that of Ragas where one of its columns is a name of Ragas, else nobody's.
func tableTool(columns []string) string {
	if slices.ContainsFunc(columns, func(name string) bool {
		key := intake.ColumnKey(name)
		_, field := ragasFields[key]
		return field && !slices.Contains(everybodys, key) || isRagasMetric(name)
	}) {
		return ToolRagas
	}
	return ToolTable
}

// isRagasMetric reports whether a column is called as a metric of Ragas, whatever its mode: factual_correctness(mode=f1).
func isRagasMetric(name string) bool {
	base, _, _ := strings.Cut(name, "(")
	return slices.Contains(ragasMetrics, intake.ColumnKey(base))
}

// ragas reads what EvaluationResult.to_pandas gives, written with to_json (records, lines or columns) or to_csv: a row for each
// sample, with a column for each metric. Plain tables of questions and answers are read in the same way.
func (r *foreignReader) ragas() error {
	if r.ext == ".csv" {
		if err := r.csvRows(); err != nil {
			return err
		}
		if r.out.Tool == ToolTable && longFormOf(r.table, questionColumn(r.table, r.options)) != nil {
			return r.refuse("results_long_form", "each row holds one score of one metric, and several rows one answer").
				WithHint("write one row for each question and one column for each metric; workbench compare reads such files as they are")
		}
	}
	if r.object != nil {
		if err := r.columnRows(); err != nil {
			return err
		}
	}
	if err := r.oneSystem(); err != nil {
		return err
	}
	fields, names, err := r.ragasColumns()
	if err != nil {
		return err
	}
	scores := r.foldVotes(names)
	for i, row := range r.rows {
		item := ForeignItem{Row: r.numbers[i]}
		for name, field := range fields {
			switch field {
			case intake.FieldQuestion:
				if _, turns := row[name].([]any); turns {
					r.fault(&item, name, "holds a conversation; only single questions are read")
					continue
				}
				item.Question = r.words(&item, name, intake.AskedInside(row[name]))
			case intake.FieldReference:
				item.Reference = r.reference(&item, name, row[name])
			case intake.FieldID:
				item.ID = r.words(&item, name, row[name])
			case intake.FieldAnswer:
				if row[name] != nil && !slices.Contains([]any{"NaN", "nan"}, row[name]) {
					item.Answer = new(r.words(&item, name, intake.AnswerInside(row[name])))
				}
			case intake.FieldContexts:
				r.contextsOf(&item, name, row[name])
			}
		}
		item.Critical, item.Tags = groupedBy(r.columns(), fields, func(column int) any { return row[r.columns()[column]] },
			func(column, message string) { r.fault(&item, column, "%s", message) })
		r.addVotes(item, row, scores)
	}
	return nil
}

// reference reads a right answer; the oldest files hold a list of them, in a table as JSON or Python writes it, of which the first counts.
func (r *foreignReader) reference(item *ForeignItem, field string, v any) string {
	v = intake.AnswerInside(v)
	if s, isText := v.(string); isText && strings.HasPrefix(strings.TrimSpace(s), "[") {
		if list, _, isList := intake.ListLiteral(strings.TrimSpace(s)); isList {
			v = list
		}
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	s := r.words(item, field, v)
	if strings.EqualFold(s, "nan") {
		return ""
	}
	return s
}

// ragasColumns tells what the columns are, and which of them are metrics, in the order of the file.
func (r *foreignReader) ragasColumns() (fields map[string]string, scores []string, err error) {
	fields, answers := r.options.fieldsOf(r.columns(), func(i int) iter.Seq[any] { return r.column(r.columns()[i]) })
	var passed []string
	named := map[string]bool{}
	for _, name := range r.columns() {
		if _, ok := r.options.Columns[name]; ok {
			named[name] = true
		}
	}
	if err := r.checkColumns(named); err != nil {
		return nil, nil, err
	}
	if len(answers) > 1 {
		return nil, nil, intake.UnclearAnswers(r.file, answers)
	}
	ticked := r.takeTicks()
	withoutTicks(fields, ticked)
	r.idField(fields)
	for _, name := range r.columns() {
		switch {
		case fields[name] != "", slices.Contains(ticked, name):
		case r.isForeignMetric(name):
			scores = append(scores, name)
		default:
			passed = append(passed, name)
		}
	}
	for _, need := range []string{intake.FieldQuestion, intake.FieldAnswer} {
		if !slices.Contains(slices.Collect(maps.Values(fields)), need) {
			p := r.without(need, r.columns())
			if need == intake.FieldAnswer && len(scores) > 0 {
				p = p.WithHint(answersOrCompare)
			}
			return nil, nil, p
		}
	}
	if len(scores) == 0 {
		r.out.Notes = append(r.out.Notes, "no column of scores")
	}
	r.out.unsure = r.out.Tool == ToolTable && !surelyAnswered(r.columns(), fields)
	if told, more := textsRead(r.columns(), fields); more {
		r.out.tell(told)
	}
	r.passOver(passed)
	return fields, scores, nil
}

// idField finds the column of ids where nobody said which it is.
func (r *foreignReader) idField(fields map[string]string) {
	question, free := "", []string{}
	for _, name := range r.columns() {
		switch fields[name] {
		case intake.FieldID:
			return
		case intake.FieldQuestion:
			question = name
		}
		if fields[name] == "" || fields[name] == intake.FieldQuestion {
			free = append(free, name)
		}
	}
	if id := r.idAmong(free, question); id != "" {
		fields[id] = intake.FieldID
	}
}

// isSheet reports whether a file is a table of questions and answers by names that people give their columns.
func (f *foreignFile) isSheet() bool {
	var columns []string
	switch {
	case f.ext == ".csv":
		columns = f.table.Columns
	case len(f.rows) > 0:
		columns = f.columns()
	default:
		return false
	}
	return intake.QuestionAmong(columns) >= 0 && (len(intake.SystemAnswers(columns)) > 0 || slices.ContainsFunc(columns, intake.IsAnswer))
}

// foreignFields are what a column or a variable can be mapped to.
var foreignFields = []string{intake.FieldQuestion, intake.FieldAnswer, intake.FieldContexts, intake.FieldReference, intake.FieldID,
	intake.FieldCritical, intake.FieldTheme, intake.FieldCategory, intake.FieldTags, intake.FieldIgnore}

// checkColumns refuses a mapping of a column that there is not, or to a field that there is not. named are those that were found.
func (r *foreignReader) checkColumns(named map[string]bool) error {
	if err := r.options.checkFields(); err != nil {
		return err
	}
	if missing := r.options.missingIn(slices.Collect(maps.Keys(named))); len(missing) > 0 {
		return r.options.noColumn(r.file, missing[0])
	}
	return nil
}

// columns are the keys of all rows, in the order of the file as far as it has one.
func (f *foreignFile) columns() []string {
	if f.header != nil {
		return f.header
	}
	seen := map[string]bool{}
	for _, row := range f.rows {
		for name := range row {
			seen[name] = true
		}
	}
	f.header = slices.Sorted(maps.Keys(seen))
	return f.header
}

// isForeignMetric reports whether a column holds scores: at least half of what it holds are numbers.
func (r *foreignReader) isForeignMetric(name string) bool {
	key := intake.ColumnKey(name)
	if r.out.Tool == ToolTable && metrics.OfOperation(name) ||
		intake.IsText(name) && !gradesIn(name, r.column(name), r.decimal()) || numbering(name) ||
		identifying(key) || unnamed.MatchString(strings.ToLower(name)) || name == "" || besideScore(name, r.columns()) ||
		strings.HasSuffix(key, "_reason") {
		return false
	}
	if intake.NoScore(name) && DirectionOf(name) == DirectionUnknown && !r.options.saysDirection(name) {
		return false
	}
	r.settleForm(name)
	is, filled := numeric(r.column(name))
	return is || filled == 0 && isRagasMetric(name)
}

// csvRows reads the file as a table.
func (r *foreignReader) csvRows() error {
	if r.wrong != nil {
		return r.wrong
	}
	t := r.table
	t.SetSumsAside()
	r.header = t.Columns
	for _, row := range t.Rows {
		cells := make(map[string]any, len(t.Columns))
		for i, name := range t.Columns {
			cells[name] = row.Figure(i)
		}
		r.rows, r.numbers = append(r.rows, cells), append(r.numbers, row.Number)
	}
	r.out.Notes, r.out.Sheet = append(r.out.Notes, text.InEnglish(t.Notes)...), t.Warnings()
	return nil
}

// columnRows turns the columns of DataFrame.to_json, which count rows as "0", "1", …, into rows.
func (r *foreignReader) columnRows() error {
	var order []int
	for name, column := range r.object {
		cells, ok := column.(map[string]any)
		if !ok {
			return r.refuse("results_json", "%s holds no column of a data frame", name).
				WithHint("write it with df.to_json(FILE, orient=\"records\")")
		}
		if order != nil {
			continue
		}
		for key := range cells {
			n, err := strconv.Atoi(key)
			if err != nil || n < 0 {
				return r.refuse("results_json", "%s holds no column of a data frame", name).
					WithHint("write it with df.to_json(FILE, orient=\"records\")")
			}
			order = append(order, n)
		}
	}
	slices.Sort(order)
	for i, n := range order {
		row := map[string]any{}
		for name, column := range r.object {
			row[name] = objectOf(column)[strconv.Itoa(n)]
		}
		r.rows, r.numbers = append(r.rows, row), append(r.numbers, i+1)
	}
	return nil
}

// recogniseCSV tells whose table it is by its columns.
func (f *foreignFile) recogniseCSV() string {
	header := f.table.Columns
	has := func(names ...string) bool {
		for _, name := range names {
			if !slices.Contains(header, name) {
				return false
			}
		}
		return true
	}
	switch {
	case has("Status", "Score", "Named Scores"):
		return ToolPromptfoo
	case has("input", "actual_output"):
		return ToolDeepEval
	case has("context.trace_id", "context.span_id"):
		return ToolPhoenix
	case experimentTool(header) != "":
		return experimentTool(header)
	case looksLikeLangfuse(has):
		return ToolLangfuse
	case looksLikeMLflow(header):
		return ToolMLflow
	case has("user_input", "response"), has("question", "answer"):
		return tableTool(header)
	}
	return ""
}

// rowsWithin are the objects of a list inside an object.
func (r *foreignReader) rowsWithin(name string, v any) error {
	list, ok := v.([]any)
	if !ok {
		return r.refuse("results_json", "%s is no list", name).WithHint("docs/imports.md shows the files that are read")
	}
	for i, one := range list {
		row, ok := one.(map[string]any)
		if !ok {
			return r.refuse("results_json", "%s: item %d is no object", name, i+1).WithHint("docs/imports.md shows the files that are read")
		}
		r.rows, r.numbers = append(r.rows, row), append(r.numbers, i+1)
	}
	return nil
}

// noMapping refuses --map for a tool whose files have fixed names.
func (r *foreignReader) noMapping() error {
	if len(r.options.Columns) == 0 {
		return nil
	}
	return r.refuse("results_column_unknown", "names of %s files are fixed; nothing can be mapped", r.out.Tool).WithHint("leave --map out")
}

// numberOf is a number of 0 or more; 0 for anything else.
func numberOf(v any) float64 {
	n, state := cellScore(v)
	if _, isText := v.(string); isText || state != scoreThere || n < 0 || n > 1e9 {
		return 0
	}
	return n
}

// firstOf is the value under the first of some keys that is there.
func firstOf(row map[string]any, keys ...string) any {
	for _, key := range keys {
		if v, ok := row[key]; ok && v != nil {
			return v
		}
	}
	return nil
}
