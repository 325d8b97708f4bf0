// Package doctor looks for what must never be so in a database, whatever was killed and when ([Checker.Check]), and seals databases
// from before there were seals. It changes nothing else.
package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Finding is one thing in a database that must not be so.
type Finding struct {
	Invariant string `json:"invariant"` // one of the names that [Store.Check] lists
	Subject   string `json:"subject"`   // what is wrong: "run …", "call …", "cache …", "cell RUN/QUESTION/METRIC"
	Message   string `json:"message"`   // one sentence
}

// Checker looks for what must not be so in a database whose tables it is told.
type Checker struct {
	*sqldb.DB
	ReadTables func(context.Context) ([]contents.Table, error)
}

// checks are the invariants in the order in which they are told.
var checks = []struct {
	invariant string
	check     func(*checking) error
}{
	{"V1", (*checking).callStates},
	{"V2", (*checking).scoredCells},
	{"V3", (*checking).guards},
	{"V4", (*checking).totals}, // and V5, and copy
	{"V6", (*checking).writes},
	{"V8", (*checking).fires},
	{"V9", (*checking).cache},
	{"V10", (*checking).running},
	{"events", (*checking).events},
	{"content", (*checking).contents},
	{"setup", (*checking).setups}, // and references of runs, after contents
	{"reference", (*checking).references},
	{"vector", (*checking).vectors},
	{"seal", (*checking).seals},
	{"tree", (*checking).trees},
	{"tail", (*checking).tails},
	{"text", (*checking).texts},
	{"body", (*checking).repeats},
	{"form", (*checking).forms},
	{"copy", (*checking).compactRuns},
	{"copy", (*checking).heads},
	{"count", (*checking).counts},
	{"gone", (*checking).gone},
	{"mark", (*checking).unmarkedSeals}, // after all that read seals
	{"empty", (*checking).empty},
}

// Check looks for everything that must never be so, whatever was killed and when, in one unchanging state of the database:
//
//	V1      every call stands in one state of the ledger and has what belongs to that state
//	V2      every scored cell points to stored stage outputs, and those to usable calls or to no call at all
//	V3      the guard of every budget is the sum of its calls
//	V4      the stored totals of a finished run are those computed from its cells
//	V5      nothing in a finished run has changed since its chain was closed
//	V6      no cell was written twice in one attempt
//	V8      no slot of a schedule has two runs, no run stands for two slots, and every slot is readable
//	V9      every cache entry serves a usable call with its reply
//	V10     every running run is held by somebody, and can be taken over when that somebody falls silent
//	events  the events of every run are numbered 1, 2, … without gaps
//
// and that nothing was changed which stays as it is:
//
//	content    corpora, datasets and logs hold what they were stored with
//	setup      the frozen setup of every run is the one that its id follows from
//	reference  nothing points at a run, version or revision that is not there
//	vector     stored vectors are directions, those of one space of one length
//	seal       every row that package integrity has a rule for is what was sealed, none is gone and none was put in
//	tree       what every finished run rests on is what it was when it finished
//	tail       every run that is over has as many events as when it ended, and its calls cost the same
//	text       the kept texts of notebooks are those of their digests
//	body       what the columns of a row repeat of its body is what the body says
//	form       texts and times stand in the form in which they are found and sorted
//	copy       the compact results of a finished run say what its answers and cells say, and lists what its setup and totals say
//	count      what is numbered has no gaps, and every run has a cell for each of its questions and metrics, and its answers
//	gone       what bills, chains, fires, reviews, setups and later numbers name is there, unless somebody deleted it
//	mark       where the place has a key, every seal has its mark, and none is gone of the kinds that are counted
//	empty      the database holds anything at all
//
// A row that was taken away together with its seal is found by count and gone, where anything else tells of it: [Unattested] is the rest.
// No finding means that none of this is wrong. It reads every stored reply, so it takes a while on a large database.
func (s *Checker) Check(ctx context.Context) ([]Finding, error) {
	tables, err := s.ReadTables(ctx)
	if err != nil {
		return nil, sqldb.Wrap("read the tables", err)
	}
	var found []Finding
	err = s.Snapshot(ctx, "check the database", func(tx *gorm.DB) (err error) {
		found, err = Check(tx, s.Engine(), tables)
		return err
	})
	return found, err
}

// Check is Check within a transaction, of a database with these tables.
func Check(tx *gorm.DB, engine string, tables []contents.Table) ([]Finding, error) {
	c := &checking{tx: tx, engine: engine, schema: tables, known: map[string]string{}}
	if err := c.findMarks(); err != nil {
		return nil, err
	}
	if err := tx.Order("seq").Find(&c.runs).Error; err != nil {
		return nil, err
	}
	for _, one := range checks {
		if err := one.check(c); err != nil {
			return nil, fmt.Errorf("invariant %s: %w", one.invariant, err)
		}
	}
	return c.found, nil
}

type checking struct {
	tx     *gorm.DB
	engine string
	runs   []records.RunRow
	schema []contents.Table
	known  map[string]string // digests of versions, by table and name@version
	found  []Finding

	marks    *seals.Marks               // nil without a key
	shared   bool                       // programs without the key write too
	unmarked map[string]map[string]bool // seals without its mark, by kind and key
}

func (c *checking) add(invariant, subject, message string, args ...any) {
	c.found = append(c.found, Finding{invariant, subject, fmt.Sprintf(message, args...)})
}

// each hands over the rows (name, detail) of a query.
func (c *checking) each(query string, do func(name, detail string)) error {
	rows, err := c.tx.Raw(query).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name, detail string
		if err := rows.Scan(&name, &detail); err != nil {
			return err
		}
		do(name, detail)
	}
	return rows.Err()
}

// addEach makes a finding of every row (subject, detail) that a query returns.
func (c *checking) addEach(invariant, subject, message, query string) error {
	return c.each(query, func(name, detail string) { c.add(invariant, subject+" "+name, message, detail) })
}

// guards compares the numbers kept beside each budget with the sums of the calls.
func (c *checking) guards() error {
	for _, run := range c.runs {
		summed, err := records.SumGuard(c.tx, run.ID)
		if err != nil {
			return err
		}
		if kept := (records.GuardNumbers{Spent: run.Spent, Reserved: run.Reserved, Calls: run.Attempts}); kept != summed {
			c.add("V3", "run "+run.ID, "its guard is %s spent and %s reserved in %d calls, but its calls sum up to %s, %s and %d",
				records.Money(kept.Spent), records.Money(kept.Reserved), kept.Calls, records.Money(summed.Spent),
				records.Money(summed.Reserved), summed.Calls)
		}
	}
	return c.addEach("V3", "call", "it is booked to another sweep than its run %s", `SELECT calls.id, runs.id FROM calls
		JOIN runs ON runs.id = calls.run_id WHERE calls.sweep_id <> runs.sweep_id ORDER BY calls.id`)
}

// totals recomputes the headline and the chain of every finished run that has cells.
func (c *checking) totals() error {
	for _, row := range c.runs {
		if row.State != string(experiments.Finished) {
			continue
		}
		run, err := records.FromRunRow(row)
		if err != nil {
			c.add("V4", "run "+row.ID, "it is not readable: %v", err)
			continue
		}
		results, positions, err := records.LoadCells(c.tx, run.ID, run.Setup.Suite)
		if err != nil {
			c.add("V5", "run "+row.ID, "its results are not readable: %v", err)
			continue
		}
		if err := c.compactResults(run, results, positions); err != nil {
			return err
		}
		if len(results) == 0 {
			continue
		}
		computed, err := sqldb.EncodeJSON(experiments.Total(results, run.Setup.LowRule()))
		if err != nil {
			return err
		}
		own, err := records.OwnTotals(row)
		if err != nil {
			return err
		}
		stored, err := sqldb.EncodeJSON(own)
		if err != nil {
			return err
		}
		if stored != computed {
			c.add("V4", "run "+row.ID, "its stored totals are not those that its cells give: %s", strings.Join(differing(stored, computed), ", "))
		}
		if err := c.pooled(row); err != nil {
			return err
		}
		if chain := experiments.ChainLike(run.Chain, results); chain != run.Chain {
			c.add("V5", "run "+row.ID, "its chain was closed as %q, but its results give %q", run.Chain, chain)
		}
	}
	return nil
}

// pooled recomputes the headline of a run with the votes of its children. Where results are not readable, that is said of them.
func (c *checking) pooled(row records.RunRow) error {
	computed, err := records.PooledTotals(c.tx, row)
	if err == nil && computed != row.Pooled {
		c.add("V4", "run "+row.ID, "its stored totals with the votes of its children are not those that their cells give")
	}
	return nil
}

// differing are the names under which two objects of JSON hold something else.
func differing(a, b string) (names []string) {
	var left, right map[string]json.RawMessage
	if json.Unmarshal([]byte(a), &left) != nil || json.Unmarshal([]byte(b), &right) != nil || left == nil || right == nil {
		return []string{a}
	}
	all := maps.Clone(left)
	maps.Copy(all, right)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if string(left[name]) != string(right[name]) {
			names = append(names, name)
		}
	}
	return names
}

// writes finds cells that were written more than once.
func (c *checking) writes() error {
	return c.addEach("V6", "cell", "it was written %s times in one attempt",
		`SELECT run_id || '/' || question_id || '/' || metric, CAST(writes AS TEXT) FROM cells WHERE writes > 1
		ORDER BY run_id, question_id, metric, replicate`)
}

// cache finds entries that cannot be served.
func (c *checking) cache() error {
	return c.addEach("V9", "cache", "its call %s", `SELECT cache.key, CASE
			WHEN calls.id IS NULL THEN cache.call_id || ' does not exist'
			WHEN calls.state <> 'usable' THEN calls.id || ' is ' || calls.state
			WHEN calls.cache_key <> cache.key THEN calls.id || ' answered another request'
			ELSE calls.id || ' has no reply any more' END
		FROM cache LEFT JOIN calls ON calls.id = cache.call_id
		WHERE calls.id IS NULL OR calls.state <> 'usable' OR calls.cache_key <> cache.key OR calls.pruned ORDER BY cache.key`)
}

// running finds running runs that nobody holds, or that nobody can take over because their last sign of life lies in the
// future of the database's clock.
func (c *checking) running() error {
	err := c.addEach("V10", "run", "it is running, but nobody holds it%s",
		"SELECT id, '' FROM runs WHERE state = 'running' AND owner = '' ORDER BY seq")
	if err != nil {
		return err
	}
	soon := "now() + interval '1 hour'"
	if c.engine == sqldb.SQLiteEngine {
		soon = "strftime('%Y-%m-%d %H:%M:%f+00:00', 'now', '+1 hour')"
	}
	return c.addEach("V10", "run", "nobody can take it over before %s, when its last sign of life was given according to its row",
		"SELECT id, CAST(heartbeat_at AS TEXT) FROM runs WHERE state = 'running' AND heartbeat_at > "+soon+" ORDER BY seq")
}

// events finds histories with gaps.
func (c *checking) events() error {
	return c.addEach("events", "run", "%s", `SELECT run_id,
			'it has ' || CAST(COUNT(*) AS TEXT) || ' events, numbered from ' || CAST(MIN(seq) AS TEXT) || ' to ' || CAST(MAX(seq) AS TEXT)
		FROM events GROUP BY run_id HAVING MIN(seq) <> 1 OR MAX(seq) <> COUNT(*) ORDER BY run_id`)
}
