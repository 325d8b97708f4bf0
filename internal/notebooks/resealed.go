package notebooks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/sealed"
)

// Resealed says how the results and pages of a snapshot stand to what its own runs and its own text give.
type Resealed struct {
	Cells      int      // of the notebook
	Recomputed int      // that give the result again that was sealed
	Pages      int      // that follow from the sealed results, byte by byte
	Different  []string // what does not
	NotChecked []string // cells and pages that nothing could be computed for, with the reason
}

// fixedParts are the files of a snapshot's notebook by what they are but for its pages: the text, the lock, the results, comments.
var fixedParts = []string{"notebook.rag.md", lockPart, resultsPart, remarksName}

const (
	lockPart    = "notebook.rag.lock.yaml"
	resultsPart = "results.json"
)

// pages are the pages of a notebook in its languages, by the name of their file in a snapshot.
func (n *Notebook) pages(v *View) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, lang := range n.Document.Front.Lang {
		var html bytes.Buffer
		if err := n.WriteHTML(v, lang, &html); err != nil {
			return nil, err
		}
		out[lang+".html"] = html.Bytes()
	}
	return out, nil
}

// SnapshotOf reads what an open snapshot holds, as [OpenSnapshot] does.
func SnapshotOf(f *sealed.File) (s Snapshot, files map[string][]byte, err error) {
	if s, err = stated(f); err != nil {
		return s, nil, err
	}
	files = map[string][]byte{}
	for _, name := range document.SortedKeys(f.Head.Files) {
		part, ok := strings.CutPrefix(name, snapshotFolder)
		if !ok && name != sealed.ManifestName { // format 1 sealed the study's manifest too
			continue
		}
		if files[part], err = f.Read(name, mostPartBytes); err != nil {
			return s, nil, err
		}
	}
	return s, files, nil
}

// PartNames are the files of a snapshot that belong to its notebook, as [sealed.File] names them.
func PartNames(files map[string][]byte) []string {
	var out []string
	for _, name := range document.SortedKeys(files) {
		out = append(out, snapshotFolder+name)
	}
	return out
}

// Replayer is an engine that can evaluate a notebook on nothing but the rows of a study. was are its results where it was written: what its
// datasets and corpora were found as.
type Replayer interface {
	Again(ctx context.Context, study string, n *Notebook, was *View) (*View, error)
}

// ofItself gives the results that a snapshot is sealed with: those that its own runs give, as the reports beside them do. outside are the
// cells that rest on more than that, and are sealed as they stand: on a pinned baseline, another run, or what was learnt of other runs.
func (n *Notebook) ofItself(ctx context.Context, study string, v *View) (out *View, outside []string, err error) {
	replays, ok := n.Engine.(Replayer)
	if !ok {
		return v, nil, nil
	}
	again, err := replays.Again(ctx, study, n, v)
	if err != nil {
		return nil, nil, err
	}
	out = &View{}
	for _, c := range v.Cells {
		now := again.Cell(c.Name)
		if now == nil || now.State != c.State {
			out.Cells, outside = append(out.Cells, c), append(outside, c.Name)
			continue
		}
		now.Spend, now.Price, now.Error, now.More = c.Spend, c.Price, c.Error, c.More
		out.Cells = append(out.Cells, *now)
	}
	return out, outside, nil
}

// Reseal compares what a snapshot was sealed with to what was computed of its runs again, and renders its pages again from the sealed
// results. written is the version of the program that wrote it and running the one that looks: another version may word a page otherwise.
// What failed on one of the two machines says nothing. A cell that is said to rest on more than the runs in the snapshot did not come to
// the same end when it was sealed; one that does so now was not sealed like that.
func Reseal(s Snapshot, files map[string][]byte, again *View, written, running string) (Resealed, error) {
	out := Resealed{Different: []string{}, NotChecked: []string{}}
	n, was, err := Unsealed(s, files)
	if err != nil {
		return out, err
	}
	same := sealed.SameProgram(written, running)
	for _, c := range was.Cells {
		out.Cells++
		now := again.Cell(c.Name)
		switch why := changedCell(c, now); {
		case why == "":
			out.Recomputed++
		case now == nil || !same || failed(c.State) || failed(now.State) || slices.Contains(s.Outside, c.Name) && now.State != c.State:
			out.NotChecked = append(out.NotChecked, fmt.Sprintf("cell %s: %s", c.Name, why))
		default:
			out.Different = append(out.Different, fmt.Sprintf("cell %s: %s", c.Name, why))
		}
	}
	if verdict := was.Verdict(); verdict != s.Verdict {
		out.Different = append(out.Different, fmt.Sprintf("the manifest says %q of its gates, and the sealed results %q", s.Verdict, verdict))
	}
	pages, err := n.pages(was)
	if err != nil {
		return out, err
	}
	for _, name := range document.SortedKeys(files) {
		page, one := pages[name]
		switch {
		case slices.Contains(fixedParts, name) || name == sealed.ManifestName && !same:
		case !one:
			out.Different = append(out.Different, snapshotFolder+name+": no snapshot of this notebook has such a file")
		case bytes.Equal(page, files[name]):
			out.Pages++
		case !same:
			out.NotChecked = append(out.NotChecked, fmt.Sprintf("%s: version %s wrote it, and this is version %s", snapshotFolder+name,
				written, running))
		default:
			out.Different = append(out.Different, snapshotFolder+name+": it is not what the sealed results give")
		}
	}
	for _, name := range document.SortedKeys(pages) {
		if files[name] == nil {
			out.Different = append(out.Different, snapshotFolder+name+": it is missing")
		}
	}
	return out, nil
}

// failed reports whether a cell has no result because it, or what it needs, could not be computed.
func failed(s State) bool { return s == Errored || s == Blocked }

// changedCell says how the sealed result of a cell and the one that was computed again differ; "" where they do not.
func changedCell(was CellView, now *CellView) string {
	switch {
	case now == nil:
		return "it could not be computed again"
	case was.State != now.State:
		why := fmt.Sprintf("it was sealed as %s, and is %s", was.State, now.State)
		if len(now.Why) > 0 {
			why += ": " + strings.Join(now.Why, "; ")
		}
		if now.Error != nil {
			why += ": " + now.Error.Message
		}
		return why
	case !bytes.Equal(resultOf(was), resultOf(*now)):
		return "its result is not what its runs give"
	}
	return ""
}

// resultOf is what a cell says of its runs, as a snapshot keeps it: what it cost is in the lock.
func resultOf(c CellView) []byte {
	c.Price, c.Error, c.More, c.Spend = nil, nil, nil, Spend{}
	body, err := json.Marshal(c)
	if err != nil {
		panic("a result is not JSON: " + err.Error()) // it was read from JSON, or is a value made for it
	}
	var plain any
	if err := json.Unmarshal(body, &plain); err != nil {
		panic("a result is not JSON: " + err.Error())
	}
	body, _ = json.Marshal(plain)
	return body
}
