package main

import (
	"database/sql"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/problem"
)

var (
	// notFound is what stands in the source of the doctor beside its sentences: SQL, and errors that end the check.
	notFound = regexp.MustCompile(`[=?|]|^(there is no table|table %s|read the|check the|invariant)|%Y|\b(SELECT|FROM|ORDER|IN|OR|interval)\b`)
	// verb is one of a format.
	verb = regexp.MustCompile(`%[a-z]`)
)

// TestEveryFindingIsJapaneseToo reads from the source what the doctor says of rows: a sentence without Japanese fails.
func TestEveryFindingIsJapaneseToo(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../internal/store/doctor/*.go")
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, file := range append(files, "../../internal/app/checkup/made_told.go") {
		if filepath.Base(file) == "unattested.go" {
			continue // of the program itself
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			format, ok := literalOf(e)
			if !ok || strings.Count(format, " ") < 2 || notFound.MatchString(format) {
				return true
			}
			said++
			text := verb.ReplaceAllStringFunc(format, func(v string) string {
				return map[string]string{"%d": "7", "%q": `"x"`}[v] + map[bool]string{true: "x7"}[v != "%d" && v != "%q"]
			})
			ja, known := problem.Japanese(text)
			if !known || len(englishIn(ja)) > 0 {
				t.Errorf("%s says %q, which is %q in Japanese", file, format, ja)
			}
			return false
		})
	}
	if said < 60 {
		t.Errorf("only %d sentences found", said)
	}
}

// unsealed are the words in the help of the doctor for tables without seals; "" where there is nothing to notice: copies and what is
// compared, or what says nothing of any work.
var unsealed = map[string][2]string{
	"results": {}, "grounds": {}, "cache": {}, "seals": {}, "install": {}, "idempotency_keys": {}, "scheduler_clock": {},
	"jobs": {"jobs", "ジョブ"}, "notices": {"messages", "メッセージ"},
	"notice_attempts": {"messages", "メッセージ"}, "accounts": {"accounts", "アカウント"}, "sessions": {"sign-ins", "サインイン"},
	"api_tokens": {"tokens", "トークン"}, "sign_in_links": {"sign-ins", "サインイン"},
	"traces": {"traces", "トレース"}, "trace_spans": {"traces", "トレース"}, "probes": {"probes", "プローブ"},
	"providers": {"added providers", "追加したプロバイダー"}, "run_views": {"kept lists", "保存した一覧"},
	"notebook_texts":   {"texts and removed cells of notebooks", "ノートブックの本文"},
	"notebook_removed": {"texts and removed cells of notebooks", "削除したセル"},
	"corpus_indexes":   {"mappings of indexes", "インデックスの対応付け"},
}

// TestDoctorsHelpNamesWhatHasNoSeal holds the help against the rules: a table that loses its seals, or gets some, changes the help.
func TestDoctorsHelpNamesWhatHasNoSeal(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	flowing := func(help string) string { return strings.Join(strings.Fields(help), " ") }
	en := flowing(b.must("doctor", "--help").stdout)
	ja := strings.Join(strings.Fields(b.must("doctor", "--help", "--lang", "ja").stdout), "")
	open := map[string]bool{}
	for table, columns := range integrity.Open {
		open[table] = columns["*"] != ""
		if words, known := unsealed[table]; open[table] && (!known || !strings.Contains(en, words[0]) || !strings.Contains(ja, words[1])) {
			t.Errorf("table %s has no seals, and the help does not say %q", table, words)
		}
	}
	for table := range unsealed {
		if !open[table] {
			t.Errorf("the help speaks of table %s as if it had no seals", table)
		}
	}
	for _, words := range []string{"fires that have not ended", "pins", "together with its seal where its kind is counted",
		"where the key is not here, or somebody has read it", "before there were seals", "before the key was made", "files beside the database",
		"An older server that still ran after an upgrade"} {
		if !strings.Contains(en, words) {
			t.Errorf("the help does not say %q", words)
		}
	}
}

// call is a statement that puts a call into the ledger.
func call(id, state string, cost, estimate int) string {
	return fmt.Sprintf(`INSERT INTO calls (id, run_id, question_id, stage, purpose, provider, origin, model, cache_key, replicate, attempt, state,
		owner, sent_at, http_status, estimate_micros, cost_micros, cost_kind, prompt_tokens, completion_tokens, model_seen, reply_sha256, cause)
		VALUES ('%s', 'RUN', 'q1', '', '', '', '', '', '', 0, 1, '%s', '', '2026-03-02 06:00:00+00:00', 0, %d, %d, '', 0, 0, '', '', '')`,
		id, state, estimate, cost)
}

// broken are changes of rows behind the program's back, with the kinds of findings that they bring. RUN is the id of a run.
var broken = []struct{ kind, statement string }{
	{"V1", call("c1", "lost", 0, 0)}, {"V1", call("c2", "banked", 7, 0)}, {"V1", call("c3", "failed", -1, 0)},
	{"V2", "DELETE FROM stages WHERE key IN (SELECT generation_key FROM answers WHERE question_id = 'q1' AND run_id <> 'RUN')"},
	{"V3", "UPDATE runs SET guard_reserved = 5"},
	{"V4", `UPDATE runs SET totals = '{"questions":9}' WHERE id = 'RUN'`},
	{"V5", "UPDATE cells SET reason = 'since then' WHERE metric = 'trust' AND question_id = 'q2'"},
	{"V6", "UPDATE cells SET writes = 3 WHERE metric = 'trust' AND question_id = 'q3'"},
	{"V8", `INSERT INTO fires (id, schedule, nominal_at, state, worker, cancel, run_id, body) VALUES
		('f1', 's', '2026-03-02 06:00:00+00:00', 'running', '', FALSE, 'gone', '{}'), ('f2', 's', '2026-03-09 06:00:00+00:00', 'ran', '', FALSE, 'RUN', '{}'),
		('f3', 's', '2026-03-16 06:00:00+00:00', 'ran', '', FALSE, 'RUN', '{"baseline":"0123456789ab"}')`},
	{"V9", "INSERT INTO cache (key, call_id, created_at, pinned) VALUES ('k', 'nowhere', '2026-03-02 06:00:00+00:00', FALSE)"},
	{"V10", "UPDATE runs SET state = 'running', owner = '', heartbeat_at = '2999-01-01 00:00:00+00:00' WHERE id <> 'RUN' AND kind = 'evaluate'"},
	{"events", "DELETE FROM events WHERE seq = 1"},
	{"content", "UPDATE documents SET text = text || 'x' WHERE position = 0"},
	{"content", "DELETE FROM questions WHERE question_id = 'q4'"},
	{"setup", "UPDATE runs SET experiment = 'other' WHERE id = 'RUN'"},
	{"reference", "INSERT INTO baselines (dataset, run_id, set_at) VALUES ('nothing', 'gone', '2026-03-02 06:00:00+00:00')"},
	{"reference", "UPDATE experiments SET revision = 9"},
	{"vector", "INSERT INTO vectors (space, digest, dim, body) VALUES ('s', 'a', 2, zeroblob(8)), ('s', 'b', 0, x''), ('s', 'c', 2, x'00')"},
	{"seal", "INSERT INTO seals (kind, key, digest) VALUES ('gone', 'runs nothing', x'00'), ('strange', 'x', x'00')"},
	{"tree", "UPDATE seals SET digest = x'00' WHERE kind = 'tree'"},
	{"tail", "DELETE FROM events WHERE seq = (SELECT MAX(seq) FROM events)"},
	{"mark", "UPDATE seals SET mark = NULL WHERE kind = 'events'"}, {"mark", "DELETE FROM install WHERE name = 'seals of runs'"},
	{"copy", "UPDATE results SET run_id = 'gone' WHERE run_id = 'RUN'"},
	{"count", "DELETE FROM cells WHERE question_id = 'q5' AND metric = 'trust'"},
	{"count", "DELETE FROM answers WHERE question_id = 'q6'"},
	{"gone", "DELETE FROM revisions"},
}

// TestFindingsOfEveryKindAreSaidInJapanese breaks rows of every kind: no line of what the doctor then says is an English sentence.
func TestFindingsOfEveryKindAreSaidInJapanese(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	b.must("run", "{}/sweep.yaml")
	var runs []struct {
		ID         string `json:"run_id"`
		Experiment string
	}
	decode(t, b.must("runs", "list", "--json"), &runs)
	i := slices.IndexFunc(runs, func(r struct {
		ID         string `json:"run_id"`
		Experiment string
	}) bool {
		return r.Experiment == "closed"
	})
	db, err := sql.Open("sqlite", filepath.Join(b.dir, "data", "workbench.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range broken {
		if _, err := db.ExecContext(t.Context(), strings.ReplaceAll(c.statement, "RUN", runs[i].ID)); err != nil {
			t.Fatalf("%s: %v", c.statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	o := b.run("doctor", "--lang", "ja")
	for _, english := range englishIn(o.stdout + o.stderr) {
		t.Error(english)
	}
	for _, c := range broken {
		if !strings.Contains(o.stdout, c.kind+"  ") {
			t.Errorf("nothing is found of %s", c.kind)
		}
	}
	if t.Failed() {
		t.Log(o.stdout)
	}
}
