package notebooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
)

const queryStudy = "---\nragnb: 1\ntitle: Q\n---\n\n{{ means.rows }} rows, the best {{ means.1.mean }} of {{ low.1.n }}.\n\n" +
	"```rag params p\nleast: 4\nother: 1\n```\n```rag corpus docs\nsource: d\n```\n```rag dataset qa\nsource: q\n```\n" +
	"```rag config base\ncorpus: docs\n```\n```rag config other\nextends: base\nretrieve: {k: ${p.other}}\n```\n" +
	"```rag run one\nconfigs: base\ndataset: qa\n```\n```rag run two\nconfigs: other\ndataset: qa\n```\n" +
	"```rag query means\nsql: |\n  SELECT metric, avg(value) AS mean, count(*) AS n\n  FROM scores s WHERE value >= ${p.least} GROUP BY 1\n" +
	"of: one\n```\n" +
	"```rag query low\nsql: SELECT sum(n) AS n FROM means\n```\n```rag compare c\nbaseline: one\ncandidate: two\n```\n" +
	"```rag query worse\nsql: SELECT question FROM c WHERE verdict = 'worse'\n```\n```rag query count\nsql: SELECT count(*) n FROM scores\n```\n"

var tags = regexp.MustCompile(`<[^>]*>`)

// TestAQueryReadsTheStudy: values, edges, prose, pages in both languages, and what an edit makes stale.
func TestAQueryReadsTheStudy(t *testing.T) {
	t.Parallel()
	b := newBench()
	n := opened(t, b, queryStudy)
	v, err := n.Run(t.Context(), Options{Approve: approve})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"means": "[[correctness 4.5 2]]", "low": "[[2]]", "worse": "[[q1]]", "count": "[[4]]"} {
		at := v.Cell(name)
		if at.State != Fresh || fmt.Sprint(at.Value.(document.Rows).Rows) != want {
			t.Errorf("%s is %+v %v", name, at, at.Error)
		}
	}
	for name, want := range map[string]string{"means": "one p", "low": "means", "worse": "c", "count": "one two"} {
		if got := strings.Join(n.Document.Refs(n.Document.Cell(name)), " "); got != want {
			t.Errorf("%s needs %s", name, got)
		}
	}
	for _, lang := range []string{"en", "ja"} {
		var page bytes.Buffer
		if err := n.WriteHTML(v, lang, &page); err != nil || !strings.Contains(page.String(), "<td>4.5</td>") ||
			!strings.Contains(tags.ReplaceAllString(page.String(), ""), "1 rows, the best 4.5 of 2.") {
			t.Errorf("%v %s", err, page.String())
		}
	}
	commented := opened(t, b, strings.Replace(queryStudy, "GROUP BY 1\n", "GROUP BY 1 -- p.other, FROM scores\n", 1))
	commented.Lock = n.Lock
	if v, err = commented.Evaluate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	for _, c := range v.Cells {
		if c.State != Fresh {
			t.Errorf("a comment in a statement: %s is %s", c.Name, c.State)
		}
	}
	if err := n.Set("p.other", "2"); err != nil {
		t.Fatal(err)
	}
	if v, err = n.Evaluate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]State{"means": Fresh, "low": Fresh, "worse": Stale, "count": Stale} {
		if got := v.Cell(name).State; got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
	if err := n.Set("p.least", "5"); err != nil {
		t.Fatal(err)
	}
	if v, err = n.Evaluate(t.Context(), false); err != nil || fmt.Sprint(v.Cell("low").Value.(document.Rows).Rows) != "[[1]]" {
		t.Errorf("%+v %v", v.Cell("low"), err)
	}
}

// TestMistakesOfAQueryHaveTheirPlace: line and column are those of the document.
func TestMistakesOfAQueryHaveTheirPlace(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]any{
		"sql: SELECT valeu FROM scores":       {"sql_column", 5, 13},
		"sql: |\n  SELECT 1\n  FROM score":    {"sql_table", 7, 8},
		"limit: 3\nsql: DROP TABLE scores":    {"sql_refused", 6, 6},
		"sql: SELECT * FROM sqlite_schema":    {"sql_refused", 5, 20},
		"sql: |\n    SELECT 1;\n    SELECT 2": {"sql_refused", 7, 5},
		"sql: >\n  SELECT\n  x FROM":          {"sql_syntax", 5, nil},
		"sql: SELECT * FROM itself":           {"sql_table", 5, 20},
	} {
		_, wrong := document.Read("n", []byte("---\nragnb: 1\n---\n```rag query itself\n"+body+"\n```\n"))
		if len(wrong) != 1 || wrong[0].Code != want[0] || wrong[0].Params["line"] != want[1] || wrong[0].Params["column"] != want[2] {
			t.Errorf("%s: %v", body, wrong)
			for _, p := range wrong {
				t.Log(p.Params)
			}
		}
	}
	_, wrong := document.Read("n", []byte("---\nragnb: 1\n---\n```rag corpus scores\nsource: x\n```\n```rag run Runs\nconfigs: x\ndataset: y\n```\n"+
		"```rag query q\nsql: SELECT 1\n```\n"))
	if len(wrong) == 0 || wrong[0].Code != "cell_name" || wrong[0].Params["line"] != 7 {
		t.Errorf("%v", wrong)
	}
}

// TestMistakesOfQueriesHaveWords: each code of a query's mistakes has words in both languages, and a mistake carries all that they use.
func TestMistakesOfQueriesHaveWords(t *testing.T) {
	t.Parallel()
	used := regexp.MustCompile(`{{(\w+)}}`)
	for _, lang := range []string{"en", "ja"} {
		raw, err := os.ReadFile("../../frontend/src/locales/" + lang + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var words struct {
			Problem map[string]struct{ Title, Hint string }
		}
		if err := json.Unmarshal(raw, &words); err != nil {
			t.Fatal(err)
		}
		if w := words.Problem["sql_busy"]; w.Title == "" || w.Hint == "" {
			t.Errorf("%s: sql_busy has no words", lang)
		}
		for _, m := range []sqlbox.Mistake{
			{Code: sqlbox.CodeSyntax}, {Code: sqlbox.CodeColumn, Name: "x"},
			{Code: sqlbox.CodeTable, Name: "score", Among: []string{"scores"}}, {Code: sqlbox.CodeRefused}, {Code: sqlbox.CodeTime},
			{Code: sqlbox.CodeSize}, {Code: sqlbox.CodeParam, Name: "p"}, {Code: sqlbox.CodeValue},
		} {
			m.Message = "said by the engine"
			p, ok := errors.AsType[*problem.Problem](document.StatementProblem(&m))
			if !ok {
				t.Fatalf("%s is no problem", m.Code)
			}
			w := words.Problem[m.Code]
			if w.Title == "" || w.Hint == "" {
				t.Errorf("%s: %s has no words", lang, m.Code)
			}
			for _, name := range used.FindAllStringSubmatch(w.Title+w.Hint, -1) {
				if p.Params[name[1]] == nil {
					t.Errorf("%s: the words of %s use %s, which the problem does not carry: %v", lang, m.Code, name[1], p.Params)
				}
			}
			if m.Code == sqlbox.CodeTable && p.Params["near"] != "scores" {
				t.Errorf("the nearest table is %v", p.Params["near"])
			}
		}
	}
}
