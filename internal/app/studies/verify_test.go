package studies

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/notebooks"
)

// sealedRules is a notebook of free cells that was run and sealed, and the path of its snapshot.
func sealedRules(t *testing.T) (*notebooks.Notebook, string) {
	t.Helper()
	w := apptest.NewWorld(t, "")
	n := notebook(w, t, freeNotebook)
	v, err := n.Run(t.Context(), notebooks.Options{Approve: yes})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(w.Dir, "rules.ragsnap")
	if _, err := n.WriteSnapshot(t.Context(), v, path, false); err != nil {
		t.Fatal(err)
	}
	return n, path
}

// reforged writes a snapshot again with other files and a manifest that fits them; a nil body takes a file away.
func reforged(t *testing.T, from, to string, change map[string][]byte) {
	t.Helper()
	z, err := zip.OpenReader(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	names, files := []string{}, map[string][]byte{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
		names = append(names, f.Name)
	}
	var m map[string]any
	if err := json.Unmarshal(files["manifest.json"], &m); err != nil {
		t.Fatal(err)
	}
	digests := m["files"].(map[string]any)
	for name, body := range change {
		if files[name] == nil {
			names = append([]string{name}, names...)
		}
		if body == nil {
			names = slices.DeleteFunc(names, func(one string) bool { return one == name })
			delete(digests, name)
			continue
		}
		files[name], digests[name] = body, fmt.Sprintf("%x", sha256.Sum256(body))
	}
	files["manifest.json"], _ = json.Marshal(m)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range names {
		one, err := w.Create(name)
		if err == nil {
			_, err = one.Write(files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestASnapshotIsComputedAgain changes every number of every result of a snapshot, every page, the run behind every cell of the lock and
// the files that it holds, each time with a manifest that fits: none is confirmed.
func TestASnapshotIsComputedAgain(t *testing.T) {
	t.Parallel()
	n, path := sealedRules(t)
	if v, err := Verify(t.Context(), path, "test", apptest.SteadyClock()); err != nil || !v.Equal || !v.Complete || v.Notebook == nil ||
		v.Notebook.Cells == 0 || v.Notebook.Recomputed != v.Notebook.Cells || v.Notebook.Pages != 2 {
		t.Fatalf("the snapshot as it was sealed: %v %+v %+v", err, v.Notebook, v.Findings)
	}
	_, files, err := notebooks.OpenSnapshot(path)
	if err != nil {
		t.Fatal(err)
	}
	forged := filepath.Join(t.TempDir(), "forged.ragsnap")
	caught := func(what string, change map[string][]byte) {
		t.Helper()
		reforged(t, path, forged, change)
		out, err := CheckSnapshot(t.Context(), forged, "test")
		if err == nil && len(out.Different) == 0 {
			t.Errorf("%s is confirmed: %+v", what, out)
		}
	}
	everyNumber(t, path)
	page := files["en.html"]
	caught("another page", map[string][]byte{"notebook/en.html": bytes.Replace(page, []byte("</h1>"), []byte(" PASS</h1>"), 1)})
	caught("no page", map[string][]byte{"notebook/en.html": nil})
	for _, more := range []string{"fr.html", "de.html", "EN2.html", "x.txt", "results2.json", "deep/er.html"} {
		caught("one file more: "+more, map[string][]byte{"notebook/" + more: []byte("<h1>PASS</h1>")})
	}
	runs := n.RunIDs()
	lock := string(files["notebook.rag.lock.yaml"])
	for i, run := range runs {
		other := runs[(i+1)%len(runs)]
		caught("run "+run+" behind its cell became "+other, map[string][]byte{
			"notebook/notebook.rag.lock.yaml": []byte(strings.ReplaceAll(lock, "run_id: "+run, "run_id: "+other))})
	}
}

// everyNumber raises every number of the sealed results, one after the other, with pages that show it: what is computed of the runs is
// another.
func everyNumber(t *testing.T, path string) {
	t.Helper()
	s, files, err := notebooks.OpenSnapshot(path)
	if err != nil {
		t.Fatal(err)
	}
	var again *notebooks.View
	err = archive.InStudy(t.Context(), path, func(w *app.Workbench, study *archive.Study) error {
		n, was, err := notebooks.Unsealed(s, files)
		if err == nil {
			n.Engine = sealedIn(w, n, was, "test")
			again, err = n.Evaluate(t.Context(), false)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	results, changed := files["results.json"], 0
	for _, at := range regexp.MustCompile(`[ \[](\d+(\.\d+)?),?\n`).FindAllSubmatchIndex(results, -1) {
		line := string(results[bytes.LastIndexByte(results[:at[2]], '\n')+1 : at[3]])
		if strings.Contains(line, `"calls"`) || strings.Contains(line, `"micros"`) {
			continue // what a cell cost is taken from the lock
		}
		forged := maps.Clone(files)
		forged["results.json"] = []byte(string(results[:at[2]]) + "9" + string(results[at[2]:]))
		n, v, err := notebooks.Unsealed(s, forged)
		if err != nil {
			continue // it cannot be read
		}
		for _, lang := range n.Document.Front.Lang {
			var page bytes.Buffer
			if err := n.WriteHTML(v, lang, &page); err != nil {
				t.Fatal(err)
			}
			forged[lang+".html"] = page.Bytes()
		}
		changed++
		if out, err := notebooks.Reseal(s, forged, again, "test", "test"); err == nil && len(out.Different) == 0 {
			t.Errorf("another number at byte %d (%s) is confirmed: %+v", at[2], line, out)
		}
		if changed%10 > 0 {
			continue
		}
		excused := s // as if the cells rested on more than the runs in it
		for _, c := range again.Cells {
			excused.Outside = append(excused.Outside, c.Name)
		}
		if out, err := notebooks.Reseal(excused, forged, again, "test", "test"); err == nil && len(out.Different) == 0 {
			t.Errorf("another number at byte %d (%s), said to rest on something else, is confirmed: %+v", at[2], line, out)
		}
		forged["results.json"] = bytes.ReplaceAll(forged["results.json"], []byte(`"state": "fresh"`), []byte(`"state": "stale"`))
		if out, err := notebooks.Reseal(s, forged, again, "test", "test"); err == nil && len(out.Different) == 0 {
			t.Errorf("another number at byte %d (%s), said to be out of date, is confirmed: %+v", at[2], line, out)
		}
	}
	if changed < 100 {
		t.Errorf("only %d numbers were changed", changed)
	}
}
