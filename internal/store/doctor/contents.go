package doctor

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/library"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// contents computes the digest of every corpus, dataset and log again from its documents, questions and answers, with their numbers
// and characters. It needs no seal.
func (c *checking) contents() error {
	for _, kind := range []struct {
		table, noun string
		count       func(version library.VersionRow) (digest string, items, chars int, err error)
	}{
		{"corpora", "corpus", c.corpus}, {"datasets", "dataset", c.dataset}, {"logs", "log", c.log},
	} {
		var versions []library.VersionRow
		if err := c.tx.Table(kind.table).Order("name, version").Find(&versions).Error; err != nil {
			return err
		}
		for _, v := range versions {
			subject := fmt.Sprintf("%s %s@%d", kind.noun, v.Name, v.Version)
			c.known[kind.table+" "+fmt.Sprintf("%s@%d", v.Name, v.Version)] = v.Digest
			digest, items, chars, err := kind.count(v)
			switch {
			case err != nil:
				c.add("content", subject, "it is not readable: %v", err)
			case items != v.Items:
				c.add("content", subject, "it has %d parts, but was stored with %d", items, v.Items)
			case digest != v.Digest:
				c.add("content", subject, "it is not what was stored: its digest differs")
			case chars != v.Chars:
				c.add("content", subject, "it has %d characters, but its row says %d", chars, v.Chars)
			}
		}
	}
	return nil
}

func (c *checking) corpus(v library.VersionRow) (digest string, items, chars int, err error) {
	var rows []library.DocumentRow
	if err := c.tx.Where("corpus = ? AND version = ?", v.Name, v.Version).Order("position").Find(&rows).Error; err != nil {
		return "", 0, 0, err
	}
	docs := make([]rag.Document, len(rows))
	for i, r := range rows {
		if r.Position != i {
			return "", 0, 0, fmt.Errorf("document %d stands at place %d", i, r.Position)
		}
		if docs[i], err = library.FromDocumentRow(r); err != nil {
			return "", 0, 0, err
		}
		chars += utf8.RuneCountInString(r.Text)
	}
	return rag.NewCorpus(v.Name, docs).Digest, len(rows), chars, nil
}

func (c *checking) dataset(v library.VersionRow) (digest string, items, chars int, err error) {
	var rows []library.QuestionRow
	if err := c.tx.Where("dataset = ? AND version = ?", v.Name, v.Version).Order("position").Find(&rows).Error; err != nil {
		return "", 0, 0, err
	}
	questions := make([]experiments.Question, len(rows))
	for i, r := range rows {
		if questions[i], err = library.FromQuestionRow(r); err != nil {
			return "", 0, 0, err
		}
		if r.Position != i || sqldb.CleanText(questions[i].ID) != r.QuestionID {
			return "", 0, 0, fmt.Errorf("question %d stands at place %d under the id %q", i, r.Position, r.QuestionID)
		}
		chars += utf8.RuneCountInString(questions[i].Text)
	}
	return experiments.NewDataset(v.Name, questions).Digest, len(rows), chars, nil
}

func (c *checking) log(v library.VersionRow) (digest string, items, chars int, err error) {
	var rows []library.LoggedAnswerRow
	if err := c.tx.Where("log = ? AND version = ?", v.Name, v.Version).Order("position").Find(&rows).Error; err != nil {
		return "", 0, 0, err
	}
	answers := make([]rag.LoggedAnswer, len(rows))
	for i, r := range rows {
		if answers[i], err = library.FromLoggedAnswerRow(r); err != nil {
			return "", 0, 0, err
		}
		chars += utf8.RuneCountInString(answers[i].Answer)
	}
	var dataset string
	if err := c.tx.Table("logs").Select("dataset").Where("name = ? AND version = ?", v.Name, v.Version).Row().Scan(&dataset); err != nil {
		return "", 0, 0, err
	}
	return rag.NewLog(v.Name, dataset, answers).Digest, len(rows), chars, nil
}

// setups compares the frozen setup of every run with its digest, with the run's id, which follows from it, and with the versions it names.
func (c *checking) setups() error {
	there := map[string]bool{}
	for _, row := range c.runs {
		there[row.ID] = true
	}
	for _, row := range c.runs {
		subject := "run " + row.ID
		run, err := records.FromRunRow(row)
		if err != nil {
			c.add("setup", subject, "it is not readable: %v", err)
			continue
		}
		if run.Setup.Digest() != row.SetupDigest || records.RunID(row.Kind, row.SetupDigest, row.Ordinal) != row.ID {
			c.add("setup", subject, "its frozen setup is not the one that it was started with")
		}
		if sqldb.CleanText(run.Setup.Experiment) != row.Experiment || sqldb.CleanText(run.Setup.Dataset.Name) != row.Dataset {
			c.add("setup", subject, "it is listed under experiment %q and dataset %q, which its setup does not name",
				row.Experiment, row.Dataset)
		}
		for _, v := range records.VersionsOf(run.Setup) {
			switch digest, known := c.known[v.Table+" "+sqldb.CleanText(v.Ref.String())]; {
			case !known:
				c.add("reference", subject, "it rests on %s in %s, which is not there", v.Ref, v.Table)
			case v.Ref.Digest != "" && digest != v.Ref.Digest:
				c.add("reference", subject, "it rests on another %s in %s than the one that is there", v.Ref, v.Table)
			}
		}
		for _, id := range []string{row.ParentID, row.SweepID} {
			if id != "" && !there[id] {
				c.add("reference", subject, "it belongs to run %s, which is not there", id)
			}
		}
	}
	return nil
}

// references finds rows that point at nothing.
func (c *checking) references() error {
	for _, q := range []struct{ subject, message, query string }{
		{"baseline", "it points at run %s, which is not there",
			"SELECT dataset, run_id FROM baselines WHERE run_id NOT IN (SELECT id FROM runs) ORDER BY dataset"},
		{"baseline", "its run %s is over another dataset", `SELECT b.dataset, b.run_id FROM baselines b JOIN runs r ON r.id = b.run_id
			WHERE r.dataset <> b.dataset ORDER BY b.dataset`},
		{"run", "%s of its cells are left, but the run is not there",
			"SELECT run_id, CAST(COUNT(*) AS TEXT) FROM cells WHERE run_id NOT IN (SELECT id FROM runs) GROUP BY run_id ORDER BY run_id"},
		{"run", "%s of its answers are left, but the run is not there",
			"SELECT run_id, CAST(COUNT(*) AS TEXT) FROM answers WHERE run_id NOT IN (SELECT id FROM runs) GROUP BY run_id ORDER BY run_id"},
		{"run", "%s of its events are left, but the run is not there",
			"SELECT run_id, CAST(COUNT(*) AS TEXT) FROM events WHERE run_id NOT IN (SELECT id FROM runs) GROUP BY run_id ORDER BY run_id"},
		{"answer", "there is an answer to question %s, but no cell for it", `SELECT a.run_id, a.question_id FROM answers a WHERE NOT EXISTS
			(SELECT 1 FROM cells c WHERE c.run_id = a.run_id AND c.question_id = a.question_id AND c.replicate = a.replicate) ORDER BY 1, 2`},
		{"cell", "it is %s, but nothing was written into it",
			"SELECT run_id || '/' || question_id || '/' || metric, state FROM cells WHERE state <> 'pending' AND writes < 1 ORDER BY 1"},
		{"corpus", "%s of its documents are left, but the corpus is not there", orphans("corpora", "documents", "corpus")},
		{"dataset", "%s of its questions are left, but the dataset is not there", orphans("datasets", "questions", "dataset")},
		{"log", "%s of its answers are left, but the log is not there", orphans("logs", "logged_answers", "log")},
		{"experiment", "its newest revision is not %s", `SELECT e.name, CAST(e.revision AS TEXT) FROM experiments e
			WHERE e.revision <> COALESCE((SELECT MAX(r.revision) FROM revisions r WHERE r.experiment = e.name), -1) ORDER BY e.name`},
		{"experiment", "revision %s is left, but the experiment is not there", `SELECT experiment, CAST(MAX(revision) AS TEXT) FROM revisions
			WHERE experiment NOT IN (SELECT name FROM experiments) GROUP BY experiment ORDER BY experiment`},
	} {
		if err := c.addEach("reference", q.subject, q.message, q.query); err != nil {
			return err
		}
	}
	return nil
}

// orphans counts the rows of a table whose version is not there.
func orphans(versions, items, name string) string {
	return fmt.Sprintf(`SELECT i.%[3]s || '@' || CAST(i.version AS TEXT), CAST(COUNT(*) AS TEXT) FROM %[2]s i
		WHERE NOT EXISTS (SELECT 1 FROM %[1]s v WHERE v.name = i.%[3]s AND v.version = i.version) GROUP BY i.%[3]s, i.version ORDER BY 1`, versions, items, name)
}

// vectors finds vectors that are no directions: empty, of another length than their space, zero or not finite.
func (c *checking) vectors() error {
	rows, err := c.tx.Raw("SELECT space, digest, dim, body FROM vectors ORDER BY space, digest").Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	dims := map[string]map[int]int{} // vectors by space and length
	var odd []Finding
	for rows.Next() {
		var v records.VectorRow
		if err := rows.Scan(&v.Space, &v.Digest, &v.Dim, &v.Body); err != nil {
			return err
		}
		if why := oddVector(v); why != "" {
			odd = append(odd, Finding{"vector", "vector " + v.Space + "/" + v.Digest, why})
			continue
		}
		if dims[v.Space] == nil {
			dims[v.Space] = map[int]int{}
		}
		dims[v.Space][v.Dim]++
	}
	c.found = append(c.found, odd[:min(len(odd), mostNamed)]...)
	for space, lengths := range dims {
		if len(lengths) > 1 {
			c.add("vector", "space "+space, "its vectors are of %d lengths", len(lengths))
		}
	}
	return rows.Err()
}

// oddVector says why a stored vector is none; "" when it is one.
func oddVector(r records.VectorRow) string {
	v, err := records.FromVectorRow(r)
	if err != nil {
		return err.Error()
	}
	norm := 0.0
	for _, x := range v {
		norm += float64(x) * float64(x)
	}
	switch {
	case len(v) == 0:
		return "it has no numbers"
	case math.IsNaN(norm) || math.IsInf(norm, 0):
		return "it holds a number that is none"
	case norm == 0:
		return "all of its numbers are 0"
	}
	return ""
}

// empty finds a database that holds nothing at all.
func (c *checking) empty() error {
	quiet := []string{"scheduler_clock", "idempotency_keys"} // hold rows where nothing was ever done
	for _, t := range c.schema {
		if slices.Contains(quiet, t.Name) {
			continue
		}
		var some bool
		if err := c.tx.Raw("SELECT EXISTS (SELECT 1 FROM " + contents.Quoted(t.Name) + ")").Row().Scan(&some); err != nil {
			return err
		}
		if some {
			return nil
		}
	}
	c.add("empty", "the database",
		"it holds nothing at all: no corpus, dataset, experiment, run or call. Where it is not new, it is another one than was meant, or somebody emptied it")
	return nil
}
