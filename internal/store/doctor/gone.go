package doctor

import (
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/library"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Whoever takes a row away together with its seal leaves what names it: bills, later numbers, chains, fires. A row may be named and rightly
// not be here, where somebody deleted it or a study left it out; that is kept as a seal of the kind [integrity.Gone].

// named is a row that something here names and that is not here.
type named struct {
	key     string // of its kind [integrity.Gone]
	subject string
	message string
}

// missing finds the rows that something names and that are not here, whether rightly or not.
func (c *checking) missing() ([]named, error) {
	m := &missing{c: c, there: map[string]bool{}, told: map[string]bool{}}
	for _, row := range c.runs {
		m.there[row.ID] = true
	}
	for _, find := range []func() error{m.billed, m.reviewed, m.fired, m.ordinals, m.setups, m.members, m.versions} {
		if err := find(); err != nil {
			return nil, err
		}
	}
	return m.found, nil
}

type missing struct {
	c     *checking
	there map[string]bool // runs
	told  map[string]bool // keys
	found []named
}

// add notes a row once, however often it is named.
func (m *missing) add(key, subject, message string, args ...any) {
	if !m.told[key] {
		m.told[key] = true
		m.found = append(m.found, named{key, subject, fmt.Sprintf(message, args...)})
	}
}

func (m *missing) run(id, message string, args ...any) {
	if id != "" && !m.there[id] {
		m.add(integrity.KeyOf("runs", id), "run "+id, message, args...)
	}
}

// billed finds runs and sweeps that calls are booked to.
func (m *missing) billed() error {
	for _, column := range []string{"run_id", "sweep_id"} {
		err := m.c.each(fmt.Sprintf(`SELECT %[1]s, CAST(COUNT(*) AS TEXT) FROM calls WHERE %[1]s <> '' AND %[1]s NOT IN (SELECT id FROM runs)
			GROUP BY %[1]s ORDER BY %[1]s`, column), func(id, n string) {
			m.run(id, "%s calls are booked to it, but it is not there, and nobody deleted it", n)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// reviewed finds runs that people reviewed.
func (m *missing) reviewed() error {
	return m.c.each(`SELECT run_id, CAST(COUNT(*) AS TEXT) FROM reviews WHERE run_id NOT IN (SELECT id FROM runs)
		GROUP BY run_id ORDER BY run_id`, func(id, n string) {
		m.run(id, "there are %s reviews of it, but it is not there, and nobody deleted it", n)
	})
}

// fired finds runs that fires name, and fires that runs were made for. Of a fire that is under way, V8 tells.
func (m *missing) fired() error {
	fires := map[string]bool{}
	err := m.c.each("SELECT id, body FROM fires ORDER BY nominal_at, id", func(id, body string) {
		fires[id] = true
		f, err := sqldb.DecodeJSON[experiments.Fire]("fire "+id, body)
		if err != nil {
			return // V8 tells
		}
		runs := []string{f.Baseline, f.Previous, f.Anchors}
		if f.State.Ended() {
			runs = append(runs, f.RunID)
		}
		for _, run := range runs {
			m.run(run, "fire %s names it, but it is not there, and nobody deleted it", id)
		}
	})
	if err != nil {
		return err
	}
	for _, run := range m.decoded() {
		for _, id := range []string{run.Setup.Fire, run.Setup.Rejudge} {
			if id != "" && !fires[id] {
				m.add(integrity.KeyOf("fires", id), "fire "+id, "run %s was made for it, but it is not there", run.ID)
			}
		}
	}
	return nil
}

// decoded are the runs that can be read; of the others, setup tells.
func (m *missing) decoded() []experiments.Run {
	out := make([]experiments.Run, 0, len(m.c.runs))
	for _, row := range m.c.runs {
		if run, err := records.FromRunRow(row); err == nil {
			out = append(out, run)
		}
	}
	return out
}

// mostOrdinals bounds what an edited ordinal makes us look for; setup tells of it.
const mostOrdinals = 100_000

// ordinals finds runs whose place among those of equal setup a later one has left to them.
func (m *missing) ordinals() error {
	last := map[string]records.RunRow{}
	for _, row := range m.c.runs {
		key := row.Kind + " " + row.SetupDigest
		if was, some := last[key]; !some || was.Ordinal < row.Ordinal {
			last[key] = row
		}
	}
	for _, key := range slices.Sorted(maps.Keys(last)) {
		row := last[key]
		if records.RunID(row.Kind, row.SetupDigest, row.Ordinal) != row.ID || row.Ordinal > mostOrdinals {
			continue // edited
		}
		for n := range row.Ordinal {
			m.run(records.RunID(row.Kind, row.SetupDigest, n), "run %s of the same setup came after it, but it is not there, and nobody deleted it",
				row.ID)
		}
	}
	return nil
}

// setups finds revisions and agreements that runs were started under.
func (m *missing) setups() error {
	there := map[string]bool{}
	for _, q := range []string{
		"SELECT 'revisions', experiment || '@' || CAST(revision AS TEXT) FROM revisions",
		"SELECT 'agreements', dataset || '@' || CAST(version AS TEXT) FROM agreements",
	} {
		if err := m.c.each(q, func(kind, name string) { there[kind+" "+name] = true }); err != nil {
			return err
		}
	}
	for _, run := range m.decoded() {
		if run.MakesThemes() {
			continue
		}
		for _, v := range []struct {
			kind, noun, name string
			version          int
		}{
			{"revisions", "experiment", run.Setup.Experiment, run.Setup.Revision},
			{"agreements", "agreement", run.Setup.Dataset.Name, run.Setup.Agreement},
		} {
			name := fmt.Sprintf("%s@%d", sqldb.CleanText(v.name), v.version)
			if v.version > 0 && !there[v.kind+" "+name] {
				m.add(integrity.KeyOf(v.kind, name), v.noun+" "+name, "run %s was started under it, but it is not there", run.ID)
			}
		}
	}
	return nil
}

// members finds finished sweeps whose chain was closed over other runs than those that are here.
func (m *missing) members() error {
	of := map[string][]records.RunRow{}
	for _, row := range m.c.runs {
		of[row.SweepID] = append(of[row.SweepID], row)
	}
	for _, row := range m.c.runs {
		if row.Kind != string(experiments.KindSweep) || row.State != string(experiments.Finished) {
			continue
		}
		rows := of[row.ID]
		slices.SortStableFunc(rows, func(a, b records.RunRow) int { return a.Created.Compare(b.Created) })
		runs := make([]experiments.Run, len(rows))
		for i, r := range rows {
			runs[i].Chain = r.Chain
		}
		if experiments.SweepChain(runs) != row.Chain {
			m.add(integrity.KeyOf("members", row.ID), "sweep "+row.ID,
				"its chain was closed over other runs than the %d that are there, and nobody deleted one", len(runs))
		}
	}
	return nil
}

// versions finds versions that newer ones came after.
func (m *missing) versions() error {
	for _, kind := range []struct{ table, noun string }{{"corpora", "corpus"}, {"datasets", "dataset"}, {"logs", "log"}} {
		var versions []library.VersionRow
		if err := m.c.tx.Table(kind.table).Order("name, version").Find(&versions).Error; err != nil {
			return err
		}
		next := map[string]int{}
		for _, v := range versions {
			for n := max(1, next[v.Name]); n < min(v.Version, mostOrdinals); n++ {
				m.add(integrity.KeyOf(kind.table, v.Name, int64(n)), fmt.Sprintf("%s %s@%d", kind.noun, v.Name, n),
					"it is not there, and version %d came after it", v.Version)
			}
			next[v.Name] = v.Version + 1
		}
	}
	return m.themes()
}

// themes finds versions of lists of themes between others. A file may begin with any, and a study may bring earlier ones.
func (m *missing) themes() error {
	var versions []struct {
		DatasetName, ID string
		Version         int
	}
	if err := m.c.tx.Table("taxonomies").Order("dataset_name, id").Order("version").Find(&versions).Error; err != nil {
		return err
	}
	for i, v := range versions[min(1, len(versions)):] {
		before := versions[i]
		if before.DatasetName != v.DatasetName || before.ID != v.ID {
			continue
		}
		for n := before.Version + 1; n < min(v.Version, mostOrdinals); n++ {
			m.add(integrity.KeyOf("taxonomies", v.DatasetName, v.ID, int64(n)), fmt.Sprintf("taxonomy %s/%s@%d", v.DatasetName, v.ID, n),
				"it is not there, and version %d came after it", v.Version)
		}
	}
	return nil
}

// kept are the rows that are rightly not here. A seal that says so and is not whole is a finding.
func (c *checking) kept() (gone map[string]bool, err error) {
	gone = map[string]bool{}
	err = c.stored(integrity.Gone, func(key string, d integrity.Digest, _ bool) {
		gone[key] = true
		if d != integrity.GoneDigest(key) {
			c.add("gone", integrity.Name(integrity.Gone, key), "somebody else than this program wrote that it is rightly not there")
		}
	})
	return gone, err
}

// gone finds rows that something names, and that were taken away without anybody deleting them.
func (c *checking) gone() error {
	gone, err := c.kept()
	if err != nil {
		return err
	}
	all, err := c.missing()
	if err != nil {
		return err
	}
	told := 0
	for _, n := range all {
		if gone[n.key] {
			continue
		}
		if told++; told <= mostNamed {
			c.add("gone", n.subject, "%s", n.message)
		}
	}
	if told > mostNamed {
		c.add("gone", "the database", "%d more rows that are named are not there", told-mostNamed)
	}
	return nil
}

// Absent are the rows that something in a database names and that are not in it, by their keys.
func Absent(tx *gorm.DB) (map[string]bool, error) {
	c := &checking{tx: tx}
	if err := tx.Select("*").Order("seq").Find(&c.runs).Error; err != nil {
		return nil, err
	}
	all, err := c.missing()
	out := make(map[string]bool, len(all))
	for _, n := range all {
		out[n.key] = true
	}
	return out, err
}

// KeepAbsent keeps that rows are rightly not here which were not missed before: a study left them out, or an older program deleted them
// and kept nothing of it. What has come since is not gone any more.
func KeepAbsent(tx *gorm.DB, before map[string]bool) error {
	now, err := Absent(tx)
	if err != nil {
		return err
	}
	c, come := &checking{tx: tx}, []string{}
	err = c.stored(integrity.Gone, func(key string, _ integrity.Digest, _ bool) {
		if !now[key] {
			come = append(come, key)
		}
	})
	if err != nil {
		return err
	}
	for _, key := range come {
		if err := seals.RemoveWhere(tx, integrity.Gone, "key = ?", key); err != nil {
			return err
		}
	}
	maps.DeleteFunc(now, func(key string, _ bool) bool { return before[key] })
	return seals.PutGone(tx, slices.Sorted(maps.Keys(now)))
}
