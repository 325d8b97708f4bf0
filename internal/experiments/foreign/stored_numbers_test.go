package foreign

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// picturedFile writes a sheet of questions and answers with a column of scores, each a value in a number format ("" for none).
func picturedFile(t *testing.T, column string, cells ...[2]any) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	set := func(cell string, v any) {
		if err := f.SetCellValue("Sheet1", cell, v); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range []string{"question", "answer", column} {
		set(fmt.Sprintf("%c1", 'A'+i), name)
	}
	for i, c := range cells {
		set(fmt.Sprintf("A%d", i+2), fmt.Sprintf("What is %d?", i))
		set(fmt.Sprintf("B%d", i+2), "That.")
		set(fmt.Sprintf("C%d", i+2), c[0])
		if format := c[1].(string); format != "" {
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
			if err != nil {
				t.Fatal(err)
			}
			if err := f.SetCellStyle("Sheet1", fmt.Sprintf("C%d", i+2), fmt.Sprintf("C%d", i+2), style); err != nil {
				t.Fatal(err)
			}
		}
	}
	return saved(t, f)
}

// TestScoresAreWhatTheSheetStores: what a cell shows is a picture of its number; the number counts, at both doors,
// and what differs is said.
func TestScoresAreWhatTheSheetStores(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cells      [][2]any
		want, says string
	}{
		"rounded":               {[][2]any{{0.6, "0"}, {0.4, "0"}}, "0.6 0.4", `0.6 and shows "1"`},
		"decimals":              {[][2]any{{4.567, "0.0"}, {3, "0.0"}}, "4.567 3", `4.567 and shows "4.6"`},
		"percent":               {[][2]any{{0.85, "0%"}, {0.6, "0%"}}, "0.85 0.6", "percentages"},
		"percent rounded":       {[][2]any{{0.853, "0%"}, {0.6, "0%"}}, "0.853 0.6", `0.853 and shows "85%"`},
		"percent of 1 to 5":     {[][2]any{{4, "0%"}, {3.5, "0%"}}, "4 3.5", "percentages"},
		"percent beside shares": {[][2]any{{0.85, "0%"}, {0.6, ""}}, "0.85 0.6", ""},
		"percent typed":         {[][2]any{{0.85, "0%"}, {"60%", ""}}, "0.85 0.6", "percentages"},
		"a unit":                {[][2]any{{4.5, `0.0"点"`}, {3, `0"点"`}}, "4.5 3", ""},
		"thousands":             {[][2]any{{1234.5, "#,##0"}, {2000, "#,##0"}}, "1234.5 2000", `shows "1,235"`},
		"a dash for nothing":    {[][2]any{{0, `0.0;-0.0;"-"`}, {1, "0.0"}}, "0 1", ""},
		"hidden by its format":  {[][2]any{{0.6, ";;;"}, {1, "0.0"}}, "0.6 1", ""},
		"the float itself":      {[][2]any{{0.1 + 0.2, "0.0"}, {1, ""}}, "0.3 1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := picturedFile(t, "quality", c.cells...)
			got, err := ReadForeign(path, ForeignOptions{})
			if err != nil {
				t.Fatal(err)
			}
			table, err := ReadScores(path, ForeignOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var read, compared []string
			for i, item := range got.Items {
				read = append(read, fmt.Sprintf("%.15g", *item.Scores[0].Value))
				compared = append(compared, fmt.Sprintf("%.15g", table.Items[i].Scores[0][0]))
			}
			if strings.Join(read, " ") != c.want || strings.Join(compared, " ") != c.want {
				t.Errorf("read %v, compared %v, want %s", read, compared, c.want)
			}
			if !strings.Contains(strings.Join(got.Notes, "\n"), c.says) || !strings.Contains(strings.Join(table.Notes, "\n"), c.says) {
				t.Errorf("%q %q", got.Notes, table.Notes)
			}
		})
	}
}

// TestPercentagesBesideOtherNumbersAreRefused: 60% beside 70 may mean 0.6 or 60.
func TestPercentagesBesideOtherNumbersAreRefused(t *testing.T) {
	t.Parallel()
	path := picturedFile(t, "quality", [2]any{0.6, "0%"}, [2]any{70, ""})
	_, err := ReadForeign(path, ForeignOptions{})
	_, compared := ReadScores(path, ForeignOptions{})
	for _, err := range []error{err, compared} {
		if err == nil || !strings.Contains(err.Error(), "60%") {
			t.Error(err)
		}
	}
}

// TestDatesAndIDsAreWhatTheSheetShows: no number is meant where a cell shows a date, a time or a padded id.
func TestDatesAndIDsAreWhatTheSheetShows(t *testing.T) {
	t.Parallel()
	path := picturedFile(t, "id", [2]any{7, "000"}, [2]any{12, "000"})
	got, err := ReadForeign(path, ForeignOptions{})
	if err != nil || got.Items[0].ID != "007" || got.Items[1].ID != "012" {
		t.Errorf("%v %+v", err, got)
	}
	for _, format := range []string{"yyyy-mm-dd", "yyyy/m/d", `yyyy"年"m"月"d"日"`, "h:mm", "mmm-yy", "aaa"} {
		path := picturedFile(t, "when", [2]any{45123.4, format}, [2]any{45124.6, format})
		if got, err := ReadForeign(path, ForeignOptions{}); err != nil || len(got.Metrics) > 0 {
			t.Errorf("%s: %v %+v", format, err, got.Metrics)
		}
	}
}
