package intake

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// rowProblems returns the list that a dataset_rows Problem carries, and fails when err is anything else.
func rowProblems(t *testing.T, err error) []RowProblem {
	t.Helper()
	p := problem.From(err)
	if p == nil || p.Code != "dataset_rows" || p.Kind != problem.Invalid || p.Hint == "" {
		t.Fatalf("got %v, want a dataset_rows problem with a hint", err)
	}
	evaltest.InJapanese(t, err)
	return p.Params["problems"].([]RowProblem)
}

func TestRowProblems(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, file, contents string
		row                  int
		field, say           string
	}{
		{"empty question", "q.csv", "id,question\na,x\nb, \n", 3, "question", "the question is empty"},
		{"empty question after a long cell", "q.csv", "id,question,note\na,x,\"two\nlines\"\nb,,\n", 4, "question", "empty"},
		{"question is an object", "q.jsonl", `{"question":{"a":1}}`, 1, "question", "an object where one text"},
		{"repeated id", "q.csv", "id,question\na,x\n\nb,y\na,z\n", 5, "question_id", "line 2 has the same id"},
		{"ragged row", "q.csv", "id,question\na,x\nb,y,z\n", 3, "", "has 3 fields, the header has 2"},
		{"stray quotation mark", "q.csv", "id,question\na,x \"y\" z\n", 2, "", "wrong place"},
		{"open quotation mark", "q.csv", "id,question\na,\"x\nb,y\n", 2, "", "wrong place"},
		{"quotation mark in the header", "q.csv", "id,\"question\nx", 1, "", "wrong place"},
		{"broken line", "q.jsonl", "{\"question\":\"a\"}\n\n{\"question\": oops}\n", 3, "", "not valid JSON"},
		{"cut off line", "q.jsonl", "{\"question\":\"a\"}\n{\"question\":", 2, "", "cut off"},
		{"list line", "q.jsonl", "[1]", 1, "", "not an object"},
		{"two objects on a line", "q.jsonl", `{"question":"a"}{"question":"b"}`, 1, "", "more text follows"},
		{"key twice", "q.jsonl", `{"question":"a","question":"b"}`, 1, "", `"question" stands twice`},
		{"item that is no object", "q.json", `[{"question":"a"},3]`, 2, "", "not an object"},
		{"messages", "q.jsonl", `{"question":"a","messages":[{"role":"user","content":"a"}]}`, 1, "messages",
			"several turns is not supported"},
		{"messages without a question", "q.jsonl", `{"user_input":[{"type":"human","content":"a"}]}`, 1, "user_input",
			"several turns is not supported"},
		{"history in CSV", "q.csv", "question,conversation_history\na,\"[{'role': 'user'}]\"\n", 2, "conversation_history",
			"not supported"},
		{"no yes or no", "q.csv", "question,critical\na,perhaps\n", 2, "critical", `"perhaps" is neither yes nor no`},
		{"number as yes or no", "q.jsonl", `{"question":"a","answerable":2}`, 1, "answerable", "neither"},
		{"broken tag list", "q.csv", "question,tags\na,\"['x' 'y']\"\n", 2, "tags", "looks like a list"},
		{"object as tag", "q.jsonl", `{"question":"a","tags":[{"x":1}]}`, 1, "tags", "an object"},
		{"NUL", "q.jsonl", `{"question":"a\u0000b"}`, 1, "question", "U+0000"},
		{"NUL in metadata", "q.jsonl", `{"question":"a","note":"a\u0000b"}`, 1, "note", "U+0000"},
		{"list in reference", "q.jsonl", `{"question":"a","reference":[["x"]]}`, 1, "reference", "a list"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, _, err := read(c.file, c.contents, nil, nil)
			got := rowProblems(t, err)
			if d != nil || len(got) != 1 || got[0].Row != c.row || got[0].Field != c.field || !strings.Contains(got[0].Message, c.say) {
				t.Errorf("problems %+v, want one in row %d, field %q, saying %q", got, c.row, c.field, c.say)
			}
			if p := problem.From(err); !strings.HasPrefix(p.Message, fmt.Sprintf("%s %s %d", c.file, p.Params["unit"], c.row)) {
				t.Errorf("message %q does not begin with file and row", p.Message)
			}
		})
	}
}

func TestRowProblemsAreGathered(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("id,question,critical\n")
	for i := range 30 {
		fmt.Fprintf(&b, "q%d,,maybe\n", i)
	}
	_, _, err := read("q.csv", b.String(), nil, nil)
	list := rowProblems(t, err)
	p := problem.From(err)
	if len(list) != 20 || p.Params["total"] != 60 {
		t.Errorf("%d problems listed of %v, want 20 of 60", len(list), p.Params["total"])
	}
	if want := "q.csv line 2 (q0), critical: "; !strings.HasPrefix(p.Message, want) ||
		!strings.HasSuffix(p.Message, "(and 59 more problems)") {
		t.Errorf("message %q", p.Message)
	}
}

func TestFileProblems(t *testing.T) {
	t.Parallel()
	wide := strings.Repeat("c,", MaxDatasetColumns)
	cases := []struct{ name, file, contents, code, say string }{
		{"empty file", "q.csv", "", "dataset_empty", "q.csv is empty"},
		{"only a mark", "q.csv", "\ufeff", "dataset_empty", "empty"},
		{"only a header", "q.csv", "id,question\n", "dataset_empty", "no question"},
		{"no lines", "q.jsonl", "\n\n", "dataset_column_missing", "no column with the questions"},
		{"empty list", "q.json", "[]", "dataset_column_missing", "no column"},
		{"no question column", "q.csv", "id,text\na,b\n", "dataset_column_missing", "its columns are: id, text"},
		{"other kind", "q.docx", "x", "dataset_file_kind", "q.docx"},
		{"too wide", "q.csv", wide + "\n", "dataset_too_wide", "more than 1000"},
		{"object without a list", "q.json", `{"a":[],"questions":"x"}`, "dataset_json", "without a list"},
		{"several objects", "q.json", "{\"question\":\"a\"}\n[\"b\"]", "dataset_json", "line 2, column 1"},
		{"broken JSON", "q.json", "[\n {\"question\": \"あ\" oops}\n]", "dataset_json", "line 2, column 19"},
		{"number", "q.json", "3", "dataset_json", "q.json"},
		{"binary", "q.csv", "a\x00b", "text_binary", "q.csv: this is binary data"},
		{"unknown encoding", "q.csv", "question\nodpowied\x9f prawid\xb3owa", "text_encoding_unknown", "line 2"},
		{"no workbook", "q.xlsx", "question", "dataset_workbook_broken", "q.xlsx"},
		{"old or locked workbook", "q.xlsx", "\xd0\xcf\x11\xe0rest", "dataset_workbook_locked", "password"},
		{"quotes without a corpus", "q.csv", "question,evidence\na,\nb,x\n", "dataset_needs_corpus", "line 3"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, report, err := read(c.file, c.contents, nil, nil)
			p := problem.From(err)
			if d != nil || p == nil || p.Code != c.code || !strings.Contains(p.Message, c.say) || p.Hint == "" {
				t.Errorf("got %v (hint %q), want code %s saying %q", err, p.Hint, c.code, c.say)
			}
			if report.Rows != 0 || report.Notes != nil { // what the columns were taken for may be said
				t.Errorf("a report of questions comes with the error: %+v", report)
			}
		})
	}
	if _, _, err := ReadDataset("no/such.csv", "d", nil, ReadOptions{}); problem.CodeOf(err) != "file_missing" {
		t.Errorf("missing file: %v", err)
	}
	_, _, err := read("q.csv", "question,evidence\na,x\n", nil, nil)
	if hint := problem.From(err).Hint; hint != "import the corpus first, then: workbench dataset import q.csv --corpus NAME" {
		t.Errorf("hint %q", hint)
	}
}

func TestEvidence(t *testing.T) {
	t.Parallel()
	span := func(doc string, start, end int) rag.Span { return rag.Span{DocID: doc, Start: start, End: end} }
	cases := []struct {
		name, line string
		want       []rag.Span
		say        string // of the problem, when there is one
		candidates []string
	}{
		{"span", `{"doc_id":"en","start":0,"end":5}`, []rag.Span{span("en", 0, 5)}, "", nil},
		{"span with text", `{"doc_id":"ja","start":0,"end":3,"text":"返品は"}`, []rag.Span{span("ja", 0, 3)}, "", nil},
		{"span with another text", `{"doc_id":"en","start":0,"end":5,"text":"Itams"}`, nil,
			`at en[0:5] stands "Items", not the quote "Itams"`, nil},
		{"span moved", `{"doc_id":"en","start":1,"end":6,"quote":"Items may"}`, nil, "that quote stands at en[0:9]", nil},
		{"span too long", `{"doc_id":"fr","start":0,"end":21}`, nil, "has 20 characters", nil},
		{"span in an unknown document", `{"doc_id":"de","start":0,"end":1}`, nil, `the corpus "manual" has no document "de"`, nil},
		{"span reversed", `{"doc_id":"en","start":5,"end":5}`, nil, "no range", nil},
		{"span negative", `{"doc_id":"en","start":-1,"end":5}`, nil, "no range", nil},
		{"span half", `{"doc_id":"en","start":5}`, nil, "whole numbers", nil},
		{"span broken number", `{"doc_id":"en","start":0.5,"end":5}`, nil, "whole numbers", nil},
		{"span huge number", `{"doc_id":"en","start":0,"end":99999999999999999999}`, nil, "whole numbers", nil},
		{"span without document", `{"start":0,"end":5}`, nil, "has no doc_id", nil},
		{"empty object", `{}`, nil, "an evidence object needs", nil},
		{"document alone", `{"doc_id":"en"}`, nil, "an evidence object needs", nil},
		{"list in list", `["x"]`, nil, "a list where one text", nil},
		{"quote", `"The sender pays"`, []rag.Span{span("en", 38, 53)}, "", nil},
		{"quote across a wrap", `"三十日以内に限ります"`, []rag.Span{span("ja", 3, 14)}, "", nil},
		{"quote with other spaces", `"The  sender\n\tpays "`, []rag.Span{span("en", 38, 53)}, "", nil},
		{"quote full-width", `"ｓｅｎｄｅｒ　ｐａｙｓ"`, []rag.Span{span("en", 42, 53)}, "", nil},
		{"quote (株)", `"(株)例の送料"`, []rag.Span{span("ja", 15, 20)}, "", nil},
		{"quote inside a ligature", `"株)例"`, []rag.Span{span("ja", 15, 17)}, "", nil},
		{"quote missing", `"Nobody pays"`, nil, `the corpus "manual" does not have the quote "Nobody pays"`, nil},
		{"quote missing after its beginning", `"The sender pays nothing at all"`, nil, "its first words stand at en[38:52]", nil},
		{"quote ambiguous", `"Refunds take a week."`, nil, "in several places", []string{"en[68:88]", "fr[0:20]"}},
		{"quote with its document", `{"doc_id":"fr","text":"Refunds take a week."}`, []rag.Span{span("fr", 0, 20)}, "", nil},
		{"quote twice in one document", `{"doc_id":"en","quote":"Ask us."}`, nil, `document "en" has the quote "Ask us." in several places`,
			[]string{"en[89:96]", "en[97:104]"}},
		{"quote in the wrong document", `{"doc_id":"fr","quote":"Ask us."}`, nil, `document "fr" does not have the quote`, nil},
		{"quote in an unknown document", `{"doc_id":"de","quote":"Ask us."}`, nil, "no document", nil},
		{"empty quote", `" "`, nil, "the quote is empty", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			corpus := manual()
			d, _, err := read("q.jsonl", `{"id":"q","question":"a","evidence":[`+c.line+`]}`, corpus, nil)
			if c.say != "" {
				got := rowProblems(t, err)
				if len(got) != 1 || got[0].QuestionID != "q" || got[0].Field != "evidence" || !strings.Contains(got[0].Message, c.say) ||
					!cmp.Equal(got[0].Candidates, c.candidates) {
					t.Errorf("problems %+v, want one saying %q with candidates %q", got, c.say, c.candidates)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, evidenceSpans(d.Questions[0])); diff != "" {
				t.Errorf("spans (-want +got):\n%s", diff)
			}
			for _, e := range d.Questions[0].Evidence {
				if e.Quote != corpus.Text(e.Span) || e.Quote == "" {
					t.Errorf("quote %q is not the text %q", e.Quote, corpus.Text(e.Span))
				}
			}
		})
	}
}

// evidenceSpans are the places without their quotes.
func evidenceSpans(q experiments.Question) []rag.Span {
	var spans []rag.Span
	for _, e := range q.Evidence {
		spans = append(spans, e.Span)
	}
	return spans
}

func TestEvidenceCells(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, cell, doc, want string }{
		{"one quote", "The sender pays", "", "en[38:53]"},
		{"two lines, one quote", "within 30 days.\nThe sender pays", "", "en[22:53]"},
		{"two lines, two quotes", "The sender pays\nreturned within", "", "en[38:53] en[13:28]"},
		{"document column", "Refunds take a week.", "fr", "fr[0:20]"},
		{"JSON list", `"[""The sender pays"", {""doc_id"": ""en"", ""start"": 0, ""end"": 5}]"`, "", "en[38:53] en[0:5]"},
		{"Python list", `['The sender pays']`, "", "en[38:53]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cell := c.cell
			if !strings.HasPrefix(cell, `"`) {
				cell = `"` + cell + `"`
			}
			d, _, err := read("q.csv", "question,evidence,evidence_doc_id\na,"+cell+","+c.doc+"\n", manual(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range evidenceSpans(d.Questions[0]) {
				got = append(got, s.String())
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("spans %v, want %s", got, c.want)
			}
		})
	}
}

func TestAllEvidenceProblemsOfARow(t *testing.T) {
	t.Parallel()
	_, _, err := read("q.jsonl", `{"question":"a","evidence":["nowhere at all",{"doc_id":"en","start":9,"end":2},"The sender pays"]}`,
		manual(), nil)
	got := rowProblems(t, err)
	if len(got) != 2 || !strings.HasPrefix(got[0].Message, "piece 1 of 3: ") || !strings.HasPrefix(got[1].Message, "piece 2 of 3: ") {
		t.Errorf("problems %+v", got)
	}
}

// A dataset that was labelled on the documents is also read against all of them in one text.
func TestEvidenceInJoinedCorpus(t *testing.T) {
	t.Parallel()
	joined := rag.JoinCorpus(manual(), "one")
	d, _,
		err := read("q.jsonl",
		`{"question":"a","evidence":[{"doc_id":"ja","start":0,"end":3,"text":"返品は"},{"doc_id":"ja","quote":"限ります"}]}`, joined, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"返品は", "限ります"} {
		e := d.Questions[0].Evidence[i]
		if e.Quote != want || joined.Text(joined.Locate(e.Span)) != want {
			t.Errorf("evidence %+v, want %q", e, want)
		}
	}
	if got := d.Questions[0].Evidence[0].DocID; got != "ja" {
		t.Errorf("the labelled document became %q", got)
	}
	_, _, err = read("q.jsonl", `{"question":"a","evidence":[{"doc_id":"ja","start":0,"end":3,"text":"返品を"}]}`, joined, nil)
	if got := rowProblems(t, err); len(got) != 1 || !strings.Contains(got[0].Message, "返品は") {
		t.Errorf("problems %+v", got)
	}
}

// TestTheListCountsAsTheHeadlineDoes: a line of a text file is called a line, and an item of a list an item, wherever it is named.
func TestTheListCountsAsTheHeadlineDoes(t *testing.T) {
	t.Parallel()
	for unit, want := range map[string][2]string{
		"line": {"line 2", "2行目"}, "row": {"row 2", "2行目"}, "item": {"item 2", "2番目の項目"}, "column": {"column 2", "2列目"},
	} {
		faults := RowFaults{File: "a.csv", Unit: unit}
		faults.Add(RowProblem{Row: 2, Message: "x"})
		p := problem.From(faults.Problem())
		one := p.Params["problems"].([]RowProblem)[0]
		if !strings.HasPrefix(p.Message, "a.csv "+want[0]+": ") || !strings.HasPrefix(one.String(), want[0]+": ") ||
			!strings.HasPrefix(p.In("ja").Message, "a.csv の"+want[1]+"：") || !strings.HasPrefix(one.In("ja"), want[1]+"：") {
			t.Errorf("%s: %s | %s | %s | %s", unit, p.Message, one.String(), p.In("ja").Message, one.In("ja"))
		}
	}
}
