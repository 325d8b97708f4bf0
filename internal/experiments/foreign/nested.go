package foreign

import (
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/text"
)

// Files of nobody known whose rows keep questions, answers and scores inside other objects, or in several lines: each becomes rows of a
// table, which are read as any table of somebody's own.

// nestedForms tell whether a file is one of these, and make rows of it; what names the file, in both languages.
var nestedForms = []struct {
	rows func(f *foreignFile) *flatTable
	what text.Said
}{
	{(*foreignFile).evalEvents, text.Said{EN: "a log of OpenAI Evals, of which each sample is a row", JA: "OpenAI Evalsのログ（1サンプルが1行）"}},
	{(*foreignFile).evalItems, text.Said{EN: "output items of the evals API of OpenAI, each a row", JA: "OpenAIのEvals APIの出力項目（1項目が1行）"}},
	{(*foreignFile).bedrock, text.Said{EN: "the output of an evaluation job of Amazon Bedrock, each prompt a row",
		JA: "Amazon Bedrockの評価ジョブの出力（1プロンプトが1行）"}},
	{(*foreignFile).evaluated, text.Said{EN: "results by evaluator, of which each answer is a row", JA: "評価器ごとの結果（1回答が1行）"}},
	{(*foreignFile).keyed, text.Said{EN: "an object for each question, whose key is its id", JA: "質問ごとのオブジェクト（キーがID）"}},
	{(*foreignFile).scoredInside, text.Said{EN: "rows with their scores in an object of their own", JA: "スコアを別のオブジェクトに持つ行"}},
}

// unnest makes rows of a table of such a file, unless it is known as a tool's.
func (f *foreignFile) unnest() {
	if f.recognise() != "" {
		return
	}
	for _, form := range nestedForms {
		t := form.rows(f)
		if t == nil || len(t.rows) == 0 {
			continue
		}
		told := []text.Said{text.Say("read as %s", "%sとして読み取りました", form.what)}
		if t.turns > 0 {
			told = append(told, text.Say("conversations of several turns left out: %s", "複数ターンの会話を除きました：%s",
				text.Count(t.turns, "row", "行")))
		}
		f.table = intake.FlatTable(f.unit, t.columns(), t.rows, t.numbers, told)
		f.ext, f.rows, f.numbers, f.object, f.nested = ".csv", nil, nil, nil, true
		return
	}
}

// flatTable gathers the rows of a table.
type flatTable struct {
	rows    []map[string]any
	numbers []int
	scores  []string // columns, in the order in which they first appear
	turns   int      // conversations, which are no rows

	called map[string]string // the fields that names of keys speak of, as far as they were asked for: rows have the same keys
}

// field is what the name of a key speaks of.
func (t *flatTable) field(name string) string {
	field, known := t.called[name]
	if known {
		return field
	}
	switch field = intake.FieldNamed(name); {
	case intake.IsContexts(name):
		field = intake.FieldContexts
	case intake.IsAnswer(name):
		field = intake.FieldAnswer
	}
	if t.called == nil {
		t.called = map[string]string{}
	}
	t.called[name] = field
	return field
}

// flatFields are the columns of such a table beside the scores.
var flatFields = []string{intake.FieldID, intake.FieldQuestion, intake.FieldAnswer, intake.FieldContexts, intake.FieldReference}

func (t *flatTable) columns() []string {
	has := func(name string) bool {
		return slices.ContainsFunc(t.rows, func(row map[string]any) bool { return row[name] != nil })
	}
	named := slices.DeleteFunc(slices.Clone(flatFields), func(name string) bool { return !has(name) })
	return slices.Concat(named, t.scores)
}

// add begins a row.
func (t *flatTable) add(number int, id, question, answer, contexts, reference any) map[string]any {
	row := map[string]any{}
	for i, v := range []any{id, question, answer, contexts, reference} {
		if v != nil && v != "" {
			row[flatFields[i]] = v
		}
	}
	t.rows, t.numbers = append(t.rows, row), append(t.numbers, number)
	return row
}

// score puts a score into a row. A name of a field is none of a score.
func (t *flatTable) score(row map[string]any, name string, v any) {
	name = strings.TrimSpace(name)
	rating, is := rated(scoreWithin(v))
	if !is || name == "" || slices.Contains(flatFields, name) {
		return
	}
	if _, state := cellScore(rating); state == scoreWrong {
		return
	}
	if !slices.Contains(t.scores, name) {
		t.scores = append(t.scores, name)
	}
	row[name] = rating
}

// sampled is what a sample of OpenAI Evals was asked and answered.
type sampled struct {
	number                      int
	question, answer, reference any
	given                       []map[string]any // the scores of each time that it was judged
}

// evalEvents reads the events that the recorder of OpenAI Evals writes, one in each line.
func (f *foreignFile) evalEvents() *flatTable {
	samples, order := map[string]*sampled{}, []string{}
	for i, row := range f.rows {
		id, kind := wordsOf(row["sample_id"]), wordsOf(row["type"])
		data := objectOf(row["data"])
		if _, event := row["event_id"]; !event || id == "" || data == nil {
			continue
		}
		if samples[id] == nil {
			samples[id], order = &sampled{number: f.numbers[i]}, append(order, id)
		}
		samples[id].take(kind, data)
	}
	slices.SortStableFunc(order, text.Natural)
	t := &flatTable{}
	for _, id := range order {
		s := samples[id]
		for _, given := range s.given {
			row := t.add(s.number, id, s.question, s.answer, nil, s.reference)
			for _, name := range slices.Sorted(maps.Keys(given)) {
				t.score(row, name, given[name])
			}
		}
	}
	if len(t.scores) == 0 {
		return nil
	}
	return t
}

// take takes what one event says of a sample. Further calls of a model are those of its judge.
func (s *sampled) take(kind string, data map[string]any) {
	s.question = there(s.question, asked(data["prompt"]))
	first := func(v any) any {
		if list := listOf(v); len(list) > 0 {
			v = list[0]
		}
		return v
	}
	s.answer = there(s.answer, answered(first(data["sampled"])))
	s.reference = there(s.reference, right(first(firstOf(data, "expected", "ideal"))))
	scores := map[string]any{}
	switch kind {
	case "match":
		scores["correct"] = data["correct"]
	case "metrics":
		for name, v := range data {
			if _, words := v.(string); !words && v != nil {
				scores[name] = v
			}
		}
	}
	if len(scores) == 0 {
		return
	}
	for _, given := range s.given { // match and metrics of one judgement
		again := false
		for name := range scores {
			_, there := given[name]
			again = again || there
		}
		if !again {
			maps.Copy(given, scores)
			return
		}
	}
	s.given = append(s.given, scores)
}

// grader is the id that the evals API puts behind the name of a grader.
var grader = text.Lazy(`-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// evalItems reads the output items of a run of OpenAI's evals API: a page of the list, or one in each line.
func (f *foreignFile) evalItems() *flatTable {
	rows, numbers := f.listed("data")
	t := &flatTable{}
	for i, row := range rows {
		item, results := objectOf(row["datasource_item"]), listOf(row["results"])
		if item == nil || results == nil {
			return nil
		}
		sample := objectOf(row["sample"])
		question := there(asked(sample["input"]), asked(firstOf(item, askedNames...)))
		answer := there(answered(sample["output"]), answered(firstOf(item, "sample.output_text", "response", "output")))
		reference := right(firstOf(item, "ground_truth", "expected", "expected_output", "reference", "ideal", "correct_label", "answer",
			"label"))
		out := t.add(numbers[i], there(item["id"], row["datasource_item_id"]), question, answer, t.contextsIn(item), reference)
		for _, one := range results {
			r := objectOf(one)
			t.score(out, grader.ReplaceAllString(wordsOf(firstOf(r, "name", "metric")), ""), firstOf(r, "score", "passed"))
		}
	}
	return t
}

// listed are the rows of a file, or those of the list under a name of its object.
func (f *foreignFile) listed(name string) (rows []map[string]any, numbers []int) {
	if f.rows != nil {
		return f.rows, f.numbers
	}
	for i, one := range listOf(f.object[name]) {
		rows, numbers = append(rows, objectOf(one)), append(numbers, i+1)
	}
	return rows, numbers
}

// bedrock reads the output of an evaluation job of Amazon Bedrock: of a retrieval with or without an answer, or of a model.
func (f *foreignFile) bedrock() *flatTable {
	t := &flatTable{}
	for i, row := range f.rows {
		turns := listOf(row["conversationTurns"])
		judged := objectOf(row["automatedEvaluationResult"])
		switch {
		case len(turns) > 1:
			t.turns++
		case len(turns) == 1:
			t.bedrockRow(f.numbers[i], objectOf(turns[0]), objectOf(objectOf(turns[0])["output"]), objectOf(turns[0])["results"])
		case judged != nil:
			responses := listOf(row["modelResponses"])
			if len(responses) == 0 {
				return nil
			}
			t.bedrockRow(f.numbers[i], row, objectOf(responses[0]), judged["scores"])
		default:
			return nil
		}
	}
	return t
}

func (t *flatTable) bedrockRow(number int, row, output map[string]any, results any) {
	input := objectOf(row["inputRecord"])
	var contexts []any
	passages := objectOf(there(output["retrievedPassages"], objectOf(row["retrievedPassages"])))
	for _, one := range listOf(passages["retrievalResults"]) {
		contexts = append(contexts, bedrockText(one))
	}
	var retrieved any
	if contexts != nil {
		retrieved = contexts
	}
	references := listOf(input["referenceResponses"])
	var reference any = input["referenceResponse"]
	if len(references) > 0 {
		reference = bedrockText(references[0])
	}
	out := t.add(number, nil, bedrockText(input["prompt"]), firstOf(output, "text", "response"), retrieved, reference)
	for _, one := range listOf(results) {
		r := objectOf(one)
		t.score(out, strings.TrimPrefix(wordsOf(r["metricName"]), "Builtin."), r["result"])
	}
}

// bedrockText is a text that may stand in a list of parts.
func bedrockText(v any) any {
	if s, is := v.(string); is {
		return s
	}
	content := objectOf(v)["content"]
	var parts []string
	for _, one := range listOf(content) {
		parts = append(parts, wordsOf(objectOf(one)["text"]))
	}
	if inside := objectOf(content); inside != nil {
		parts = append(parts, wordsOf(inside["text"]))
	}
	return strings.Join(parts, "\n")
}

// evaluated reads what evaluators gave each by itself, as the batch runner of LlamaIndex returns it: lists of the same answers by the name
// of the evaluator.
func (f *foreignFile) evaluated() *flatTable {
	if len(f.object) == 0 {
		return nil
	}
	t, at := &flatTable{}, map[string]map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(f.object)) {
		list := listOf(f.object[name])
		if len(list) == 0 {
			return nil
		}
		for i, one := range list {
			row := objectOf(one)
			_, scored := row["score"]
			_, passing := row["passing"]
			if row["query"] == nil || row["response"] == nil || !scored && !passing {
				return nil
			}
			key := wordsOf(row["query"]) + "\x00" + wordsOf(row["response"])
			if at[key] == nil {
				at[key] = t.add(i+1, nil, asked(row["query"]), answered(row["response"]), t.contextsIn(row), row["reference"])
			}
			t.score(at[key], name, firstOf(row, "score", "passing"))
		}
	}
	return t
}

// questionKey is how the key of a question looks that says nothing of what is asked. Others, such as those of runs and metrics, may be
// anything.
var questionKey = text.Lazy(`(?i)^(?:q|question|case|item|sample|id|test)?[ _-]?\d+$`)

// keyed reads an object that holds one for each question, under its id.
func (f *foreignFile) keyed() *flatTable {
	if len(f.object) < 2 {
		return nil
	}
	t := &flatTable{}
	for i, id := range slices.SortedFunc(maps.Keys(f.object), text.Natural) {
		row := objectOf(f.object[id])
		frame := len(row) > 0
		for key := range row {
			frame = frame && wholeCell.MatchString(key)
		}
		if row == nil || frame { // a column of a data frame
			return nil
		}
		if t.plain(i+1, id, row); t.rows[i][intake.FieldQuestion] == nil && !questionKey.MatchString(id) {
			return nil
		}
	}
	if len(t.scores) == 0 {
		return nil
	}
	return t
}

// scoresNames are where a row keeps its scores in an object or a list of their own, the surest first.
var scoresNames = []string{"scores", "metrics", "evaluation", "evaluations", "evals", "results", "feedback", "assessments"}

// scoredInside reads rows that keep their scores in an object of their own, such as those of Braintrust.
func (f *foreignFile) scoredInside() *flatTable {
	rows, numbers := f.listed("events")
	if rows == nil {
		rows, numbers = f.listed("results")
	}
	inside := 0
	for _, row := range rows {
		if slices.ContainsFunc(scoresNames, func(name string) bool { return objectOf(row[name]) != nil || len(listOf(row[name])) > 0 }) {
			inside++
		}
	}
	if 2*inside < len(rows) {
		return nil
	}
	t := &flatTable{}
	for i, row := range rows {
		if row == nil {
			return nil
		}
		t.plain(numbers[i], wordsOf(firstOf(row, "id", "question_id", "case_id")), row)
	}
	if len(t.scores) == 0 {
		return nil
	}
	return t
}

// plain adds a row with its fields by their usual names, and its scores: what stands in an object of scores, and its own numbers.
func (t *flatTable) plain(number int, id string, row map[string]any) {
	field := func(want string) any {
		for _, name := range slices.Sorted(maps.Keys(row)) {
			if t.field(name) == want {
				return row[name]
			}
		}
		return nil
	}
	example := objectOf(row["example"]) // of the data set, as Weave keeps it beside the output
	question := asked(there(firstOf(row, "question", "query", "input", "user_input", "prompt"), field(intake.FieldQuestion),
		firstOf(example, askedNames...)))
	reference := right(there(firstOf(row, "expected", "reference", "ground_truth", "expected_output"), field(intake.FieldReference),
		firstOf(example, "expected", "reference", "ground_truth", "expected_output", "target", "answer")))
	answer := answered(there(firstOf(row, "answer", "response", "output", "actual_output"), field(intake.FieldAnswer)))
	if id == "" { // "query": {"id": …, "text": …}
		id = wordsOf(firstOf(objectOf(firstOf(row, "question", "query", "input")), "id", "question_id"))
	}
	out := t.add(number, id, question, answer, t.contextsIn(row), reference)
	for _, name := range scoresNames {
		if t.scoresIn(out, row[name]) {
			return
		}
	}
	for _, name := range slices.Sorted(maps.Keys(row)) {
		_, words := row[name].(string)
		if !words && !intake.IsText(name) && !numbering(name) && !identifying(intake.ColumnKey(name)) {
			t.score(out, name, row[name])
		}
	}
}

// scoresIn puts the scores of an object or a list into a row; false where it is none with a score.
func (t *flatTable) scoresIn(out map[string]any, v any) bool {
	before := len(out)
	for _, name := range slices.Sorted(maps.Keys(objectOf(v))) {
		score := objectOf(v)[name]
		if one := objectOf(score); one != nil && one["score"] == nil {
			score = firstOf(one, "passed", "value", "correct")
		}
		t.score(out, name, score)
	}
	for _, one := range listOf(v) {
		r := objectOf(one)
		name := wordsOf(firstOf(r, "name", "metric", "metric_name", "key", "evaluator"))
		t.score(out, name, firstOf(r, "score", "value", "result", "passed"))
	}
	return len(out) > before
}

// contextsIn are the retrieved texts of a row under their usual names; nil where it has none.
func (t *flatTable) contextsIn(row map[string]any) any {
	for _, name := range slices.Sorted(maps.Keys(row)) {
		if t.field(name) == intake.FieldContexts && row[name] != nil {
			return row[name]
		}
	}
	inside := objectOf(firstOf(row, "retrieval", "retrieved", "retriever", "output"))
	if inside == nil {
		return nil
	}
	if inside["chunks"] != nil {
		return inside["chunks"]
	}
	return firstOf(inside, retrievedNames...)
}
