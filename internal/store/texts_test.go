package store

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/notebooks"
)

// TestAKeptTextThatWasChangedIsFound changes, takes away and re-bases every kept text of a notebook: the doctor finds each.
func TestAKeptTextThatWasChangedIsFound(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for i := range 3 {
		text := strings.Repeat("a line of the notebook\n", 40) + strings.Repeat("x", i)
		v := experiments.NotebookVersion{Digest: fmt.Sprintf("%x", sha256.Sum256([]byte(text))), At: at,
			ChangedAt: at.Add(time.Duration(i) * time.Hour),
			Ran:       true, By: "ann"}
		if _, _, err := s.PutVersion(t.Context(), "n", v, []byte(text), nil); err != nil {
			t.Fatal(err)
		}
	}
	conn := must[*gorm.DB](t)(s.Orm.WithContext(t.Context()), nil)
	var digests []string
	ok(t, conn.Raw("SELECT digest FROM notebook_texts ORDER BY digest").Scan(&digests).Error)
	if len(digests) < 2 {
		t.Fatalf("%d texts are kept", len(digests))
	}
	texts := func() (n int) {
		for _, f := range must[[]doctor.Finding](t)(s.Check(t.Context())) {
			if f.Invariant == "text" {
				n++
			}
		}
		return n
	}
	if n := texts(); n > 0 {
		t.Fatalf("%d of the texts as they were kept are found", n)
	}
	for _, digest := range digests {
		for _, statement := range []string{
			"UPDATE notebook_texts SET body = X'0102' WHERE digest = ?", "DELETE FROM notebook_texts WHERE digest = ?",
			"UPDATE notebook_texts SET base = digest WHERE digest = ?",
		} {
			var kept []notebooks.NotebookTextRow
			ok(t, conn.Find(&kept).Error)
			ok(t, conn.Exec(statement, digest).Error)
			if texts() == 0 {
				t.Errorf("%s: %s is not found", statement, digest)
			}
			ok(t, conn.Exec("DELETE FROM notebook_texts").Error)
			ok(t, conn.Create(&kept).Error)
		}
	}
}
