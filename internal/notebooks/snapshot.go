package notebooks

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

// The files of a snapshot. Beside them lie those of a study, as `workbench export` writes them.
const (
	snapshotManifest = "snapshot.json"
	snapshotFolder   = "notebook/"
	studyManifest    = "manifest.json"
)

// Snapshot is what a sealed snapshot holds, in its file snapshot.json.
type Snapshot struct {
	Format    int               `json:"format"` // 1
	Notebook  string            `json:"notebook"`
	CreatedAt string            `json:"created_at"`
	Params    map[string]any    `json:"params,omitempty"`
	Verdict   string            `json:"verdict,omitempty"`
	Runs      []string          `json:"runs"`
	Files     map[string]string `json:"files"` // name → SHA-256; of the study its manifest.json, which has the others
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
	s = Snapshot{Format: 1, Notebook: filepath.Base(n.Path), CreatedAt: n.Now().UTC().
		Format(time.RFC3339), Params: n.Params, Verdict: v.Verdict(), Runs: n.RunIDs(), Files: map[string]string{}}
	lock, err := n.Lock.Bytes()
	if err != nil {
		return s, err
	}
	results, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return s, err
	}
	files := map[string][]byte{"notebook.rag.md": n.Document.Bytes(), "notebook.rag.lock.yaml": lock, "results.json": results}
	for _, lang := range n.Document.Front.Lang {
		var html bytes.Buffer
		if err := n.WriteHTML(v, lang, &html); err != nil {
			return s, err
		}
		files[lang+".html"] = html.Bytes()
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range sortedKeys(files) {
		if err := s.add(z, snapshotFolder+name, files[name], n.Now()); err != nil {
			return s, err
		}
	}
	if len(s.Runs) > 0 {
		if err := n.addStudy(ctx, &s, z); err != nil {
			return s, err
		}
	}
	manifest, err := json.MarshalIndent(s, "", "  ")
	if err == nil {
		err = (&Snapshot{Files: map[string]string{}}).add(z, snapshotManifest, manifest, n.Now())
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = WriteFile(path, out.Bytes())
	}
	return s, err
}

// add writes one file and notes its digest.
func (s *Snapshot) add(z *zip.Writer, name string, body []byte, at time.Time) error {
	sum := sha256.Sum256(body)
	s.Files[name] = hex.EncodeToString(sum[:])
	f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at.UTC()})
	if err == nil {
		_, err = f.Write(body)
	}
	return err
}

// addStudy copies the files of the runs' study as they are.
func (n *Notebook) addStudy(ctx context.Context, s *Snapshot, z *zip.Writer) error {
	dir, err := os.MkdirTemp("", "workbench-snapshot")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a left-over scratch folder harms nobody
	path := filepath.Join(dir, "study.zip")
	if err := n.Engine.Export(ctx, path, s.Runs); err != nil {
		return err
	}
	study, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer func() { _ = study.Close() }() // it was only read
	for _, f := range study.File {
		if err := z.Copy(f); err != nil {
			return err
		}
	}
	manifest, err := readEntry(&study.Reader, studyManifest)
	sum := sha256.Sum256(manifest)
	s.Files[studyManifest] = hex.EncodeToString(sum[:])
	return err
}

// mostSnapshotBytes bounds what one file of a snapshot may unpack to.
const mostSnapshotBytes = 1 << 30

// OpenSnapshot reads what a snapshot holds and checks its files against their digests; those of the study are for `workbench verify`
// to check. A file that was changed is a Problem. The caller may read the parts with results.
func OpenSnapshot(path string) (s Snapshot, files map[string][]byte, err error) {
	broken := func(format string, args ...any) (Snapshot, map[string][]byte, error) {
		return s, nil, problem.New(problem.Invalid, "snapshot_broken", path+": "+format, args...).
			WithHint("ask for the file again: it is not as it was sealed")
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return s, nil, problem.New(problem.Invalid, "snapshot_file", "cannot read the snapshot %s", path).Because(err)
	}
	defer func() { _ = z.Close() }() // it was only read
	manifest, err := readEntry(&z.Reader, snapshotManifest)
	if err != nil || json.Unmarshal(manifest, &s) != nil || s.Format != 1 {
		return broken("its manifest cannot be read")
	}
	files = map[string][]byte{}
	for _, name := range sortedKeys(s.Files) {
		body, err := readEntry(&z.Reader, name)
		sum := sha256.Sum256(body)
		if err != nil || s.Files[name] != hex.EncodeToString(sum[:]) {
			return broken("%s was changed or is missing", name)
		}
		files[strings.TrimPrefix(name, snapshotFolder)] = body
	}
	return s, files, nil
}

// Unsealed is the notebook of a snapshot with the results that it was sealed with, for reading: it has no engine and is neither
// evaluated nor run. files are those of [OpenSnapshot].
func Unsealed(s Snapshot, files map[string][]byte) (*Notebook, *View, error) {
	broken := func(err error) (*Notebook, *View, error) {
		return nil, nil, problem.New(problem.Invalid, "snapshot_broken", "the snapshot of %s cannot be read", s.Notebook).Because(err)
	}
	lock, err := parseLock("notebook.rag.lock.yaml", files["notebook.rag.lock.yaml"])
	if err != nil {
		return broken(err)
	}
	at, err := time.Parse(time.RFC3339, s.CreatedAt)
	if err != nil {
		return broken(err)
	}
	n := Draft(s.Notebook, strings.TrimSuffix(s.Notebook, ".rag.md"), files["notebook.rag.md"], lock, nil, func() time.Time { return at })
	n.Params = s.Params
	var sealed struct {
		Cells []struct {
			CellView
			Value json.RawMessage `json:"value"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(files["results.json"], &sealed); err != nil {
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
	schema, _ := SchemaOf(cellType)
	t, ok := published[schema.Publishes]
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

func readEntry(z *zip.Reader, name string) ([]byte, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(f, mostSnapshotBytes))
}
