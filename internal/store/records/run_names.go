package records

import (
	"encoding/json"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// mostSorted is up to how many runs that hold a text are found by their names and then sorted. Of more, the list is gone through in its
// order: enough of them stand near its beginning.
const mostSorted = 1000

// searches are queries for the runs of a list.
type searches struct {
	counted *gorm.DB // finds them by what they hold
	walked  *gorm.DB // finds them in the order of the list
}

// listed is the query that shows some of so many runs.
func (s searches) listed(total int) *gorm.DB {
	if total <= mostSorted {
		return s.counted
	}
	return s.walked
}

// searches are the queries for a list. A text is looked for in the names of runs, or where none holds it at the beginning of their ids.
func (s *RunTables) searches(tx *gorm.DB, l experiments.RunList) (searches, error) {
	plain := narrowed(tx.Model(&headRow{}), l.RunFilter).Session(&gorm.Session{})
	if l.Text == "" {
		return searches{plain, plain}, nil
	}
	text := strings.ToLower(l.Text)
	names, err := s.namesHolding(tx, text)
	switch {
	case err != nil:
		return searches{}, err
	case len(names) > 0:
		held, err := json.Marshal(names)
		if err != nil {
			return searches{}, err
		}
		where, from := "named IN (SELECT value FROM json_each(?))", "runs INDEXED BY runs_named"
		if s.Engine() == sqldb.PostgresEngine {
			where, from = "md5(named) IN (SELECT jsonb_array_elements_text(?::jsonb))", "runs"
		}
		// said, because SQLite would rather go through an index that is sorted, and make the name of each run on the way
		found := narrowed(tx.Model(&headRow{}).Table(from), l.RunFilter).Where(where, string(held))
		return searches{found.Session(&gorm.Session{}), plain.Where(where, string(held)).Session(&gorm.Session{})}, nil
	case strings.Trim(text, idLetters) != "": // no id begins so
		none := plain.Where("1 = 0").Session(&gorm.Session{})
		return searches{none, none}, nil
	}
	begun := plain.Where("id >= ? AND id < ?", text, text+"~").Session(&gorm.Session{})
	return searches{begun, begun}, nil
}

// idLetters are what ids of runs are written in; all come before the tilde.
const idLetters = "0123456789abcdefghijklmnopqrstuvwxyz-"

// namesHolding are the keys of the names that hold a text in lower case. Each name is looked at once, however many runs have it: from one
// to the next leads the index. Databases fold cases differently, so that they are read here.
func (s *RunTables) namesHolding(tx *gorm.DB, text string) (keys []string, err error) {
	key, name := "named", "key"
	if s.Engine() == sqldb.PostgresEngine {
		key, name = "md5(named)", "(SELECT named FROM runs WHERE md5(named) = key LIMIT 1)"
	}
	rows, err := tx.Raw(strings.ReplaceAll(`WITH RECURSIVE each_name(key) AS (
			SELECT (SELECT KEY FROM runs ORDER BY KEY LIMIT 1)
			UNION ALL
			SELECT (SELECT KEY FROM runs WHERE KEY > each_name.key ORDER BY KEY LIMIT 1) FROM each_name WHERE each_name.key IS NOT NULL)
		SELECT key, `, "KEY", key) + name + " FROM each_name WHERE key IS NOT NULL").Rows()
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	for rows.Next() {
		var key, named string
		if err := rows.Scan(&key, &named); err != nil {
			return nil, err
		}
		holds, err := nameHolds(named, text)
		if err != nil {
			return nil, err
		}
		if holds {
			keys = append(keys, key)
		}
	}
	return keys, rows.Err()
}

// nameHolds reports whether a text in lower case is in what people know a run by, as the column named has it.
func nameHolds(named, text string) (bool, error) {
	const fields = 6

	f := strings.SplitN(named, "\x1f", fields) // experiment, dataset and corpus with their versions, parameters
	if len(f) < fields {
		return false, nil
	}
	ref := func(name, version string) string {
		n, _ := strconv.Atoi(version) // a number of the database's
		return experiments.Ref{Name: name, Version: n}.String()
	}
	for _, s := range []string{f[0], ref(f[1], f[2]), ref(f[3], f[4])} {
		if strings.Contains(strings.ToLower(s), text) {
			return true, nil
		}
	}
	if f[5] == "null" {
		return false, nil
	}
	params, err := paramsOf("of this name", f[5])
	return err == nil && strings.Contains(strings.ToLower(experiments.Describe(params)), text), err
}
