package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// votedRow is a question of a comparison as the API tells it.
type votedRow struct {
	ID     string               `json:"question_id"`
	Before map[string]float64   `json:"before"`
	After  map[string]float64   `json:"after"`
	Votes  *struct{ EN string } `json:"votes"`
}

// lookAtVotes looks at an answer of the recorded story that was verified: the API, the command line and both reports show the mean of its
// votes, and say so. The chart of bubbles counts what they show.
func lookAtVotes(t *testing.T, b *bench) {
	t.Helper()
	before, after := "airline-ja-recorded-first", "airline-ja-recorded-second"
	s := b.serve("--addr", "127.0.0.1:0", "--no-schedules")
	defer s.stop()
	pair := "?baseline=" + before + "&candidate=" + after
	var listed struct{ Items []votedRow }
	apiGet(t, s.url+"/api/v1/comparisons/questions"+pair+"&limit=200", &listed)
	var whole struct {
		Bubbles [2]struct {
			Counts [][]int
			Low    int
		}
		LowBefore int `json:"low_before"`
		LowAfter  int `json:"low_after"`
	}
	apiGet(t, s.url+"/api/v1/comparisons"+pair, &whole)
	if whole.Bubbles[0].Low != whole.LowBefore || whole.Bubbles[1].Low != whole.LowAfter {
		t.Errorf("the charts count %+v low scores, the comparison %d and %d", whole.Bubbles, whole.LowBefore, whole.LowAfter)
	}
	at := slices.IndexFunc(listed.Items, func(r votedRow) bool { return r.After["correctness"] != float64(int(r.After["correctness"])) })
	if at < 0 {
		t.Fatal("no score is a mean of votes")
	}
	row := listed.Items[at]
	mean := row.After["correctness"]
	if row.Votes == nil || !strings.Contains(row.Votes.EN, "means of") {
		t.Fatalf("%s has a mean of %v and does not say of what: %+v", row.ID, mean, row)
	}
	var one struct {
		After struct {
			Result struct {
				Scores []struct {
					Metric string
					Value  float64
				}
			}
		}
	}
	apiGet(t, s.url+"/api/v1/comparisons/questions/"+row.ID+pair, &one)
	if got := one.After.Result.Scores[0]; got.Metric != "correctness" || got.Value != mean {
		t.Errorf("beside the list, which shows %v, the page of %s shows %+v", mean, row.ID, got)
	}
	told := b.must("compare", before, after, "--question", row.ID, "--lang", "en").stdout
	for _, says := range []string{fmt.Sprintf("→ %.2f", mean), row.Votes.EN} {
		if !strings.Contains(told, says) {
			t.Errorf("the command line does not say %q:\n%s", says, told)
		}
	}
	b.must("report", before, after, "-o", b.path("votes.csv"))
	b.must("report", before, after, "-o", b.path("votes.xlsx"))
	tables := map[string][][]string{"the table": csvOf(t, b.path("votes.csv")), "the workbook": bookOf(t, b.path("votes.xlsx"))}
	for name, table := range tables {
		if !slices.ContainsFunc(table, func(line []string) bool { return slices.Contains(line, row.ID) && shows(line, mean) }) {
			t.Errorf("%s shows %v nowhere beside %s", name, mean, row.ID)
		}
	}
}

func apiGet(t *testing.T, address string, into any) {
	t.Helper()
	reply, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reply.Body.Close() }()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body, into); err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s (%v)", address, reply.StatusCode, body, err)
	}
}

// shows reports whether a cell of a line is a number that rounds to the mean as people are shown it.
func shows(line []string, mean float64) bool {
	return slices.ContainsFunc(line, func(cell string) bool {
		v, err := strconv.ParseFloat(cell, 64)
		return err == nil && v > mean-.006 && v < mean+.006
	})
}

func csvOf(t *testing.T, path string) [][]string {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(body), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func bookOf(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	f, err := excelize.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for _, sheet := range f.GetSheetList() {
		lines, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, lines...)
	}
	return rows
}
