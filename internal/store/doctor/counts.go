package doctor

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// counts finds gaps where nothing that is numbered is ever taken out, and runs that lack a cell or an answer.
func (c *checking) counts() error {
	const from = "'it has ' || CAST(COUNT(*) AS TEXT) || ', numbered from ' || CAST(MIN(%[1]s) AS TEXT) || ' to ' || CAST(MAX(%[1]s) AS TEXT)"
	const revisions, versions = "some of its revisions are not there: %s", "some of its versions are not there: %s"
	for _, q := range []struct {
		subject, message, table, owner, number string
		first                                  string // condition on the lowest number; "" where older ones go
	}{
		{"experiment", revisions, "revisions", "experiment", "revision", " OR MIN(revision) <> 1"},
		{"agreement", versions, "agreements", "dataset", "version", " OR MIN(version) <> 1"},
		{"review", revisions, "reviews", "run_id || '/' || question_id || '/' || reviewer", "revision", " OR MIN(revision) <> 1"},
		{"notebook", versions, "notebook_versions", "notebook", "number", ""}, // the oldest go in time
	} {
		err := c.addEach("count", q.subject, q.message, fmt.Sprintf(`SELECT %[1]s, `+fmt.Sprintf(from, q.number)+` FROM %[2]s
			GROUP BY %[1]s HAVING MAX(%[3]s) - MIN(%[3]s) + 1 <> COUNT(*)%[4]s ORDER BY 1`, q.owner, q.table, q.number, q.first))
		if err != nil {
			return err
		}
	}
	if err := c.cells(); err != nil {
		return err
	}
	// Answers are written with the first score or reason. An analysis of a run has none.
	return c.addEach("count", "answer", "its question has scores, but it is not there%s", `SELECT DISTINCT c.run_id || '/' || c.question_id, ''
		FROM cells c JOIN runs r ON r.id = c.run_id WHERE c.state <> 'pending' AND r.kind NOT IN ('diagnose', 'questions')
			AND NOT EXISTS (SELECT 1 FROM answers a WHERE a.run_id = c.run_id AND a.question_id = c.question_id AND a.replicate = c.replicate)
		ORDER BY 1`)
}

// cells compares the number of cells of each run with its questions and metrics.
func (c *checking) cells() error {
	rows, err := c.tx.Raw(`SELECT run_id, COUNT(*), COUNT(DISTINCT question_id), MAX(position) + 1 FROM cells GROUP BY run_id`).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	have := map[string]counted{}
	for rows.Next() {
		var id string
		var n counted
		if err := rows.Scan(&id, &n.cells, &n.questions, &n.places); err != nil {
			return err
		}
		have[id] = n
	}
	if err := rows.Err(); err != nil {
		return err
	}
	datasets, err := c.questionsIn()
	if err != nil {
		return err
	}
	for _, row := range c.runs {
		run, err := records.FromRunRow(row)
		if err != nil {
			continue // told of elsewhere
		}
		n := have[row.ID]
		questions := n.places
		version := fmt.Sprintf("%s@%d", row.Dataset, run.Setup.Dataset.Version)
		if of, known := datasets[version]; run.Kind == experiments.KindEvaluate && known {
			if questions = of; len(run.Setup.Questions) > 0 {
				questions = len(run.Setup.Questions)
			}
		}
		if n.cells != questions*len(run.Setup.Suite) && (n.cells > 0 || run.Kind == experiments.KindEvaluate) {
			c.add("count", "run "+row.ID, "it has %d cells for %d questions and %d metrics", n.cells, questions, len(run.Setup.Suite))
		}
	}
	return nil
}

type counted struct{ cells, questions, places int }

// questionsIn are the numbers of questions by version, as its row says; content compares it with the questions.
func (c *checking) questionsIn() (map[string]int, error) {
	var versions []struct {
		Name    string
		Version int
		Items   int
	}
	err := c.tx.Table("datasets").Find(&versions).Error
	out := map[string]int{}
	for _, v := range versions {
		out[fmt.Sprintf("%s@%d", v.Name, v.Version)] = v.Items
	}
	return out, err
}
