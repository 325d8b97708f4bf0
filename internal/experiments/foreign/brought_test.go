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
		"marks": {"a.csv", "\ufeff質問,判定\n始業は？,○\n日当は？,×\n休暇は？,対象外\n",
			"始業は？: 判定=1; 日当は？: 判定=0; 休暇は？:", "marks, read as 1"},
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
		"shares as people see them": {"a.xlsx", "No.¦質問¦正確性\n1¦始業は？¦1\n2¦日当は？¦0.4\n平均¦¦0.7",
			"始業は？: 正確性=1; 日当は？: 正確性=0.4", "平均"},
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

// TestResultsAsBrought: tables of questions, answers and scores under the names that people and further tools give their columns.
func TestResultsAsBrought(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, tool, want, told string }{
		"a team's sheet": {"No,質問,正解,システム回答,正確性,判定\n1,始業は？,9時,9時です,100%,○\n2,日当は？,\"3,000円\",\"2," +
			"500円です\",40%,×\n平均,,,,70%,\n",
			ToolTable, "始業は？|9時|9時です table.正確性=1 table.判定=1; 日当は？|3,000円|2,500円です table.正確性=0.4 " +
				"table.判定=0", "平均"},
		"TruLens": {"app_id,record_id,input,output,ts,latency,total_tokens,total_cost,Answer Relevance,Groundedness\n" +
			"a,r1,How long?,Ten hours,2026-11-02,1.2,310,0.0004,1.0,\na,r2,When?,Two days,2026-11-02,1.4,290,0.0003,0.9,1.0\n", ToolTable,
			"How long?||Ten hours table.answer_relevance=1 table.groundedness=import_nan; " +
				"When?||Two days table.answer_relevance=0.9 table.groundedness=1", "figures of operation"},
		"test cases of DeepEval with scores": {"name,input,actual_output,expected_output,success,Faithfulness (score),Faithfulness (reason)\n" +
			"c0,How long?,Ten hours,Ten hours,True,1.0,fine\nc1,When?,Tomorrow,Two days,False,0.5,vague\n", ToolDeepEval,
			"How long?|Ten hours|Ten hours deepeval.faithfulness=1; When?|Two days|Tomorrow deepeval.faithfulness=0.5", ""},
		"two systems": {"質問,正解,現行回答,新回答,現行評価,新評価\n始業は？,9時,10時,9時,2,5\n", "", "", "現行回答, 新回答"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := ReadForeign(broughtFile(t, "a.csv", c.body, nil), ForeignOptions{})
			if err != nil {
				if p := problem.From(err); c.want != "" || !strings.Contains(p.Message, c.told) || p.Hint == "" {
					t.Errorf("%v", err)
				}
				return
			}
			var said []string
			for _, item := range f.Items {
				s := item.Question + "|" + item.Reference + "|" + *item.Answer
				for _, score := range item.Scores {
					if score.Value == nil {
						s += " " + score.Metric + "=" + score.Missing
						continue
					}
					s += fmt.Sprintf(" %s=%g", score.Metric, *score.Value)
				}
				said = append(said, s)
			}
			if s := strings.Join(said, "; "); s != c.want || f.Tool != c.tool || !strings.Contains(strings.Join(f.Notes, "\n"), c.told) {
				t.Errorf("%s: %s\nwant %s\n%q", f.Tool, s, c.want, f.Notes)
			}
		})
	}
}
