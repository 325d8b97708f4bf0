package doctor

import (
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// fires finds slots that more than one run was made for, runs that stand for more than one slot, and fires that say that they ran
// without one.
func (c *checking) fires() error {
	byFire := map[string]string{}
	for _, row := range c.runs {
		if row.ParentID != "" || row.SweepID != "" {
			continue
		}
		run, err := records.FromRunRow(row)
		if err != nil || run.Setup.Fire == "" || run.Setup.Analysis != nil || run.Kind != "evaluate" {
			continue // an unreadable run is told of elsewhere
		}
		// A notebook's fire makes one run for each configuration.
		key := run.Setup.Fire + " " + run.Setup.Digest()
		if other, twice := byFire[key]; twice {
			c.add("V8", "run "+row.ID, "it was made for fire %s, and so was run %s", run.Setup.Fire, other)
		}
		byFire[key] = row.ID
	}
	err := c.addEach("V8", "run", "it stands for %s fires", `SELECT run_id, CAST(COUNT(*) AS TEXT) FROM fires
		WHERE run_id <> '' GROUP BY run_id HAVING COUNT(*) > 1 ORDER BY run_id`)
	if err != nil {
		return err
	}
	err = c.each("SELECT id, body FROM fires ORDER BY nominal_at, id", func(id, body string) {
		if _, err := sqldb.DecodeJSON[experiments.Fire]("fire "+id, body); err != nil {
			c.add("V8", "fire "+id, "it is not readable: %v", err)
		}
	})
	if err != nil {
		return err
	}
	return c.addEach("V8", "fire", "%s", `SELECT fires.id, 'its run ' || fires.run_id || ' does not exist' FROM fires
		LEFT JOIN runs ON runs.id = fires.run_id WHERE fires.run_id <> '' AND fires.state = 'running' AND runs.id IS NULL ORDER BY fires.id`)
}
