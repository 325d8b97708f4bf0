package sqlbox

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
)

var study = []Table{
	{"scores", []Column{{"run", "TEXT"}, {"question", "TEXT"}, {"metric", "TEXT"}, {"value", "REAL"}, {"reason", "TEXT"}}},
	{"runs", []Column{{"run", "TEXT"}, {"k", "INTEGER"}}},
}

func each(rows ...[]any) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// filled is a box with two runs and three scores.
func filled(t testing.TB) *Box {
	t.Helper()
	b, err := New(study...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := errors.Join(
		b.Fill("scores", []string{"run", "question", "metric", "value"},
			each([]any{"a", "q-10", "trust", 4.5}, []any{"a", "q-2", "trust", nil}, []any{"b", "q-2", "trust", 2})),
		b.Fill("runs", []string{"run", "k"}, each([]any{"a", 3}, []any{"b", int64(6)})),
	); err != nil {
		t.Fatal(err)
	}
	return b
}

var enough = Bounds{Rows: 1000, Bytes: 1 << 20}

// query is the table of a statement as one text.
func query(t testing.TB, b *Box, sql string, params map[string]any) string {
	t.Helper()
	r, err := b.Query(sql, params, enough)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return fmt.Sprint(r.Columns, r.Rows)
}

func TestPlanSaysWhatIsRead(t *testing.T) {
	t.Parallel()
	b := filled(t)
	for sql, want := range map[string]map[string][]string{
		"SELECT 1": {},
		"SELECT count(*) FROM scores NATURAL JOIN runs": {"runs": {"k", "run"},
			"scores": {"metric", "question", "reason", "run", "value"}},
		"select count(*) from Scores":                                {"scores": {}},
		"SELECT avg(s.value) FROM scores AS s":                       {"scores": {"value"}},
		"SELECT 1 FROM json_each('[1]')":                             {},
		"WITH m AS (SELECT run, k FROM runs) SELECT count(*) FROM m": {"runs": {"k", "run"}},
		"WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i+1 FROM n WHERE i < 3) " +
			"SELECT i FROM n JOIN runs ON k = i": {"runs": {"k"}},
		"SELECT value FROM scores s JOIN runs r USING (run) " +
			"WHERE r.k = :p_k ORDER BY 1": {"runs": {"k", "run"}, "scores": {"run", "value"}},
	} {
		p, err := b.Plan(sql)
		if err != nil || len(p.Reads) != len(want) {
			t.Errorf("%s: %v %v", sql, p.Reads, err)
		}
		for table, columns := range want {
			if got := p.Reads[table]; !slices.Equal(got, columns) {
				t.Errorf("%s: %s has %v", sql, table, got)
			}
		}
	}
	p, err := b.Plan("SELECT k, k, (SELECT 1 ORDER BY 1) AS one FROM runs WHERE k = :p_k")
	if err != nil || p.Ordered || !slices.Equal(p.Params, []string{"p_k"}) || !slices.Equal(p.Columns, []string{"k", "k_2", "one"}) {
		t.Errorf("%+v %v", p, err)
	}
	if p, err := b.Plan("SELECT k FROM runs -- order\n ORDER /* x */ by k"); err != nil || !p.Ordered {
		t.Errorf("%+v %v", p, err)
	}
}

func TestQueryAnswers(t *testing.T) {
	t.Parallel()
	b := filled(t)
	for sql, want := range map[string]string{
		"SELECT metric, avg(value) AS mean, count(*) n FROM scores GROUP BY 1":   "[{metric text} {mean number} {n integer}] [[trust 3.25 3]]",
		"SELECT question FROM scores":                                            "[{question text}] [[q-10] [q-2] [q-2]]",
		"SELECT DISTINCT question FROM scores ORDER BY question COLLATE natsort": "[{question text}] [[q-2] [q-10]]",
		"VALUES (1, 'a'), (NULL, 2.5)":                                           "[{column1 integer} {column2 mixed}] [[<nil> 2.5] [1 a]]",
		"SELECT run FROM runs WHERE k = :p_k":                                    "[{run text}] [[b]]",
		"SELECT x'00ff', 9e999, 2.0":                                             "[{x'00ff' text} {9e999 text} {2.0 number}] [[00ff +Inf 2]]",
		"SELECT json_extract('{\"a\": [1, 2]}', '$.a[1]'), round(log2(8), 1)": "[{json_extract('{\"a\": [1, 2]}', '$.a[1]') integer} " +
			"{round(log2(8), 1) number}] [[2 3]]",
		"SELECT run, rank() OVER (ORDER BY k DESC) AS place FROM runs; -- end": "[{run text} {place integer}] [[a 2] [b 1]]",
	} {
		if got := query(t, b, sql, map[string]any{"p_k": 6.0}); got != want {
			t.Errorf("%s:\n%s\n%s", sql, got, want)
		}
	}
	r, err := b.Query("SELECT run FROM scores", nil, Bounds{Rows: 2, Bytes: 100})
	if err != nil || !r.More || len(r.Rows) != 2 || !r.Sorted {
		t.Errorf("%+v %v", r, err)
	}
	if r, err = b.Query("SELECT run FROM scores ORDER BY 1", nil, Bounds{Rows: 9, Bytes: 5}); err != nil ||
		!r.More || r.Sorted || len(r.Rows) != 1 {
		t.Errorf("%+v %v", r, err)
	}
}

// TestRefusals: nothing but reading the tables is possible, and nothing that the same data answers in two ways.
func TestRefusals(t *testing.T) {
	t.Parallel()
	b := filled(t)
	before := query(t, b, "SELECT * FROM scores, runs", nil)
	for _, sql := range []string{
		"PRAGMA query_only = 0", "PRAGMA temp_store_directory = '/x'", "PRAGMA hard_heap_limit = 1", "PRAGMA table_info(runs)",
		"ATTACH ':memory:' AS x", "DETACH main", "VACUUM", "VACUUM INTO '/tmp/sqlbox-never'", "EXPLAIN SELECT 1",
		"EXPLAIN QUERY PLAN SELECT 1",
		"BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT x", "ANALYZE", "REINDEX", "CREATE TABLE x (a)", "CREATE TEMP TABLE x (a)",
		"CREATE VIEW x AS SELECT 1", "CREATE TRIGGER x AFTER INSERT ON runs BEGIN SELECT 1; END",
		"DROP TABLE runs", "ALTER TABLE runs ADD x",
		"INSERT INTO runs VALUES ('x', 1)", "UPDATE runs SET k = 1", "DELETE FROM runs", "REPLACE INTO runs VALUES ('x', 1)",
		"WITH x AS (SELECT 1) DELETE FROM runs", "WITH x AS (SELECT 1) INSERT INTO runs SELECT 'x', 1",
		"WITH x AS (SELECT 1) UPDATE runs SET k = 1",
		"SELECT 1; DELETE FROM runs", "SELECT 1; SELECT 2", "SELECT * FROM sqlite_schema", "SELECT count(*) FROM sqlite_master",
		"SELECT * FROM sqlite_dbpage", "SELECT * FROM dbstat", "SELECT * FROM pragma_database_list",
		"SELECT count(*) FROM pragma_table_list",
		"SELECT random()", "SELECT hex(randomblob(4))", "SELECT datetime('now')", "SELECT date()", "SELECT strftime('%s', 'now')",
		"SELECT julianday('now')", "SELECT current_timestamp", "SELECT CURRENT_DATE", "SELECT unixepoch()",
		"SELECT load_extension('x')",
		"SELECT readfile('/etc/passwd')", "SELECT sqlite_version()", "SELECT changes()", "SELECT last_insert_rowid()",
		"SELECT zeroblob(2000000)",
		"SELECT sqlite_compileoption_get(1)", "SELECT fts5(1)", "SELECT total_changes()", "SELECT 1 FROM bytecode('SELECT 1')",
		"/* SELECT */ PRAGMA user_version = 3", "-- x\n;;\nDROP TABLE runs",
	} {
		_, err := b.Plan(sql)
		m, ok := errors.AsType[*Mistake](err)
		if !ok || m.Code != CodeRefused && m.Code != CodeTable || m.Line == 0 || m.Column == 0 {
			t.Errorf("%s: %+v", sql, err)
		}
		if _, err := b.Query(sql, nil, enough); err == nil {
			t.Errorf("%s was answered", sql)
		}
	}
	if after := query(t, b, "SELECT * FROM scores, runs", nil); after != before {
		t.Errorf("the box holds %s", after)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	b := filled(t)
	endless := "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i+1 FROM n) SELECT %s FROM n"
	for sql, code := range map[string]string{
		"SELECT " + strings.Repeat("1,", 10_000) + "1":                          CodeSize,
		"SELECT " + strings.Repeat("1,", 250) + "1":                             CodeSize,
		"SELECT " + strings.Repeat("(1+", 120) + "1" + strings.Repeat(")", 120): CodeSize,
		"SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 30):                  CodeSize,
		"SELECT 'x' LIKE '" + strings.Repeat("%", 300) + "'":                    CodeSize,
		"SELECT hex(printf('%2000000d', 1))":                                    CodeSize,
		"SELECT json_extract('{', '$')":                                         CodeValue,
		"SELECT ?":                                                              CodeParam,
		"SELECT :nobody":                                                        CodeParam,
	} {
		_, err := b.Query(sql, nil, enough)
		if m, ok := errors.AsType[*Mistake](err); !ok || m.Code != code {
			t.Errorf("%.60s: %+v", sql, err)
		}
	}
	// The clock is the caller's: it says stop at the third question.
	for _, sql := range []string{fmt.Sprintf(endless, "max(i)"), fmt.Sprintf(endless, "a.i, b.i") + " AS a JOIN n AS b ORDER BY 1"} {
		asked := 0
		most := enough
		most.Stop = func() bool { asked++; return asked > 2 }
		_, err := b.Query(sql, nil, most)
		if m, ok := errors.AsType[*Mistake](err); !ok || m.Code != CodeTime || asked != 3 {
			t.Errorf("%s: %v after %d", sql, err, asked)
		}
	}
	if err := b.Fill("runs", []string{"run"}, each([]any{strings.Repeat("x", maxValue+1)})); err == nil || err.(*Mistake).Name != "runs" {
		t.Errorf("a value that is too large: %v", err)
	}
	b.rows = maxFill
	if err := b.Fill("runs", []string{"run"}, each([]any{"x"})); err == nil || err.(*Mistake).Code != CodeSize {
		t.Errorf("too many rows: %v", err)
	}
}

// TestMistakes: the line is right in each of 25 broken statements, and the column wherever one is known.
func TestMistakes(t *testing.T) {
	t.Parallel()
	b := filled(t)
	columns := 0
	cases := []struct {
		sql, code    string
		line, column int
		name         string
	}{
		{"SELECT nobody FROM runs", CodeColumn, 1, 8, "nobody"},
		{"SELECT run,\n  vlaue\nFROM scores", CodeColumn, 2, 3, "vlaue"},
		{"SELECT r.x\nFROM runs r", CodeColumn, 1, 8, "r.x"},
		{"SELECT 'あ', nobody FROM runs", CodeColumn, 1, 13, "nobody"},
		{"SELECT 1\nFROM score", CodeTable, 2, 6, "score"},
		{"SELECT 1 FROM runs\nJOIN nobody USING (run)", CodeTable, 2, 6, "nobody"},
		{"SELECT run\nFROM runs JOIN scores", CodeColumn, 1, 8, "run"},
		{"SELECT\n  median(k)\nFROM runs", CodeRefused, 2, 3, "median"},
		{"SELECT FROM runs", CodeSyntax, 1, 8, ""},
		{"SELECT 1\nFORM runs", CodeSyntax, 2, 6, ""},
		{"SELECT 1 FROM runs\nWHERE", CodeSyntax, 2, 6, ""},
		{"SELECT (1", CodeSyntax, 1, 10, ""},
		{"SELECT 1)", CodeSyntax, 1, 9, ""},
		{"SELECT 'x", CodeSyntax, 1, 8, ""},
		{"SELECT 1 FROM runs GROUP k", CodeSyntax, 1, 26, ""},
		{"SELECT 1\n\n\nORDER run", CodeSyntax, 4, 7, ""},
		{"SELECT count(value, 1) FROM scores", CodeSyntax, 1, 8, ""},
		{"SELECT 1 FROM runs\nWHERE sum(k) > 1", CodeSyntax, 2, 7, ""},
		{"SELECT 1 UNION SELECT 1, 2", CodeSyntax, 0, 0, ""},
		{"SELECT run FROM runs\nORDER BY 7", CodeSyntax, 0, 0, ""},
		{"WITH a AS (SELECT 1)\nSELECT b FROM a", CodeColumn, 2, 8, "b"},
		{"SELECT\n\trandom()", CodeRefused, 2, 2, "random"},
		{"SELECT 1;\nSELECT 2", CodeRefused, 2, 1, ""},
		{"\n\nPRAGMA x", CodeRefused, 3, 1, ""},
		{"SELECT k FROM runs ORDER BY run COLLATE german", CodeSyntax, 0, 0, ""},
	}
	for _, c := range cases {
		_, err := b.Plan(c.sql)
		m, ok := errors.AsType[*Mistake](err)
		if !ok || m.Code != c.code || c.line > 0 && (m.Line != c.line || m.Column != c.column) || c.name != "" && m.Name != c.name {
			t.Errorf("%q: %+v", c.sql, err)
			continue
		}
		if m.Column > 0 {
			columns++
		}
	}
	if len(cases) != 25 || columns < 20 {
		t.Errorf("%d of %d have a column", columns, len(cases))
	}
	_, err := b.Plan("SELECT vlaue FROM scores")
	if m, _ := errors.AsType[*Mistake](err); m == nil || !slices.Equal(m.Among, []string{"metric", "question", "reason", "run", "value"}) {
		t.Errorf("%+v", err)
	}
}

// TestRenameTable: tables and what stands before a point are renamed; columns, strings and comments of the name stay.
func TestRenameTable(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"SELECT why FROM why": "SELECT why FROM left-over", "select w.why, Why.x from runs, WHY, x join why as w": "select w.why, left-over.x " +
			"from runs, left-over, x join left-over as w",
		"SELECT a, why FROM \"why\" WHERE why = 'why' -- why": "SELECT a, why FROM left-over WHERE why = 'why' -- why",
		"SELECT 1 FROM (SELECT x, why FROM why)":              "SELECT 1 FROM (SELECT x, why FROM left-over)", "SELECT 1": "SELECT 1",
		"SELECT why.k FROM runs AS why": "SELECT why.k FROM runs AS why",
	} {
		if got := RenameTable(sql, "why", "left-over"); got != strings.ReplaceAll(want, "left-over", `"left-over"`) {
			t.Errorf("%s", got)
		}
		if got := RenameTable(RenameTable(sql, "why", "left"), "left", "why"); !strings.EqualFold(got, strings.ReplaceAll(sql, `"`, "")) {
			t.Errorf("%s and back: %s", sql, got)
		}
	}
}

// FuzzBox: no statement crashes the box, changes what it holds, or answers twice in two ways.
func FuzzBox(f *testing.F) {
	for _, s := range []string{"SELECT 1", "SELECT * FROM scores ORDER BY 1", "WITH x AS (SELECT 1) DELETE FROM runs", "SELECT 'x",
		`SELECT "a]b`, "SELECT :a", "SELECT count(*) FROM scores NATURAL JOIN runs",
		"values(1);;--", "SELECT json_group_array(value) FROM scores", "SELECT char(0xD800), x'ff'||''", "\xff",
		"SELECT [run] FROM runs /*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		b := filled(t)
		asked := 0
		most := Bounds{Rows: 100, Bytes: 1 << 16, Stop: func() bool { asked++; return asked > 50 }}
		one, errOne := b.Query(sql, map[string]any{"a": "x"}, most)
		asked = 0
		two, errTwo := b.Query(sql, map[string]any{"a": "x"}, most)
		if fmt.Sprint(one, errOne) != fmt.Sprint(two, errTwo) {
			t.Errorf("%q: %v %v, then %v %v", sql, one, errOne, two, errTwo)
		}
		held := query(t, b, "SELECT count(*), sum(value), (SELECT sum(k) FROM runs) FROM scores", nil)
		if !strings.HasSuffix(held, "[[3 6.5 9]]") {
			t.Errorf("%q: the box holds %s", sql, held)
		}
	})
}

// BenchmarkFill is a run of 10,000 questions with 12 metrics: fill, and the mean of each metric.
func BenchmarkFill(b *testing.B) {
	for b.Loop() {
		box, err := New(study...)
		if err != nil {
			b.Fatal(err)
		}
		rows := func(yield func([]any, error) bool) {
			for q := range 10_000 {
				for m := range 12 {
					if !yield([]any{"run-1", fmt.Sprintf("q-%d", q), fmt.Sprintf("metric-%d", m), float64(q*m%5) + 1}, nil) {
						return
					}
				}
			}
		}
		if err := box.Fill("scores", []string{"run", "question", "metric", "value"}, rows); err != nil {
			b.Fatal(err)
		}
		if _, err := box.Query("SELECT metric, avg(value) FROM scores GROUP BY 1", nil, enough); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(box.Bytes())/(1<<20), "MiB")
		box.Close()
	}
}
