package intake

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/text"
)

// TestSheetsReadAsOne: ids that each sheet begins anew are told apart, "as above" and totals end with their sheet, what is wrong names the
// sheet, and one that people name is read alone.
func TestSheetsReadAsOne(t *testing.T) {
	t.Parallel()
	team := teamSheet{tabs: []teamTab{
		ofTab("人事", "No¦質問¦正解", "1¦始業は？¦9時", "2¦終業は？¦18時", "合計¦2件"),
		ofTab("経理", "No¦質問¦正解", "1¦日当は？¦同上", "2¦手当は？¦3,000円", "3¦宿泊は？¦No.2と同じ"),
	}}
	file, raw := team.file(t)
	d, report, err := readDataset(raw, file, "team", nil, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range d.Questions {
		got = append(got, q.ID+" "+saidQuestion(q))
	}
	want := "人事-1 始業は？ = 9時 #theme:人事; 人事-2 終業は？ = 18時 #theme:人事; 経理-1 日当は？ = 同上 #theme:経理; " +
		"経理-2 手当は？ = 3,000円 #theme:経理; 経理-3 宿泊は？ = 3,000円 #theme:経理"
	if said := strings.Join(got, "; "); said != want {
		t.Errorf("%s\nwant %s", said, want)
	}
	var ja []string
	for _, n := range report.Notes {
		ja = append(ja, n.JA)
	}
	for _, said := range []string{"2枚のシートのうち、列名が一致する2枚をまとめて読み取りました：人事（3行）、" +
		"経理（3行）", "「人事」の4行目",
		"「経理」の4行目", "IDの前にシート名を付けました"} {
		if !strings.Contains(strings.Join(ja, "\n"), said) {
			t.Errorf("notes %q lack %q", ja, said)
		}
	}
	one, report, err := readDataset(raw, file, "team", nil, ReadOptions{Sheets: []string{"経理"}})
	if err != nil || len(one.Questions) != 3 || one.Questions[0].ID != "1" || len(one.Questions[0].Tags) > 0 {
		t.Errorf("alone: %+v, %v, %v", one, err, text.InEnglish(report.Notes))
	}
	team.tabs[1].rows[2] = "1¦手当は？¦3,000円"
	file, raw = team.file(t)
	_, _, err = readDataset(raw, file, "team", nil, ReadOptions{})
	if err == nil || !strings.Contains(err.Error(), "q.xlsx row 3 of 経理 (経理-1), question_id: row 2 has the same id") {
		t.Fatalf("error %v", err)
	}
	if p := rowProblems(t, err)[0]; p.Sheet != "経理" || p.Row != 3 || !strings.HasPrefix(p.In("ja"), "「経理」の3行目") {
		t.Errorf("problem %+v", p)
	}
}

// TestWhichSheetsAreAlike: by their heads, not by their order; what a system answered, or another name of the question, makes another kind.
func TestWhichSheetsAreAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"No 質問 正解", "正解 質問 No 備考", true}, {"Question Answer Owner", "question answer", true}, {"質問 正解", "Question Answer", false},
		{"質問 正解 システム回答", "質問 正解", false}, {"質問 正解 システム回答", "質問 正解 システム回答", true},
		{"質問 正解 担当 期限 備考", "質問 回答 担当 期限 備考", false}, {"質問 正解 A B C D", "質問 正解 E F G H", false},
	} {
		if got := sameHeads(strings.Fields(c.a), strings.Fields(c.b)); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
