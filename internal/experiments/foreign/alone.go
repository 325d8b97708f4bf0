package foreign

import (
	"path/filepath"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// idColumn is the column that holds the ids of the questions among the columns of some rows; -1 without one. Beside the questions a name
// other than the plainest counts only where its cells tell them apart, and one that only counts rows where no question is asked twice: its
// rows would be votes. Where answers are only compared, their questions say more than such a number.
func idColumn(columns []string, question, rows int, compared bool, cell func(row, column int) any) int {
	named, counting := intake.IDColumns(columns)
	for _, i := range named {
		plain := slices.Contains([]string{"id", "question_id"}, intake.ColumnKey(columns[i]))
		apart, _ := tellsApart(i, question, rows, cell)
		alone := question < 0 && (rows < 2 || len(cellsOf(i, rows, cell)) > 1) // one value for all rows tells none apart
		if plain && !beginsAnew(i, question, rows, cell) || apart || alone {
			return i
		}
	}
	for _, i := range counting {
		if apart, once := tellsApart(i, question, rows, cell); question < 0 || apart && once && !compared {
			return i
		}
	}
	return -1
}

// beginsAnew reports whether ids count the questions of each part of a table from 1 again: two or more of them
// name several questions, and no question is asked twice.
func beginsAnew(id, question, rows int, cell func(row, column int) any) bool {
	if question < 0 {
		return false
	}
	asked, seen := map[string]map[string]bool{}, map[string]bool{}
	for row := range rows {
		key, words := Wording(wordsOf(cell(row, id))), text.Fold(wordsOf(cell(row, question)))
		if words == "" || seen[words] {
			return false
		}
		if seen[words] = true; asked[key] == nil {
			asked[key] = map[string]bool{}
		}
		asked[key][words] = true
	}
	again := 0
	for _, words := range asked {
		if len(words) > 1 {
			again++
		}
	}
	return again > 1
}

// cellsOf are the different texts in the first rows of a column, in their order.
func cellsOf(column, rows int, cell func(row, column int) any) (list []string) {
	seen := map[string]bool{}
	for row := range rows {
		if s := Wording(wordsOf(cell(row, column))); !seen[s] {
			seen[s], list = true, append(list, s)
		}
	}
	return list
}

// tellsApart reports whether every row has an id, and each id one question; once is whether no two ids ask the same.
func tellsApart(id, question, rows int, cell func(row, column int) any) (apart, once bool) {
	if question < 0 {
		return false, false
	}
	asked, of := map[string]string{}, map[string]string{}
	once = true
	for row := range rows {
		key, words := Wording(wordsOf(cell(row, id))), text.Fold(wordsOf(cell(row, question)))
		if first, known := asked[key]; key == "" || known && first != words {
			return false, false
		}
		if first, known := of[words]; known && first != key {
			once = false
		}
		asked[key], of[words] = words, key
	}
	return true, once
}

// idOf is the column of ids of a table.
func idOf(t *intake.Table, question int) int {
	return idColumn(t.Columns, question, len(t.Rows), true, func(row, column int) any { return t.Rows[row].Cell(column) })
}

// ambiguousID says which column with the name of one of ids does not count as that, because one of its ids stands for several questions.
func ambiguousID(t *intake.Table, question int) (text.Said, bool) {
	named, _ := intake.IDColumns(t.Columns)
	for _, i := range named {
		asked := map[string]string{}
		for _, row := range t.Rows {
			if question < 0 {
				break
			}
			id, words := Wording(wordsOf(row.Cell(i))), text.Fold(wordsOf(row.Cell(question)))
			if first, known := asked[id]; id != "" && words != "" && known && first != words {
				return text.Say("column %s is not read as ids, because %q stands for several questions: rows belong together by their questions",
					"列「%s」は、%qが複数の質問を指しているためIDとして読み取らず、質問の文で行を対応付けました", t.Columns[i], id), true
			}
			asked[id] = words
		}
	}
	return text.Said{}, false
}

// idAmong is the column of ids of rows that stand under these names; "" without one.
func (r *foreignReader) idAmong(names []string, question string) string {
	cell := func(row, column int) any { return r.rows[row][names[column]] }
	i := idColumn(names, slices.Index(names, question), len(r.rows), r.options.scoring, cell)
	if i < 0 {
		return ""
	}
	return names[i]
}

// answersOrCompare is what is left to do about scores without the answers that have them.
const answersOrCompare = "say which column holds what the system answered: --from table --map \"COLUMN=answer\"; where there is none, two tables " +
	"of scores are compared without being imported: workbench compare OLD NEW"

// AsResults adds to a problem with a file of questions that it holds results, where it does, which are taken over in another way.
func AsResults(path string, err error) error {
	p := problem.From(err)
	if err == nil || p.Code != "dataset_column_missing" && p.Code != "dataset_json" {
		return err
	}
	if _, wrong := ReadForeign(path, ForeignOptions{}); wrong != nil && problem.From(wrong).Code != "direction_unknown" {
		return err
	}
	results := *p
	return results.WithHint("it holds answers with their scores: workbench import-results %s takes these over, with the questions as a dataset",
		filepath.Base(path))
}

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
		return f.refuse("results_unasked", "it holds scores, and no column is known as one of questions or answers; its columns are: %s",
			columnList(t.Columns)).
			WithHint("say which columns these are: --map \"COLUMN=question\" --map \"COLUMN=answer\"; where there are none, two such files are " +
				"compared without being imported: workbench compare OLD NEW")
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
