package intake

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// manual is the corpus that the files in testdata/read speak of.
func manual() *rag.Corpus {
	return rag.NewCorpus("manual", []rag.Document{
		{ID: "en", Text: "Items may be returned within 30 days.\nThe sender pays for shipping.\nRefunds take a week. Ask us. Ask us.",
			Lang: "en"},
		{ID: "ja", Text: "返品は三十日以内に\n限ります。㈱例の送料はお客様の負担です。", Lang: "ja"},
		{ID: "fr", Text: "Refunds take a week.", Lang: "en"},
	})
}

// reading is what a golden file holds.
type reading struct {
	Report    ReadReport
	Questions []experiments.Question
}

// TestReadGolden holds the reading of each file in testdata/read against its golden file. WORKBENCH_UPDATE_GOLDEN=1
// writes the golden files anew.
func TestReadGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "read", "*"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, file := range files {
		if strings.HasSuffix(file, ".golden") {
			continue
		}
		checked++
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			d, report, err := ReadDataset(file, "sheet", manual(), ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.MarshalIndent(reading{report, d.Questions}, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden := file + ".golden"
			if os.Getenv("WORKBENCH_UPDATE_GOLDEN") == "1" {
				if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimSpace(string(want)), string(got)); diff != "" {
				t.Errorf("reading (-want +got):\n%s", diff)
			}
		})
	}
	if checked == 0 {
		t.Fatal("testdata/read is empty")
	}
}

// read reads a file with these contents against the corpus, which may be nil.
func read(file, contents string, corpus *rag.Corpus, columns map[string]string) (*experiments.Dataset, ReadReport, error) {
	return readDataset([]byte(contents), file, "d", corpus, ReadOptions{Columns: columns})
}

func TestReadEncodings(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join("testdata", "read", "japanese.csv"))
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := read("j.csv", string(source), manual(), nil)
	if err != nil {
		t.Fatal(err)
	}
	euc := strings.NewReplacer("髙", "高", "﨑", "崎", "㈱", "株", "①", "1", "；", ";").Replace(string(source))
	wantEUC, _, err := read("j.csv", euc, manual(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		encoding   encoding.Encoding
		want       *experiments.Dataset
	}{
		{"CP932", string(source), japanese.ShiftJIS, want},
		{"EUC-JP", euc, japanese.EUCJP, wantEUC},
		{"UTF-16LE", string(source), unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), want},
		{"UTF-16BE", string(source), unicode.UTF16(unicode.BigEndian, unicode.UseBOM), want},
		{"UTF-8", string(source), unicode.UTF8BOM, want},
		{"UTF-8", strings.ReplaceAll(string(source), "\n", "\r\n"), unicode.UTF8, want},
		{"UTF-8", strings.ReplaceAll(string(source), "\n", "\r"), unicode.UTF8, want},
	} {
		raw, err := c.encoding.NewEncoder().String(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, report, err := read("j.csv", raw, manual(), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if report.Encoding != c.name {
			t.Errorf("encoding is reported as %s, want %s", report.Encoding, c.name)
		}
		if got.Digest != c.want.Digest {
			t.Errorf("%s: %s", c.name, cmp.Diff(c.want.Questions, got.Questions))
		}
	}
}

// questions reads JSONL without a corpus and fails on any error.
func questions(t *testing.T, lines ...string) ([]experiments.Question, ReadReport) {
	t.Helper()
	d, report, err := read("q.jsonl", strings.Join(lines, "\n"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d.Questions, report
}

func TestReadIDs(t *testing.T) {
	t.Parallel()
	got, report := questions(t, `{"id":"q0002","question":"a"}`, `{"question":"b"}`, "", `{"id":null,"question":"c"}`,
		`{"id":12,"question":"d"}`)
	var ids []string
	for _, q := range got {
		ids = append(ids, q.ID)
	}
	if diff := cmp.Diff([]string{"q0002", "q0002-2", "q0003", "12"}, ids); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
	if len(report.Notes) == 0 || !strings.HasPrefix(report.Notes[0].EN, "2 questions without an id") {
		t.Errorf("notes %q", report.Notes)
	}
}

func TestReadFields(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, line string
		want       experiments.Question
	}{
		{"only a question", `{"question":" a "}`, experiments.Question{Text: "a", Lang: "en", Answerable: true}},
		{"null reference", `{"question":"a","reference":null}`, experiments.Question{Text: "a", Lang: "en", Answerable: true}},
		{"bare NaN", `{"question":"a \"NaN\"","reference":NaN,"x":-Infinity}`,
			experiments.Question{Text: `a "NaN"`, Lang: "en", Answerable: true}},
		{"number as reference", `{"question":"a","reference":1.50}`,
			experiments.Question{Text: "a", Lang: "en", Reference: "1.50", Answerable: true}},
		{"false as reference", `{"question":"a","reference":false}`,
			experiments.Question{Text: "a", Lang: "en", Reference: "false", Answerable: true}},
		{"0 is a reference", `{"question":"a","reference":0}`,
			experiments.Question{Text: "a", Lang: "en", Reference: "0", Answerable: true}},
		{"list reference", `{"question":"a","ground_truths":["x","y","x",""]}`,
			experiments.Question{Text: "a", Lang: "en", Reference: "x", References: []string{"y"}, Answerable: true}},
		{"references alone", `{"question":"a","references":["x","y"]}`,
			experiments.Question{Text: "a", Lang: "en", Reference: "x", References: []string{"y"}, Answerable: true}},
		{"not answerable", `{"question":"a","answerable":false}`, experiments.Question{Text: "a", Lang: "en"}},
		{"critical", `{"question":"a","重要":"〇"}`, experiments.Question{Text: "a", Lang: "en", Answerable: true, Critical: true}},
		{"not critical", `{"question":"a","critical":0}`, experiments.Question{Text: "a", Lang: "en", Answerable: true}},
		{"NFC", `{"question":"か\u3099"}`, experiments.Question{Text: "が", Lang: "ja", Answerable: true}},
		{"language named", `{"question":"東京","lang":"EN-us"}`, experiments.Question{Text: "東京", Lang: "en", Answerable: true}},
		{
			"theme and category", `{"question":"a","tags":["t","theme:x"],"topic":"x","category":["c1","c2"]}`,
			experiments.Question{Text: "a", Lang: "en", Answerable: true, Tags: []string{"t", "theme:x", "category:c1", "category:c2"}},
		},
		{
			"urls", `{"question":"a","expected_urls":"https://a.example/x,y\nhttps://b.example"}`,
			experiments.Question{Text: "a", Lang: "en", Answerable: true,
				ExpectedURLs: []string{"https://a.example/x,y", "https://b.example"}},
		},
		{
			"metadata", `{"question":"a","n":3,"b":true,"l":[1,{"k":"<"}],"e":"","z":null,"metadata":{"k":"v"}}`,
			experiments.Question{Text: "a", Lang: "en", Answerable: true,
				Metadata: map[string]string{"n": "3", "b": "true", "l": `[1,{"k":"<"}]`, "k": "v"}},
		},
		{"empty conversation", `{"question":"a","messages":[],"chat_history":""}`,
			experiments.Question{Text: "a", Lang: "en", Answerable: true}},
		{
			"span without corpus", `{"question":"a","evidence":[{"doc_id":"d","start":1,"end":2,"text":"x"}]}`,
			experiments.Question{Text: "a", Lang: "en", Answerable: true,
				Evidence: []experiments.Evidence{{Span: rag.Span{DocID: "d", Start: 1, End: 2}, Quote: "x"}}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, _ := questions(t, c.line)
			c.want.ID = "q0001"
			if diff := cmp.Diff(c.want, got[0]); diff != "" {
				t.Errorf("question (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadOverride(t *testing.T) {
	t.Parallel()
	const sheet = "Question,answer,comment,reference\na,b,c,d\n"
	d, report, err := read("q.csv", sheet, nil, map[string]string{"answer": "reference", "comment": "tags", "reference": "ignore"})
	if err != nil {
		t.Fatal(err)
	}
	want := []experiments.Question{{ID: "q0001", Text: "a", Lang: "en", Reference: "b", Answerable: true, Tags: []string{"c"}}}
	if diff := cmp.Diff(want, d.Questions); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
	var uses []string
	for _, u := range report.Columns {
		uses = append(uses, u.Said().EN)
	}
	if diff := cmp.Diff([]string{"Question → question", "answer → right answer", "comment → tags", "reference: ignored"},
		uses); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if d, _, err = read("q.csv", sheet, nil, map[string]string{"comment": "id"}); err != nil || d.Questions[0].ID != "c" {
		t.Errorf("comment as id: %v", err)
	}
	for name, c := range map[string]struct {
		columns map[string]string
		code    string
	}{
		"unknown field":  {map[string]string{"answer": "truth"}, "dataset_field_unknown"},
		"unknown column": {map[string]string{"nothing": "tags"}, "dataset_column_unknown"},
		"field twice":    {map[string]string{"answer": "tags", "comment": "tags"}, "dataset_column_twice"},
		"question gone":  {map[string]string{"Question": "ignore"}, "dataset_column_missing"},
	} {
		if _, _, err := read("q.csv", sheet, nil, c.columns); problem.CodeOf(err) != c.code || problem.From(err).Hint == "" {
			t.Errorf("%s: %v, want code %s", name, err, c.code)
		}
	}
}

func TestMappingNotes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ header, note string }{
		"two references": {"question,ground_truth,reference",
			"column ground_truth: kept as metadata, because column reference is read as right answer"},
		"answer, no reference": {"question,answer", ""},
		"answer, contexts": {"question,answer,contexts",
			"column answer: kept as metadata, because it may be the answer of a system; if it is the right answer, say so: --map \"answer=reference\""},
		"回答 beside 正解": {"質問,回答,正解", "column 回答: kept as metadata, because column 正解 is read as right answer"},
		"semicolons":   {"question;reference", "the columns are separated by semicolons"},
		"answer with reference": {"question,answer,reference",
			"column answer: kept as metadata, because column reference is read as right answer"},
	} {
		row := strings.NewReplacer("question", "a", "質問", "a").Replace(c.header)
		_, report, err := read("q.csv", c.header+"\n"+row+"\n", nil, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		of := slices.DeleteFunc(text.InEnglish(report.Notes), func(note string) bool { // of questions, not of columns
			return strings.Contains(note, "without an id") || strings.HasPrefix(note, "no right answer for")
		})
		got := strings.Join(of, "\n")
		if got != c.note {
			t.Errorf("%s: notes %q, want %q", name, got, c.note)
		}
	}
}
