package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A folder is held under a relative name too, and where it is, not at the root of the disk. It changes the folder that the process is in,
// so no other test runs beside it.
func TestAFolderIsHeldByARelativeName(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("scratch", 0o700); err != nil {
		t.Fatal(err)
	}
	release, err := Held("scratch")
	if err != nil {
		t.Fatal(err)
	}
	if LeftBehind("scratch", time.Time{}) {
		t.Error("a folder that is held counts as left behind")
	}
	release()
	if _, err := os.Stat(filepath.Join("scratch", heldName)); err != nil || !LeftBehind("scratch", time.Time{}) {
		t.Errorf("a folder that was released is still held: %v", err)
	}
}
