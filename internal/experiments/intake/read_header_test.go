package intake

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// TestNoHeaderBelowQuestions: a cell such as "wrong reference" makes no header of its row, whatever the names above it are.
func TestNoHeaderBelowQuestions(t *testing.T) {
	t.Parallel()
	rows := "1,How many days of leave do I get?,27 days per year,leave\n2,Who is the physician here?,Dr. Peter Hansen,%s\n" +
		"3,Where is the office?,Rotterdam is where it is,place\n"
	for _, header := range []string{"Nr,Kundenfrage,Musterloesung,Thema", "Nr,Frage,Soll,Notiz", "Nr,Frage,Antwort,Thema",
		"Nr,Frage,Musterlösung,Notiz", "N,Pytanie,Wzorzec,Temat", "n,Vraag,Antwoord,Opmerking"} {
		for _, remark := range []string{"wrong reference", "check reference", "question", "expected answer", "質問"} {
			d, report, err := read("q.csv", header+"\n"+fmt.Sprintf(rows, remark), nil, nil)
			if err != nil {
				t.Errorf("%s, %s: %v", header, remark, err)
				continue
			}
			if len(d.Questions) != 3 || d.Questions[0].Text != "How many days of leave do I get?" || d.Questions[0].Reference == "" {
				t.Errorf("%s, %s: %d questions, %+v, notes %v", header, remark, len(d.Questions), d.Questions[0],
					text.InEnglish(report.Notes))
			}
		}
	}
}

// TestGermanSheets are read as the English ones.
func TestGermanSheets(t *testing.T) {
	t.Parallel()
	_, report, err := read("q.csv", "Nr;Kundenfrage;Ist-Antwort;Musterlösung;Thema;Schwierigkeit;Kritisch;Beantwortbar;Bemerkung\n"+
		"1;Wie lange?;Nie.;Zwei Jahre lang.;Urlaub;leicht;yes;yes;\n2;Wann ist es?;Ja.;Am Montag früh.;Zeit;schwer;no;yes;Neu\n", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, use := range report.Columns {
		got = append(got, use.Source+"="+use.Field)
	}
	const want = "Nr=question_id Kundenfrage=question Ist-Antwort=metadata Musterlösung=reference Thema=theme Schwierigkeit=tag " +
		"Kritisch=critical Beantwortbar=answerable Bemerkung=metadata"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("columns\n%s, want\n%s", s, want)
	}
}

// TestRowsAboveTheHeaderAreSaid: titles stand above the header, and how many were passed over is said in both languages.
func TestRowsAboveTheHeaderAreSaid(t *testing.T) {
	t.Parallel()
	const table = "Nr,Question,Expected answer,Topic\n1,How long?,Two years.,a\n2,How much?,Nine euros.,b\n"
	for name, c := range map[string]struct{ above, en, ja string }{
		"title": {"Support FAQ,,,\n", "the column names stand in line 2; not read: 1 row above them, \"Support FAQ\"", "それより上の1行は読み取りません"},
		"titles": {"Support FAQ\nVersion 2,owner: Ops\n\n", "the column names stand in line 4; not read: 2 rows above them, ",
			"それより上の2行は読み取りません"},
		"block": {"Author,Smith,Date\n\n", "the column names stand in line 3; not read: 1 row above them, ", "それより上の1行は読み取りません"},
	} {
		d, report, err := read("q.csv", c.above+table, nil, nil)
		if err != nil || len(d.Questions) != 2 {
			t.Errorf("%s: %v %v", name, d, err)
			continue
		}
		s, ja := strings.Join(text.InEnglish(report.Notes), "\n"), report.Notes[0].JA
		if !strings.Contains(s, c.en) || !strings.Contains(ja, c.ja) {
			t.Errorf("%s: notes %s %s, want %q", name, s, ja, c.en)
		}
	}
}

// TestNamedColumnsDecideTheHeader: the row that holds the names of --map is the header; where none does, the error says which row was read.
func TestNamedColumnsDecideTheHeader(t *testing.T) {
	t.Parallel()
	const wide = "Project,Helpdesk,Author,Smith\nN,Pytanie,Wzorzec,Uwagi\n1,How long?,Two years.,a\n2,How much?,Nine euros.,b\n"
	named := map[string]string{"Pytanie": "question", "Wzorzec": "reference"}
	d, report, err := read("q.csv", wide, nil, named)
	if err != nil || len(d.Questions) != 2 || d.Questions[1].Reference != "Nine euros." ||
		!strings.Contains(strings.Join(text.InEnglish(report.Notes), "\n"), "not read: 1 row above them") {
		t.Errorf("%v %v %v", d, report.Notes, err)
	}
	_, _, err = read("q.csv", "Nr,Frage,Soll\n1,How long?,question list\n2,How much?,Nine\n", nil,
		map[string]string{"question list": "question"})
	if p := problem.From(err); problem.CodeOf(err) != "dataset_column_unknown" || p.Hint != "its columns (line 1) are: Nr, Frage, Soll" {
		t.Errorf("%v, %s", err, p.Hint)
	}
}

// TestNoRowIsLostSilently reads random tables, with words of headers among their cells: every row arrives or a note says that it did not.
func TestNoRowIsLostSilently(t *testing.T) {
	t.Parallel()
	names := []string{"Nr", "Question", "Expected answer", "Kundenfrage", "Musterloesung", "Soll", "Notiz", "Pytanie", "Topic", "x",
		"質問", "正解", "備考", "Answer", "Vraag", "Uwagi", "id", "Ref"}
	cells := []string{"wrong reference", "check reference", "question", "answer", "reference", "Expected answer", "正解", "質問", "note", "id",
		"27 days per year", "Where is the office?", "7", "", "", "place", "It depends. Ask your manager first, and then the office.", "model answer"}
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		across, n := 1+r.IntN(6), 1+r.IntN(60)
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		var header []string
		for _, i := range r.Perm(len(names))[:across] {
			header = append(header, names[i])
		}
		w.Write(header)
		marked := r.IntN(across) // the column whose cells tell the rows apart
		for i := range n {
			row := make([]string, across)
			for j := range row {
				row[j] = cells[r.IntN(len(cells))]
			}
			row[marked] = fmt.Sprintf("Tell me about (%d) of it", i)
			w.Write(row)
		}
		w.Flush()
		d, report, err := read("q.csv", b.String(), nil, nil)
		if err != nil {
			if p := problem.From(err); p.Hint == "" {
				t.Fatalf("seed %d: %v", seed, err)
			}
			continue
		}
		said := strings.Join(text.InEnglish(report.Notes), "\n")
		all := fmt.Sprintf("%+v", d.Questions)
		for i := range n {
			mark := fmt.Sprintf("(%d)", i)
			if !strings.Contains(all, mark) && !strings.Contains(said, "not read, because nothing is asked there") {
				t.Fatalf("seed %d: row %d of\n%s is lost; notes: %s", seed, i+1, b.String(), said)
			}
		}
		if strings.Contains(said, "above them") {
			t.Fatalf("seed %d: rows of\n%s were taken for titles: %s", seed, b.String(), said)
		}
	}
}
