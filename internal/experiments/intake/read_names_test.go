package intake

import (
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
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
