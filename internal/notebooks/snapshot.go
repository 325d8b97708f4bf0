package notebooks

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/sealed"
)

// snapshotFolder holds the notebook in a sealed file; beside it lie the files of a study, as `workbench export` writes them.
const snapshotFolder = "notebook/"

// Snapshot says what a sealed notebook holds.
type Snapshot struct {
	Notebook  string // name of its file
	CreatedAt string // RFC 3339
	Params    map[string]any
	Verdict   string
	Runs      []string // ids of the runs that its study holds
	Outside   []string // cells that rest on more than these runs
	Digest    string   // of its manifest, where it was just written
}

// snapshotManifest is the manifest of a sealed notebook: what a study says, and what the notebook was. In format 1 the study had a
// manifest of its own, and the rest stood in [sealed.NotebookName].
type snapshotManifest struct {
	sealed.Head
	Runs     []snapshotRun  `json:"runs"`
	Rows     map[string]int `json:"rows"`
	Notebook sealedNotebook `json:"notebook"`
}

type snapshotRun struct {
	ID    string `json:"run_id"`
	Kind  string `json:"kind"`
	State string `json:"state"`
	Chain string `json:"chain,omitempty"`
}

type sealedNotebook struct {
	Name    string         `json:"name"`
	Params  map[string]any `json:"params,omitempty"`
	Verdict string         `json:"verdict,omitempty"`
	Outside []string       `json:"outside,omitempty"` // cells that rest on more than the runs in it
}

// SnapshotPath is where a snapshot of this day lies: name.2026-11-20.ragsnap beside the notebook.
func SnapshotPath(notebook string, at time.Time) string {
	return strings.TrimSuffix(strings.TrimSuffix(notebook, ".md"), ".rag") + "." + at.Format(time.DateOnly) + ".ragsnap"
}

// WriteSnapshot seals document, lock, results and reading mode in the notebook's languages together with the study of its runs: one zip
// file that opens without this program and is itself a study, so that `workbench verify` computes its results again and
// `workbench import` reads it. An existing file is a Conflict unless force.
func (n *Notebook) WriteSnapshot(ctx context.Context, v *View, path string, force bool) (s Snapshot, err error) {
	if _, err := os.Stat(path); err == nil && !force {
		return s, problem.New(problem.Conflict, "file_exists", "%s exists already", path).WithHint("choose another name, or --force")
	}
	s = Snapshot{Notebook: filepath.Base(n.Path), Params: n.Params, Verdict: v.Verdict(), Runs: n.restsOn(v)}
	lock, err := n.Lock.Bytes()
	if err != nil {
		return s, err
	}
	files := map[string][]byte{"notebook.rag.md": n.Document.Bytes(), lockPart: lock}
	said, err := n.sealedRemarks()
	if err != nil {
		return s, err
	}
	if said != nil {
		files[remarksName] = said
	}
	m := snapshotManifest{Head: sealed.NewHead(sealed.Notebook, "", n.Now()), Runs: []snapshotRun{}, Rows: map[string]int{},
		Notebook: sealedNotebook{s.Notebook, s.Params, s.Verdict, nil}}
	study, v, outside, err := n.studyOf(ctx, v, s.Runs)
	if err != nil {
		return s, err
	}
	s.Outside, s.Verdict = outside, v.Verdict()
	m.Notebook.Outside, m.Notebook.Verdict = s.Outside, s.Verdict
	if files[resultsPart], err = json.MarshalIndent(v, "", "  "); err != nil {
		return s, err
	}
	if study != nil {
		defer func() { _ = study.Close() }() // it was only read
		if err := study.Decode(&m); err != nil {
			return s, err
		}
		m.Kind, m.Files = sealed.Notebook, map[string]sealed.Digest{} // its time and version are those of the reports in it
	}
	s.CreatedAt = m.CreatedAt.Format(time.RFC3339)
	if err := addPages(s, files); err != nil {
		return s, err
	}
	var out bytes.Buffer
	z := sealed.NewWriter(&out, &m.Head, flate.DefaultCompression)
	for _, name := range document.SortedKeys(files) {
		if err := z.Put(snapshotFolder+name, files[name]); err != nil {
			return s, err
		}
	}
	if study != nil {
		if err := z.Copy(study); err != nil {
			return s, err
		}
	}
	if err := z.Close(m); err != nil {
		return s, err
	}
	s.Digest = z.ManifestDigest()
	return s, WriteFile(path, out.Bytes())
}

// restsOn lists the runs of the notebook, and those that it compares them with.
func (n *Notebook) restsOn(v *View) []string {
	out := n.RunIDs()
	for _, c := range v.Cells {
		if x, ok := c.Value.(document.Comparison); ok {
			for _, id := range []string{x.Baseline.ID, x.Candidate.ID} {
				if id != "" && !slices.Contains(out, id) {
					out = append(out, id)
				}
			}
		}
	}
	return out
}

// addPages renders the pages of a snapshot from what it holds besides, so that whoever has it can render them again.
func addPages(s Snapshot, files map[string][]byte) error {
	n, v, err := Unsealed(s, files)
	if err != nil {
		return err
	}
	pages, err := n.pages(v)
	for name, page := range pages {
		files[name] = page
	}
	return err
}

// studyOf exports the study of runs, nil without any, and gives the results that these runs give. The file is open and has no name any
// more.
func (n *Notebook) studyOf(ctx context.Context, v *View, runs []string) (study *sealed.File, own *View, outside []string, err error) {
	if len(runs) == 0 {
		return nil, v, nil, nil
	}
	dir, err := os.MkdirTemp("", "workbench-snapshot")
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a left-over scratch folder harms nobody
	path := filepath.Join(dir, "study.zip")
	if err := n.Engine.Export(ctx, path, runs); err != nil {
		return nil, nil, nil, err
	}
	if own, outside, err = n.ofItself(ctx, path, v); err != nil {
		return nil, nil, nil, err
	}
	study, err = sealed.Open(path, mostSnapshotBytes, brokenSnapshot(path), sealed.Study)
	return study, own, outside, err
}

// mostSnapshotBytes bounds what a snapshot may unpack to, and mostPartBytes what a file of its notebook may.
const (
	mostSnapshotBytes = 16 << 30
	mostPartBytes     = 1 << 30
)

// brokenSnapshot says what is wrong with a file that should be a snapshot.
func brokenSnapshot(path string) sealed.Complaint {
	return func(format string, args ...any) *problem.Problem {
		return problem.New(problem.Invalid, "snapshot_broken", "%s: "+format, append([]any{path}, args...)...).
			WithHint("ask for the file again: it is not as it was sealed")
	}
}

// OpenSnapshot reads what a snapshot holds and checks the files of its notebook against their digests; those of the study are for
// `workbench verify` to check. A file that was changed is a Problem. The caller may read the parts with results.
func OpenSnapshot(path string) (s Snapshot, files map[string][]byte, err error) {
	f, err := sealed.Open(path, mostSnapshotBytes, brokenSnapshot(path), sealed.Notebook)
	if err != nil {
		return s, nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return SnapshotOf(f)
}

// stated is what the manifest of a sealed notebook says.
func stated(f *sealed.File) (s Snapshot, err error) {
	s.CreatedAt = f.Head.CreatedAt.Format(time.RFC3339)
	if f.Head.Format == 1 {
		var old struct {
			Notebook string         `json:"notebook"`
			Params   map[string]any `json:"params"`
			Verdict  string         `json:"verdict"`
			Runs     []string       `json:"runs"`
		}
		err = f.Decode(&old)
		s.Notebook, s.Params, s.Verdict, s.Runs = old.Notebook, old.Params, old.Verdict, old.Runs
		return s, err
	}
	var m snapshotManifest
	err = f.Decode(&m)
	s.Notebook, s.Params, s.Verdict, s.Outside = m.Notebook.Name, m.Notebook.Params, m.Notebook.Verdict, m.Notebook.Outside
	for _, run := range m.Runs {
		s.Runs = append(s.Runs, run.ID)
	}
	return s, err
}

// Unsealed is the notebook of a snapshot with the results that it was sealed with, for reading: it has no engine and is neither
// evaluated nor run. files are those of [OpenSnapshot].
func Unsealed(s Snapshot, files map[string][]byte) (*Notebook, *View, error) {
	broken := func(err error) (*Notebook, *View, error) {
		return nil, nil, problem.New(problem.Invalid, "snapshot_broken", "the snapshot of %s cannot be read", s.Notebook).Because(err)
	}
	lock, err := ParseLock(lockPart, files[lockPart])
	if err != nil {
		return broken(err)
	}
	at, err := time.Parse(time.RFC3339, s.CreatedAt)
	if err != nil {
		return broken(err)
	}
	n := Draft(s.Notebook, strings.TrimSuffix(s.Notebook, ".rag.md"), files["notebook.rag.md"], lock, nil, func() time.Time { return at })
	if n.Params = s.Params; len(n.Params) > 0 {
		n.fillIn()
	}
	if n.Comments, err = unsealRemarks(files[remarksName]); err != nil {
		return broken(err)
	}
	var sealed struct {
		Cells []struct {
			CellView
			Value json.RawMessage `json:"value"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(files[resultsPart], &sealed); err != nil {
		return broken(err)
	}
	v := &View{}
	for _, c := range sealed.Cells {
		if c.CellView.Value, err = sealedValue(c.Type, c.Value); err != nil {
			return broken(err)
		}
		v.Cells = append(v.Cells, c.CellView)
	}
	cells := n.Document.Cells()
	if len(cells) != len(v.Cells) {
		return broken(fmt.Errorf("%d cells have %d results", len(cells), len(v.Cells)))
	}
	for i, c := range cells {
		if v.Cells[i].Name != c.Name || v.Cells[i].Type != c.Type {
			return broken(fmt.Errorf("the result of cell %s is that of %s", c.Name, v.Cells[i].Name))
		}
	}
	return n, v, nil
}

// sealedValue gives a value its type back.
func sealedValue(cellType string, raw json.RawMessage) (any, error) {
	schema, _ := document.SchemaOf(cellType)
	t, ok := document.Published[schema.Publishes]
	if len(raw) == 0 {
		return nil, nil //nolint:nilnil // the cell had no value
	}
	if !ok {
		var out map[string]any
		return out, json.Unmarshal(raw, &out)
	}
	out := reflect.New(t)
	if err := json.Unmarshal(raw, out.Interface()); err != nil {
		return nil, err
	}
	return out.Elem().Interface(), nil
}
