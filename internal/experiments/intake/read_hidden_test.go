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
