package doctor

import (
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/compact"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// compactRuns finds compact results that no finished run has.
func (c *checking) compactRuns() error {
	return c.addEach("copy", "run", "%s", `SELECT DISTINCT results.run_id, 'there is a copy of its results, but it is not finished or not there'
		FROM results LEFT JOIN runs ON runs.id = results.run_id WHERE runs.id IS NULL OR runs.state <> 'finished' ORDER BY results.run_id`)
}

// compactResults compares what a finished run keeps twice.
func (c *checking) compactResults(run experiments.Run, results []experiments.Result, positions []int) error {
	copied, at, err := records.LoadCompact(c.tx, run.ID, run.Setup.Suite)
	switch {
	case errors.Is(err, compact.ErrDamaged):
		c.add("copy", "run "+run.ID, "the copy from which its results are read is damaged: %v", err)
	case err != nil:
		return err
	case copied != nil && !(reflect.DeepEqual(copied, results) && slices.Equal(at, positions)):
		c.add("copy", "run "+run.ID, "the copy from which its results are read says something else than its answers and scores")
	}
	return c.grounds(run, results)
}

// mostMeasured is how many answers of a run the doctor measures again.
const mostMeasured = 50

// grounds compares what is kept of a finished run with what its stages say, and some of its answers with their references.
func (c *checking) grounds(run experiments.Run, results []experiments.Result) error {
	kept := slices.Clone(results)
	if err := records.ReadGrounds(c.tx, run.ID, kept); err != nil {
		return err
	}
	for i, r := range results {
		if kept[i].Grounds == nil {
			continue
		}
		g, known, err := records.GroundsOf(c.tx, r)
		if err != nil {
			return err
		}
		if known && !reflect.DeepEqual(g, *kept[i].Grounds) {
			c.add("copy", "run "+run.ID, "what comparisons read of question %s says something else than the judge's replies", r.QuestionID)
			return nil
		}
	}
	covers, err := records.CoversOf(c.tx, run, results, 1+len(results)/mostMeasured)
	if err != nil {
		return err
	}
	for _, i := range slices.Sorted(maps.Keys(covers)) { // one that an older version measured is not used
		if now := covers[i]; kept[i].Cover != nil && kept[i].Cover.Key == now.Key && *kept[i].Cover != now {
			c.add("copy", "run "+run.ID, "how much of its reference the answer to question %s covers is not what comparisons read",
				results[i].QuestionID)
			return nil
		}
	}
	return nil
}
