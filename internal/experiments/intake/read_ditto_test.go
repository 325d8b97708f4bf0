package intake

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/text"
)

// TestDittoIsWhatStandsAbove: cells that say "as above" hold what stands there, also through several rows and by number; where nothing
// stands above, and in the question itself, they stay as they are.
func TestDittoIsWhatStandsAbove(t *testing.T) {
	t.Parallel()
	d, report, err := read("q.csv", "No,質問,正解,カテゴリ,備考\n1,日当は？,3000円です,旅費,a\n2,手当は？,同上,〃,同上\n3,額は？,〃,″,b\n4,残業は？,5割増,勤怠,c\n"+
		"5,一日の手当は？,No.1と同じ,Same as above,d\n6,同上,上と同じです,勤怠,e\n", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range d.Questions {
		got = append(got, fmt.Sprint(q.Text, " = ", q.Reference, " ", q.Tags, " ", q.Metadata["備考"]))
	}
	want := []string{"日当は？ = 3000円です [category:旅費] a", "手当は？ = 3000円です [category:旅費] 同上", "額は？ = 3000円です [category:旅費] b",
		"残業は？ = 5割増 [category:勤怠] c", "一日の手当は？ = 3000円です [category:勤怠] d", "同上 = 3000円です [category:勤怠] e"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if notes := strings.Join(text.InEnglish(report.Notes), "\n"); !strings.Contains(notes, "7 cells such as ditto read as what") ||
		!strings.Contains(notes, "that they name: line 3, line 4, line 6, line 7") {
		t.Errorf("notes %s", notes)
	}
	d, report, err = read("q.csv", "質問,正解\n日当は？,同上\n手当は？,同上\n額は？,3000円です\n", nil, nil)
	if err != nil || d.Questions[0].Reference != "同上" || d.Questions[1].Reference != "同上" ||
		strings.Contains(strings.Join(text.InEnglish(report.Notes), ""), "ditto") {
		t.Errorf("nothing above: %+v %v", d, err)
	}
}
