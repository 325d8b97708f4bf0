package archive

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/sealed"
)

// TestADigestTellsOneBackupFromAnother swaps every file of a backup for another text, with a manifest that fits: it is whole, but it is not
// the backup whose digest was kept, neither for a check nor for a restore.
func TestADigestTellsOneBackupFromAnother(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	for _, folder := range []string{"notebooks/a.rag.md", "fires/1/en.xlsx", "uploads/x.csv"} {
		at := filepath.Join(w.Options.DataDir, filepath.FromSlash(folder))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(folder), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "b.zip")
	m, err := Backup(t.Context(), w.Workbench, file, "test")
	if err != nil {
		t.Fatal(err)
	}
	digest, err := BackupDigest(file)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, good := range []string{"", digest, strings.ToUpper(digest[:16])} {
		if _, _, err := CheckBackup(t.Context(), file, good, "test"); err != nil {
			t.Errorf("with %q: %v", good, err)
		}
	}
	if _, _, err := CheckBackup(t.Context(), file, digest[:15], "test"); problem.CodeOf(err) != "backup_digest" {
		t.Errorf("a short digest: %v", err)
	}
	for name := range m.Files {
		if name == backupDatabase {
			continue
		}
		forged := changedZip(t, whole, name, func([]byte) []byte { return []byte("forged") })
		forged = changedZip(t, forged, sealed.ManifestName, func(body []byte) []byte {
			var m map[string]any
			if err := json.Unmarshal(body, &m); err != nil {
				t.Fatal(err)
			}
			m["files"].(map[string]any)[name] = fmt.Sprintf("%x", sha256.Sum256([]byte("forged")))
			body, _ = json.Marshal(m)
			return body
		})
		at := filepath.Join(t.TempDir(), "forged.zip")
		if err := os.WriteFile(at, forged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := CheckBackup(t.Context(), at, "", "test"); err != nil {
			t.Errorf("%s: the forged backup fits its own manifest: %v", name, err)
		}
		if _, _, err := CheckBackup(t.Context(), at, digest, "test"); problem.CodeOf(err) != "backup_digest" {
			t.Errorf("%s was swapped: %v", name, err)
		}
		if _, err := Restore(t.Context(), at, RestoreTo{DataDir: t.TempDir(), Digest: digest}); problem.CodeOf(err) != "backup_digest" {
			t.Errorf("%s was swapped, and is restored: %v", name, err)
		}
	}
}
