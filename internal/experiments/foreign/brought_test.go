package foreign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
)

// broughtFile writes a file as people bring it: text, or a workbook of rows with ¦ between the cells.
func broughtFile(t *testing.T, name, body string, formats map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if !strings.HasSuffix(name, ".xlsx") {
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	f := excelize.NewFile()
	defer f.Close()
	for i, row := range strings.Split(body, "\n") {
		for j, cell := range strings.Split(row, "¦") {
			at, err := excelize.CoordinatesToCellName(j+1, i+1)
			if err != nil {
				t.Fatal(err)
			}
			var v any = cell
			var n float64
			if _, err := fmt.Sscanf(cell+"|", "%f|", &n); err == nil {
				v = n
			}
			if cell == "" {
				continue
			}
			if err := f.SetCellValue("Sheet1", at, v); err != nil {
				t.Fatal(err)
			}
			if format := formats[at]; format != "" {
				style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
				if err != nil {
					t.Fatal(err)
				}
				if err := f.SetCellStyle("Sheet1", at, at, style); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestScoreSheetsAsBrought: what people write around their scores is none, and scores in words and marks are read or asked for.
func TestScoreSheetsAsBrought(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, body string
		want       string // "id: metric=score …"
		told       string // in the notes, or in the problem and its hint
	}{
		"marks":         {"a.csv", "\ufeff質問,判定\n始業は？,○\n日当は？,×\n休暇は？,対象外\n", "始業は？: 判定=1; 日当は？: 判定=0; 休暇は？:", "marks, read as 1"},
		"marks between": {"a.csv", "質問,判定\n始業は？,○\n日当は？,×\n休暇は？,△\n", "", `"○, △"|(○, △)|write numbers`},
		"ticks that judge nothing": {"a.csv", "質問,確認済み,点数\n始業は？,○,5\n日当は？,×,2\n", "始業は？: 点数=5; 日当は？: 点数=2",
			"passed over: 質問, 確認済み|passed over: 確認済み"},
		"grades in words": {"a.csv", "id,correctness,comment\nq1,5 - Excellent,\nq2,2 - Poor,off\nq3,4 - Good,\n",
			"q1: correctness=5; q2: correctness=2; q3: correctness=4", "each cell begins with"},
		"an average below": {"a.csv", "id,score\nq1,0.5\nq2,1\nAverage,0.75\nStd.,0.25\n", "q1: score=0.5; q2: score=1", "Average"},
		"German, sep=":     {"a.csv", "\ufeffsep=;\r\nFrage;Punkte\r\nWie lange?;0,5\r\nWann?;1\r\n", "Wie lange?: Punkte=0.5; Wann?: Punkte=1", ""},
		"titles, out of five": {"a.xlsx", "Human review, round 2\nScale: 1 (bad) to 5 (good)\n\nQuestion¦Score¦Reviewer\nBattery?¦4/5¦A\nShips?¦2/5¦A",
			"Battery?: Score=4; Ships?: Score=2", "row 4"},
		"wide digits and words for none": {"a.csv", "質問,正確性,網羅性\n始業は？,5,対象外\n日当は？,３,4\n休暇は？,N/A,未確認\n",
			"始業は？: 正確性=5; 日当は？: 正確性=3 網羅性=4; 休暇は？:", ""},
		"shares as people see them": {"a.xlsx", "No.¦質問¦正確性\n1¦始業は？¦1\n2¦日当は？¦0.4\n平均¦¦0.7", "始業は？: 正確性=1; 日当は？: 正確性=0.4", "平均"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ReadScores(broughtFile(t, c.file, c.body, map[string]string{"C2": "0%", "C3": "0%", "C4": "0%"}), ForeignOptions{})
			var said []string
			notes := ""
			if err != nil {
				notes = err.Error() + problem.From(err).Hint
			} else {
				notes = strings.Join(got.Notes, "\n")
				for _, item := range got.Items {
					s := item.ID + ":"
					for m, scores := range item.Scores {
						for _, score := range scores {
							s += fmt.Sprintf(" %s=%g", got.Metrics[m], score)
						}
					}
					said = append(said, s)
				}
			}
			if s := strings.Join(said, "; "); s != c.want {
				t.Errorf("read %s, want %s: %s", s, c.want, notes)
			}
			told := c.told == ""
			for part := range strings.SplitSeq(c.told, "|") {
				told = told || strings.Contains(notes, part)
			}
			if !told {
				t.Errorf("told %s, want %s", notes, c.told)
			}
		})
	}
}
