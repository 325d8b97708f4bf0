package intake

import "testing"

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
