package foreign

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// readOf is what a file says as "metric=place:score ...", with the notes in both languages.
func readOf(t *testing.T, path string) (read, notes, ja string) {
	t.Helper()
	scores, err := ReadScores(path, ForeignOptions{})
	if err != nil {
		t.Fatal(err, problem.From(err).Hint)
	}
	var parts []string
	for m, name := range scores.Metrics {
		part := name + "="
		for i, item := range scores.Items {
			part += fmt.Sprintf("%d:%v ", i+1, item.Scores[m])
		}
		parts = append(parts, strings.TrimSpace(part))
	}
	for _, s := range scores.Sheet {
		ja += s.JA + "\n"
	}
	return strings.Join(parts, " | "), strings.Join(scores.Notes, "\n"), ja
}

// bothWays are the paths of a sheet as a workbook and as text with commas, whose rows are equally long there.
func bothWays(t *testing.T, body string) []string {
	t.Helper()
	lines := strings.Split(body, "\n")
	width := 0
	for _, line := range lines {
		width = max(width, strings.Count(line, "¦"))
	}
	for i, line := range lines {
		lines[i] = line + strings.Repeat("¦", width-strings.Count(line, "¦"))
	}
	return []string{tabsFile(t, "採点:\n"+body), broughtFile(t, "a.csv", strings.ReplaceAll(strings.Join(lines, "\n"), "¦", ",")+"\n", nil)}
}

// TestWhatStandsBesideATable: a legend, notes and a second table to the right of a table are no scores, and are named; real scores behind
// an empty column are read, and that is said too.
func TestWhatStandsBesideATable(t *testing.T) {
	t.Parallel()
	const cut, kept = "not read, because nothing stands in column", "was read as part of the table"
	const five = "正確性=1:[5] 2:[2] 3:[4] 4:[1]"
	for name, c := range map[string]struct{ body, want, told string }{
		"a legend": {
			"No¦質問¦正確性¦¦凡例¦\n1¦a¦5¦¦5¦とても良い\n2¦b¦2¦¦4¦良い\n3¦c¦4¦¦3¦ふつう\n4¦d¦1¦¦2¦悪い\n¦¦¦¦1¦とても悪い", five, cut},
		"a legend as long as the table": {
			"No¦質問¦正確性¦¦点¦説明\n1¦a¦5¦¦4¦とても良い\n2¦b¦2¦¦3¦良い\n3¦c¦4¦¦2¦悪い\n4¦d¦1¦¦1¦とても悪い", five, cut},
		"a short legend":           {"No¦質問¦正確性¦¦¦点¦説明\n1¦a¦5¦¦¦1¦正しい\n2¦b¦2\n3¦c¦4\n4¦d¦1", five, cut},
		"a legend above the names": {"採点表¦¦¦¦○ 正しい\n¦¦¦¦× 誤り\nNo¦質問¦正確性\n1¦a¦5\n2¦b¦2\n3¦c¦4\n4¦d¦1", five, cut},
		"notes":                    {"No¦質問¦正確性\n1¦a¦5¦¦担当が確認した\n2¦b¦2¦¦再確認すること\n3¦c¦4\n4¦d¦1", five, cut},
		"a second table": {
			"No¦質問¦正確性¦¦No¦質問¦正確性\n1¦a¦5¦¦1¦e¦9\n2¦b¦2¦¦2¦f¦9\n3¦c¦4¦¦3¦g¦9\n4¦d¦1¦¦4¦h¦9", five, cut},
		"sums of categories": {"No¦質問¦正確性¦¦分類¦平均\n1¦a¦5¦¦労務¦3.5\n2¦b¦2¦¦経理¦2.5\n3¦c¦4\n4¦d¦1", five, cut},
		"scores behind a gap": {"No¦質問¦正確性¦¦丁寧さ\n1¦a¦5¦¦3\n2¦b¦2¦¦4\n3¦c¦4¦¦\n4¦d¦1¦¦2",
			five + " | 丁寧さ=1:[3] 2:[4] 3:[] 4:[2]", kept},
		"some scores behind a gap": {"No¦質問¦正確性¦¦丁寧さ\n1¦a¦5¦¦\n2¦b¦2¦¦\n3¦c¦4¦¦\n4¦d¦1¦¦2",
			five + " | 丁寧さ=1:[] 2:[] 3:[] 4:[2]", kept},
		"ids apart from questions":    {"No¦¦質問¦正確性\n1¦¦a¦5\n2¦¦b¦2\n3¦¦c¦4\n4¦¦d¦1", five, kept},
		"a gap within, then a legend": {"No¦¦質問¦正確性¦¦凡例\n1¦¦a¦5¦¦5\n2¦¦b¦2¦¦4\n3¦¦c¦4\n4¦¦d¦1", five, kept},
		"a name without values":       {"No¦質問¦備考¦正確性\n1¦a¦¦5\n2¦b¦¦2\n3¦c¦¦4\n4¦d¦¦1", five, ""},
		"nothing beside":              {"No¦質問¦正確性¦¦\n1¦a¦5¦¦\n2¦b¦2¦¦\n3¦c¦4¦¦\n4¦d¦1¦¦", five, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, path := range bothWays(t, c.body) {
				got, notes, ja := readOf(t, path)
				if got != c.want || !strings.Contains(notes, c.told) ||
					(c.told == "") != !(strings.Contains(notes, cut) || strings.Contains(notes, kept)) {
					t.Errorf("%s\n%s\n%s", path, got, notes)
				}
				if c.told != "" && !strings.Contains(ja, map[string]string{cut: "読み取っていない部分", kept: "表の一部として読み取りました"}[c.told]) {
					t.Errorf("in Japanese: %s", ja)
				}
			}
		})
	}
}

// TestBesideIsSaid: the words name the columns as the file does, what stands there, and what to do.
func TestBesideIsSaid(t *testing.T) {
	t.Parallel()
	paths := bothWays(t, "No¦質問¦正確性¦¦凡例¦\n1¦a¦5¦¦5¦良い\n2¦b¦2¦¦1¦悪い")
	for i, want := range [][2]string{
		{`nothing stands in column D between it and the table: columns E to F ("凡例", "5", "良い", "1", "悪い"); if it belongs`,
			"D列が空で表から離れているため、読み取っていない部分：E〜F列（"},
		{`nothing stands in column 4 between it and the table: columns 5 to 6 (`, "4列が空で"},
	} {
		_, notes, ja := readOf(t, paths[i])
		if !strings.Contains(notes, want[0]) || !strings.Contains(ja, want[1]) {
			t.Errorf("%s\n%s", notes, ja)
		}
	}
}

// TestTablesKeepTheirScoresBesideAnything: whatever legend stands to the right and wherever, and wherever empty columns part a table,
// the scores are those that were written.
func TestTablesKeepTheirScoresBesideAnything(t *testing.T) {
	t.Parallel()
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 7))
		n, metrics := 4+r.IntN(12), 1+r.IntN(3)
		rows := [][]string{{"No", "質問"}}
		want := make([]string, metrics)
		for m := range metrics {
			rows[0] = append(rows[0], fmt.Sprintf("指標%c", 'A'+m))
			want[m] = rows[0][m+2] + "="
		}
		for i := range n {
			row := []string{strconv.Itoa(i + 1), fmt.Sprintf("質問文%d", i+1)}
			for m := range metrics {
				score := strconv.Itoa((i*7 + m*3 + int(seed)) % 5)
				row = append(row, score)
				want[m] += fmt.Sprintf("%d:[%s] ", i+1, score)
			}
			rows = append(rows, row)
		}
		for m := range want {
			want[m] = strings.TrimSpace(want[m])
		}
		if r.IntN(2) == 0 { // an empty column within
			at := 1 + r.IntN(metrics+1)
			for i, row := range rows {
				rows[i] = append(append(append([]string{}, row[:at]...), ""), row[at:]...)
			}
		}
		width, gap, top := len(rows[0]), 1+r.IntN(3), r.IntN(3)
		if r.IntN(3) > 0 {
			for i := range 2 + r.IntN(6) { // a legend, beginning in any of the first rows
				for top+i >= len(rows) {
					rows = append(rows, nil)
				}
				for len(rows[top+i]) < width+gap {
					rows[top+i] = append(rows[top+i], "")
				}
				if i == 0 {
					rows[top] = append(rows[top], "凡例", "")
					continue
				}
				rows[top+i] = append(rows[top+i], strconv.Itoa(i), fmt.Sprintf("意味%d", i))
			}
		}
		var lines []string
		for _, row := range rows {
			lines = append(lines, strings.Join(row, "¦"))
		}
		for _, path := range bothWays(t, strings.Join(lines, "\n")) {
			if got, notes, _ := readOf(t, path); got != strings.Join(want, " | ") {
				t.Errorf("seed %d:\n%s\n%s\nwant %s\n%s", seed, strings.Join(lines, "\n"), got, strings.Join(want, " | "), notes)
			}
		}
	}
}
