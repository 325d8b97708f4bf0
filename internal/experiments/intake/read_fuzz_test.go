package intake

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// checkReading holds what is true of every file: a Problem that says what to do, or a sound dataset.
func checkReading(t *testing.T, file string, raw []byte) {
	t.Helper()
	corpus := manual()
	d, report, err := readDataset(raw, file, "d", corpus, ReadOptions{})
	if err != nil {
		p, ok := errors.AsType[*problem.Problem](err)
		if !ok || p.Kind == problem.Internal || p.Hint == "" || p.Message == "" || d != nil {
			t.Fatalf("error without a way out: %v", err)
		}
		return
	}
	if len(d.Questions) == 0 || report.Rows != len(d.Questions) {
		t.Fatalf("%d questions, report says %d", len(d.Questions), report.Rows)
	}
	seen := map[string]bool{}
	for _, q := range d.Questions {
		if q.ID == "" || seen[q.ID] || strings.TrimSpace(q.Text) == "" || (q.Lang != "ja" && q.Lang != "en") {
			t.Fatalf("unsound question %+v", q)
		}
		seen[q.ID] = true
		if !utf8.ValidString(q.Text+q.Reference) || strings.ContainsRune(q.Text+q.Reference+q.ID, 0) {
			t.Fatalf("unsound text in %+v", q)
		}
		for _, e := range q.Evidence {
			if e.Quote == "" || e.Quote != corpus.Text(e.Span) {
				t.Fatalf("evidence %+v is not what stands there: %q", e, corpus.Text(e.Span))
			}
		}
	}
	if again := experiments.NewDataset("d", d.Questions); again.Digest != d.Digest {
		t.Fatal("the digest is not that of the questions")
	}
}

func FuzzReadDatasetJSONL(f *testing.F) {
	for _, s := range []string{
		`{"question":"a"}`, `{"user_input":"a","reference":NaN,"reference_contexts":["The sender pays"]}`,
		`{"question":"a","evidence":[{"doc_id":"en","start":0,"end":5}],"tags":"['x']"}`, `{"inputs":{"question":"a"},"messages":[]}`,
		`{"question":"か\u3099","evidence":"三十日以内に限ります"}`, `[`, `{"question":{"a":[1]}}`,
	} {
		f.Add([]byte(s + "\n" + s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		checkReading(t, "q.jsonl", raw)
		checkReading(t, "q.json", raw)
	})
}

func FuzzReadDatasetCSV(f *testing.F) {
	for _, s := range []string{
		"id,question\na,b\n", "質問;正解\nあ;い\n", "question\tevidence\na\tThe sender pays\n", "question,tags\na,\"[\"\"x\"\"]\"\n",
		"question,evidence\na,\"[{'doc_id': 'en', 'start': 0, 'end': 5}]\"\n", "question,critical\r\na,〇\r\n",
		"\x8e\xbf\x96\xe2\n\x82\xa0\n", "question\n\"a",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		checkReading(t, "q.csv", raw)
		checkReading(t, "q.tsv", raw)
	})
}

func FuzzReadDatasetXLSX(f *testing.F) {
	base := workbook(f, [][]any{{"id", "question", "tags"}, {1, "a", "x;y"}, {2, "b"}})
	f.Add(base)
	f.Add(base[:len(base)/2])
	f.Add(repack(f, base, "xl/worksheets/sheet1.xml", func(put func([]byte)) {
		put([]byte(`<worksheet><sheetData><row r="9"><c r="B9" t="s"><v>99999</v></c><c r="A1" t="b"><v>x</v></c></row></sheetData></worksheet>`))
	}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		checkReading(t, "q.xlsx", raw)
		// Most changes to a packed file only break its checksums; a sheet made of the same bytes reaches the reader behind it.
		if len(raw) < 1<<16 {
			checkReading(t, "q.xlsx", repack(t, base, "xl/worksheets/sheet1.xml", func(put func([]byte)) { put(raw) }))
		}
	})
}
