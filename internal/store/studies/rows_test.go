package studies

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/store/records"
)

// TestAColumnStandsOnceInARow writes each column of a row a second time, with another value and as another program may spell its name: a
// reader that takes the first would show what verify never compared.
func TestAColumnStandsOnceInARow(t *testing.T) {
	t.Parallel()
	value := 2.5
	line, err := encodeRow(&records.CellRow{RunID: "r", QuestionID: "q", Metric: "trust", State: "scored", Value: &value})
	if err != nil {
		t.Fatal(err)
	}
	var back records.CellRow
	if err := decodeRow(line, &back); err != nil || back.Value == nil || *back.Value != value {
		t.Fatalf("an honest row: %v, %+v", err, back)
	}
	var columns map[string]json.RawMessage
	if err := json.Unmarshal(line, &columns); err != nil {
		t.Fatal(err)
	}
	for column, body := range columns {
		for _, name := range []string{`"` + column + `"`, `"` + column[:1] + strings.Replace(column[1:], "e", `\u0065`, 1) + `"`} {
			twice := "{" + name + ":" + string(body) + "," + string(line[1:])
			if err := decodeRow([]byte(twice), &back); err == nil || !strings.Contains(err.Error(), column) {
				t.Errorf("%s: %v", twice, err)
			}
		}
	}
	for _, broken := range []string{"", "[]", "null", `{"a":1`, `{"a":1}{"a":2}`, `{"a"}`, `"x"`} {
		if err := decodeRow([]byte(broken), &back); err == nil {
			t.Errorf("%s is read", broken)
		}
	}
}
