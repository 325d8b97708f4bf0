package foreign

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// idNames are the names of columns that hold ids of questions, the preferred one first. Behind the first two they may as well number the
// rows of a part.
var idNames = []string{"id", "question_id", "questionid", "query_id", "qid", "question_no", "question_number",
	"質問id", "設問id", "質問番号", "設問番号"}

// idColumn is the column of a table that holds the ids of its questions; -1 without one. A name of numbers counts beside the questions
// only where its cells tell them apart.
func idColumn(t *intake.Table, question int) int {
	for place, name := range idNames {
		i := slices.IndexFunc(t.Columns, func(c string) bool { return intake.ColumnKey(c) == name })
		if i >= 0 && (place < 2 || question < 0 || tellsApart(t, i, question)) {
			return i
		}
	}
	return -1
}

// tellsApart reports whether every row has an id, and each id one question.
func tellsApart(t *intake.Table, id, question int) bool {
	asked := map[string]string{}
	for _, row := range t.Rows {
		key, words := Wording(wordsOf(row.Cell(id))), text.Fold(wordsOf(row.Cell(question)))
		if first, known := asked[key]; key == "" || known && first != words {
			return false
		}
		asked[key] = words
	}
	return true
}

// answersOrCompare is what is left to do about scores without the answers that have them.
const answersOrCompare = "say which column holds what the system answered: --from table --map \"COLUMN=answer\"; where there is none, two tables " +
	"of scores are compared without being imported: workbench compare OLD NEW"

// without refuses a table in which a column is missing that must be there.
func (f *foreignFile) without(field string, columns []string) *problem.Problem {
	ja := map[string]string{intake.FieldQuestion: "質問", intake.FieldAnswer: "回答"}[field]
	return f.refuse("results_column_missing", "it has no column with the %ss; its columns are: %s", problem.Both(field, ja),
		columnList(columns)).With("field", field).WithHint("say which one it is: --map \"COLUMN=%s\"", field)
}

// scoresAlone refuses a file of nobody known that a comparison would read as scores, by what it lacks to be imported; nil where it is none.
func (f *foreignFile) scoresAlone() *problem.Problem {
	t, faults := f.table, &intake.RowFaults{File: f.file}
	if t == nil && len(f.rows) > 0 && f.text != "" {
		t, _ = intake.ReadTable([]byte(f.text), f.file, "", faults) // what is wrong with its rows is another matter
	}
	if t == nil {
		return nil
	}
	b, err := newScoreBuilder(t, f.file, faults, ForeignOptions{})
	if err != nil || b.at[scoreAnswer] >= 0 {
		return nil
	}
	if b.at[scoreQuestion] < 0 {
		return f.refuse("results_unasked", "it holds scores without questions and answers").
			WithHint("compare two such files: workbench compare OLD NEW; to import, write the questions and the answers into columns beside the scores")
	}
	return f.without(intake.FieldAnswer, t.Columns).WithHint(answersOrCompare)
}

// askedAcross refuses a table whose questions are its columns and whose metrics are its rows; nil where that is not certain.
func askedAcross(t *intake.Table, file string) error {
	if t == nil || !slices.ContainsFunc(t.AskedAcross(), func(name string) bool {
		return DirectionOf(name) != DirectionUnknown || metrics.OfOperation(name)
	}) {
		return nil
	}
	return problem.New(problem.Invalid, "scores_turned", "%s looks turned: the questions stand in the first row, and the metrics in the first column",
		file).With("file", file).
		WithHint("turn it, so that each question has a row and each metric a column: in a spreadsheet, copy it and paste it transposed")
}

// severalTables refuses a file in which several tables of scores stand below one another; nil where that is not certain.
func severalTables(t *intake.Table, file string) error {
	parts := t.Stacked()
	if parts == nil {
		return nil
	}
	places := t.Places(parts)
	return problem.New(problem.Invalid, "scores_stacked", "%s holds several tables: %s", file, problem.Both(places.EN, places.JA)).
		With("file", file).WithHint("save each of them in a sheet or a file of its own")
}
