package intake

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/text"
)

// TestHiddenRowsAndColumnsAreTold: what a sheet hides is read and named, and of a sheet that hides nothing nothing is said.
func TestHiddenRowsAndColumnsAreTold(t *testing.T) {
	t.Parallel()
	raw := workbook(t, [][]any{{"質問", "正解", "備考"}, {"期限は？", "10日です。", "a"}, {"金額は？", "100円です。", "b"}, {"窓口は？", "総務です。", "c"}})
	said := func(raw []byte) string {
		d, report, err := read("q.xlsx", string(raw), nil, nil)
		if err != nil || len(d.Questions) != 3 {
			t.Fatalf("%+v %v", d, err)
		}
		return strings.Join(text.InEnglish(report.Notes), "\n")
	}
	if notes := said(raw); strings.Contains(notes, "hidden in the sheet") {
		t.Errorf("nothing is hidden, but notes say %s", notes)
	}
	f, err := excelize.OpenReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sheet := "Sheet1"
	if err := f.SetColVisible(sheet, "C", false); err != nil {
		t.Fatal(err)
	}
	if err := f.SetRowVisible(sheet, 3, false); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	notes := said(b.Bytes())
	for _, want := range []string{"hidden in the sheet and read all the same: 1 column: 備考", "as by a filter, and read all the same: 1 row: row 3"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %s, want %q", notes, want)
		}
	}
}

// TestAVisibleColumnIsPreferred: of two columns that say to hold the same, the one that people see is read, whichever is named better.
func TestAVisibleColumnIsPreferred(t *testing.T) {
	t.Parallel()
	raw := workbook(t, [][]any{{"質問", "正解", "正解（新）"}, {"期限は？", "5日です。", "10日です。"}, {"金額は？", "50円です。", "100円です。"}})
	for hidden, want := range map[string]string{"B": "10日です。", "C": "5日です。", "": "5日です。"} {
		f, err := excelize.OpenReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if hidden != "" {
			if err := f.SetColVisible("Sheet1", hidden, false); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		d, _, err := read("q.xlsx", b.String(), nil, map[string]string{"正解（新）": "ignore"})
		if err != nil || d.Questions[0].Reference != "5日です。" {
			t.Errorf("hidden %s, the other ignored: %+v %v", hidden, d, err)
		}
		d, _, err = read("q.xlsx", b.String(), nil, nil)
		if err != nil || d.Questions[0].Reference != want {
			t.Errorf("hidden %s: %+v %v, want %s", hidden, d, err, want)
		}
	}
}
