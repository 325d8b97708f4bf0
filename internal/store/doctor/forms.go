package doctor

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// forms finds texts and times of a SQLite file that stand in it otherwise than the program writes them. A seal does not tell: it covers
// what a value says, and a text that is kept as bytes says the same. But no condition finds it, so its row is hidden from whoever asks for
// it, and a time of another zone sorts elsewhere. PostgreSQL keeps a value of a column in one form.
func (c *checking) forms() error {
	if c.engine != sqldb.SQLiteEngine {
		return nil
	}
	for _, t := range c.schema {
		var columns, counts []string
		for _, col := range t.Columns {
			name := contents.Quoted(col.Name)
			odd := "typeof(" + name + ") != 'null' AND (typeof(" + name + ") != 'text'"
			switch col.Kind {
			case contents.TextColumn:
				odd += ")"
			case contents.TimeColumn:
				odd += " OR " + name + " || '' NOT LIKE '____-__-__ __:__:__%+00:00')"
			default: // the engine compares numbers by what they are, and bytes of another kind are not what was sealed
				continue
			}
			columns, counts = append(columns, col.Name), append(counts, "COALESCE(SUM("+odd+"), 0)")
		}
		if len(columns) == 0 {
			continue
		}
		found, places := make([]int64, len(columns)), make([]any, len(columns))
		for i := range found {
			places[i] = &found[i]
		}
		query := "SELECT " + strings.Join(counts, ", ") + " FROM " + contents.Quoted(t.Name)
		if err := c.tx.Raw(query).Row().Scan(places...); err != nil {
			return err
		}
		for i, n := range found {
			if n > 0 {
				c.add("form", "table "+t.Name, "%d values of its column %s stand in another form than the program writes, "+
					"in which searching and sorting miss them", n, columns[i])
			}
		}
	}
	return nil
}

// heads compares what lists read of a run with its setup and totals. The database derives it by a rule in its schema, which no seal covers:
// whoever changes the rule changes what every list shows.
func (c *checking) heads() error {
	const listed = `SELECT id, revision, dataset_version, dataset_digest, corpus, corpus_version, corpus_digest, judge_provider, judge_model,
		offline, settled, low_score, named, low_score_count, correctness, trust FROM runs`
	rows, err := c.tx.Raw(listed).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	heads := map[string]head{}
	for rows.Next() {
		var id string
		var h head
		if err := rows.Scan(&id, &h.revision, &h.datasetVersion, &h.datasetDigest, &h.corpus, &h.corpusVersion, &h.corpusDigest,
			&h.judgeProvider, &h.judgeModel, &h.offline, &h.settled, &h.lowScore, &h.named, &h.low, &h.correctness, &h.trust); err != nil {
			return err
		}
		heads[id] = h
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, row := range c.runs {
		given, err := headOf(row)
		if err != nil {
			continue // told of elsewhere
		}
		if wrong := given.unlike(heads[row.ID]); len(wrong) > 0 {
			c.add("copy", "run "+row.ID, "lists read it otherwise than its setup and its totals say: %s", strings.Join(wrong, ", "))
		}
	}
	return nil
}

// head is what lists read of a run.
type head struct {
	revision, datasetVersion, corpusVersion                               int64
	datasetDigest, corpus, corpusDigest, judgeProvider, judgeModel, named string
	offline, settled                                                      bool
	lowScore                                                              float64
	low                                                                   *int64
	correctness, trust                                                    *float64
}

// stated is what the setup of a run says that lists read, and figured what its totals say.
type (
	stated struct {
		Revision int64
		Dataset  experiments.Ref
		Corpus   experiments.Ref
		Judge    struct{ Provider, Model string }
		Offline  bool
		Settled  bool
		LowScore float64 `json:"low_score"`
	}
	figured struct {
		Low    *int64 `json:"low_score_count"`
		Scores map[string]struct{ Mean *float64 }
	}
)

// headOf is what lists should read of a run.
func headOf(row records.RunRow) (h head, err error) {
	setup, err := sqldb.DecodeJSON[stated]("setup", row.Setup)
	if err != nil {
		return h, err
	}
	told, err := sqldb.DecodeJSON[figured]("totals", cmp.Or(row.Pooled, row.Totals))
	if err != nil {
		return h, err
	}
	h = head{
		revision: setup.Revision, datasetVersion: int64(setup.Dataset.Version), corpusVersion: int64(setup.Corpus.Version),
		datasetDigest: setup.Dataset.Digest, corpus: setup.Corpus.Name, corpusDigest: setup.Corpus.Digest,
		judgeProvider: setup.Judge.Provider, judgeModel: setup.Judge.Model, offline: setup.Offline, settled: setup.Settled,
		lowScore: setup.LowScore, low: told.Low, correctness: told.Scores["correctness"].Mean, trust: told.Scores["trust"].Mean,
	}
	h.named = strings.Join([]string{row.Experiment, row.Dataset, strconv.FormatInt(h.datasetVersion, 10), h.corpus,
		strconv.FormatInt(h.corpusVersion, 10), row.Params}, "\x1f")
	return h, nil
}

// unlike are the columns in which two heads differ. The engines read decimals each in its own way, so the last digits do not count.
func (h head) unlike(other head) (wrong []string) {
	near := func(a, b *float64) bool { return (a == nil) == (b == nil) && (a == nil || math.Abs(*a-*b) <= 1e-9) }
	same := func(a, b *int64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }
	for _, c := range []struct {
		column string
		same   bool
	}{
		{"revision", h.revision == other.revision}, {"dataset_version", h.datasetVersion == other.datasetVersion},
		{"dataset_digest", h.datasetDigest == other.datasetDigest}, {"corpus", h.corpus == other.corpus},
		{"corpus_version", h.corpusVersion == other.corpusVersion}, {"corpus_digest", h.corpusDigest == other.corpusDigest},
		{"judge_provider", h.judgeProvider == other.judgeProvider}, {"judge_model", h.judgeModel == other.judgeModel},
		{"offline", h.offline == other.offline}, {"settled", h.settled == other.settled},
		{"low_score", near(&h.lowScore, &other.lowScore)}, {"named", h.named == other.named},
		{"low_score_count", same(h.low, other.low)}, {"correctness", near(h.correctness, other.correctness)},
		{"trust", near(h.trust, other.trust)},
	} {
		if !c.same {
			wrong = append(wrong, c.column)
		}
	}
	return wrong
}
