package intake

import (
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestExpectedOutputIsTheRightAnswer: an output is what the system answered, unless its name says that it is expected.
func TestExpectedOutputIsTheRightAnswer(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"出力（期待値）": FieldReference, "期待出力": FieldReference, "期待する出力": FieldReference, "output (expected)": FieldReference,
		"Output [Gold]": FieldReference, "Expected output": FieldReference, "正しい出力": FieldReference, "応答（正解）": FieldReference,
		"実際の出力": kindSystem, "出力": kindSystem, "output": kindSystem, "出力（実測）": kindSystem, "Output (actual)": kindSystem,
		"AI出力（期待値）": kindSystem,
		"出力結果":      kindSystem,
	} {
		if got, _ := guessName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	d, _, err := read("q.csv", "入力,出力（期待値）,実際の出力,判定\n期限は？,10日です。,5日です。,NG\n金額は？,100円です。,100円です。,OK\n", nil, nil)
	if err != nil || d.Questions[0].Reference != "10日です。" || d.Questions[0].Metadata["実際の出力"] != "5日です。" {
		t.Errorf("%+v %v", d, err)
	}
}

// TestColumnsAreMappedToTheNamesThatArePrinted: what a column is said to be read as is taken as its field, in both languages.
func TestColumnsAreMappedToTheNamesThatArePrinted(t *testing.T) {
	t.Parallel()
	for _, field := range append(Fields(), fieldMetadata, FieldIgnore) {
		for _, name := range []string{FieldName(field).EN, FieldName(field).JA, field} {
			columns := map[string]string{"甲": name}
			want := field
			if field != FieldQuestion {
				columns["乙"] = "質問"
			}
			_, report, err := read("q.csv", "乙,甲\n送料は?,1\n", manual(), columns)
			if problem.CodeOf(err) == "dataset_field_unknown" {
				t.Errorf("%s: %v", name, err)
				continue
			}
			at := slices.IndexFunc(report.Columns, func(u ColumnUse) bool { return u.Source == "甲" })
			if at < 0 || report.Columns[at].Field != want {
				t.Errorf("%s is read as %+v, want %s (%v)", name, report.Columns, want, err)
			}
		}
	}
}

// TestSeveralDocumentsInOneCell: each quote of a row is looked for in the documents that the row names, however they are set apart; a list
// with an unknown name is refused as it stands, with its row.
func TestSeveralDocumentsInOneCell(t *testing.T) {
	t.Parallel()
	twice := "休暇は三日前までに申請する。"
	corpus := rag.NewCorpus("規程", []rag.Document{
		{ID: "a.md", Text: "一。" + twice}, {ID: "b.md", Text: "給与は毎月二十五日に支払う。" + twice}, {ID: "c.md", Text: twice},
	})
	for _, mark := range []string{",", ", ", "、", ";", "；", "\n"} {
		file := "question,evidence,evidence_doc_id\nいつ?,\"給与は毎月二十五日に支払う。\n一。" + twice + "\",\"a.md" + mark + "b.md\"\n"
		d, _, err := read("q.csv", file, corpus, nil)
		if err != nil || len(d.Questions[0].Evidence) != 2 || d.Questions[0].Evidence[0].DocID != "b.md" ||
			d.Questions[0].Evidence[1].DocID != "a.md" {
			t.Errorf("%q: %+v %v", mark, d, err)
		}
		_, _, err = read("q.csv", strings.Replace(file, "b.md", "ghost.md", 1), corpus, nil)
		if err == nil || !strings.Contains(err.Error(), "line 2") || !strings.Contains(err.Error(), "ghost.md") {
			t.Errorf("%q: an unknown document beside a known one: %v", mark, err)
		}
	}
}
