package archive

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestEmptiedSealsAreToldOnce: a study with its seals emptied is told in one sentence, and not row by row; one of which many rows were
// sealed otherwise names the first of each kind, and counts the rest.
func TestEmptiedSealsAreToldOnce(t *testing.T) {
	t.Parallel()
	_, path, m := studiedFile(t)
	v := verifiedWith(t, path, map[string][]byte{"tables/seals.jsonl": {}})
	told := 0
	for _, f := range v.Findings {
		if f.Invariant == "seal" {
			told++
		}
	}
	if v.Equal || told != 1 || len(v.Findings) > 3 {
		t.Errorf("%d findings, %d of them of seals: %+v", len(v.Findings), told, v.Findings)
	}
	_, err := Import(t.Context(), apptest.NewWorld(t, "").Workbench, changedStudy(t, path, map[string][]byte{"tables/seals.jsonl": {}}))
	if problem.CodeOf(err) != "study_seal" || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("imported all the same: %v", err)
	}
	one := []byte(`{"kind":"tree","key":"` + m.Runs[0].ID + `","digest":"` + strings.Repeat("A", 43) + `="}` + "\n")
	v = verifiedWith(t, path, map[string][]byte{"tables/seals.jsonl": one})
	named, summed := map[string]int{}, 0
	for _, f := range v.Findings {
		if f.Invariant != "seal" {
			continue
		}
		if strings.Contains(f.Message, "more rows of this kind") {
			summed++
		} else {
			named[strings.Fields(f.Subject)[0]]++
		}
	}
	for kind, n := range named {
		if n > 20 {
			t.Errorf("%d rows of kind %s are named one by one", n, kind)
		}
	}
	if v.Equal || summed == 0 || named["cells"] != 20 {
		t.Errorf("%d kinds summed up, named: %v", summed, named)
	}
}
