package notebooks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// State is where a cell stands.
type State string

// The states of a cell.
const (
	Fresh   State = "fresh"
	Stale   State = "stale"   // what it rests on changed, or it was never run; Why says what
	Blocked State = "blocked" // something it needs has no value
	Queued  State = "queued"  // it will be run
	Running State = "running"
	Partial State = "partial" // it stopped; running it again goes on
	Errored State = "error"
	Pinned  State = "pinned" // its result is kept; Why says what differs
)

// States lists the states of a cell.
func States() []State {
	return []State{Fresh, Stale, Blocked, Queued, Running, Partial, Errored, Pinned}
}

// Words is the state as people read it.
func (s State) Words(lang string) string {
	if lang != "ja" {
		return string(s)
	}
	return map[State]string{
		Fresh: "最新", Stale: "要更新", Blocked: "待機", Queued: "順番待ち", Running: "実行中", Partial: "途中", Errored: "エラー", Pinned: "固定",
	}[s]
}

// CellView is what is known about one cell.
type CellView struct {
	Name    string           `json:"name"`
	Type    string           `json:"type"`
	State   State            `json:"state"`
	Why     []string         `json:"why,omitempty"`
	Reasons []Reason         `json:"reasons,omitempty"` // the same, for translation
	Value   any              `json:"value,omitempty"`   // nil without one
	Hash    string           `json:"hash,omitempty"`    // identity
	Price   *Price           `json:"price,omitempty"`   // of paid cells that are not fresh, where it can be known
	Spend   Spend            `json:"spend,omitzero"`    // of paid cells, in all
	Error   *problem.Problem `json:"error,omitempty"`
	// More is what is wrong with it besides, so that all of it can be mended at once.
	More []*problem.Problem `json:"more,omitempty"`
}

// View is what is known about all cells, in the order of the page.
type View struct {
	Cells []CellView `json:"cells"`
}

// Cell finds a cell; nil when there is none.
func (v *View) Cell(name string) *CellView {
	for i := range v.Cells {
		if v.Cells[i].Name == name {
			return &v.Cells[i]
		}
	}
	return nil
}

// Notebook is a document that can be executed.
type Notebook struct {
	Path     string
	Document *document.Document
	Lock     Lock
	Engine   Engine
	Now      func() time.Time
	Params   map[string]any     // as cell.name; in the place of the defaults
	Tell     func(CellView)     // hears of cells that begin and end; may be nil
	Wrong    []*problem.Problem // what is wrong with the document: cells named here are not computed
	// what people say about its cells, where somebody asked for it to be read with the notebook; nil otherwise
	Comments []experiments.NotebookComment
}

// Open reads a notebook and its lock. A document with mistakes is a Problem.
func Open(path string, e Engine, now func() time.Time) (*Notebook, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, text.FileMissing(path).WithHint("check the path; `workbench notebook new FILE` writes one")
	}
	if err != nil {
		return nil, problem.New(problem.NotFound, "notebook_file", "cannot read the notebook %s", path).Because(err).
			WithHint("check the path; `workbench notebook new FILE` writes one")
	}
	if info.Size() > document.MaxBytes {
		return nil, problem.New(problem.Invalid, "notebook_too_large", "%s is larger than %d MiB", path, document.MaxBytes>>20).
			With("most", document.MaxBytes>>20)
	}
	source, err := os.ReadFile(path) //nolint:gosec // the user's own file
	if err != nil {
		return nil, problem.New(problem.Invalid, "notebook_file", "cannot read the notebook %s", path).Because(err)
	}
	d, err := document.Parse(path, source)
	if err != nil {
		return nil, err
	}
	lock, err := ReadLock(LockPath(path))
	if err != nil {
		return nil, err
	}
	return &Notebook{Path: path, Document: d, Lock: lock, Engine: e, Now: now, Params: map[string]any{}}, nil
}

// Draft is a notebook of a text with whatever is wrong with it, for an editor: cells with a mistake have it as their error, those
// that need them are blocked, and the others are computed. It can be evaluated; whoever runs it must have looked at Wrong.
func Draft(path, name string, source []byte, lock Lock, e Engine, now func() time.Time) *Notebook {
	d, wrong := document.Read(name, source)
	if lock.Cells == nil {
		lock = Lock{Version: 1, Cells: map[string]Entry{}}
	}
	return &Notebook{Path: path, Document: d, Lock: lock, Engine: e, Now: now, Params: map[string]any{}, Wrong: wrong}
}

// Set gives a parameter a value as written on a command line. The name is cell.name, or name where one cell alone has it. A value
// that some cell cannot take is an error too.
func (n *Notebook) Set(name, value string) error {
	if err := n.Assign(name, value); err != nil {
		return err
	}
	if len(n.Wrong) > 0 {
		return n.Wrong[0]
	}
	return nil
}

// Assign is Set for drafts: what the value makes wrong with cells is in Wrong.
func (n *Notebook) Assign(name, value string) error {
	full, v, err := n.Document.ParamOf(name, value)
	if err != nil {
		return err
	}
	n.Params[full] = v
	n.fillIn()
	return nil
}

// fillIn reads the cells with the parameters as they are.
func (n *Notebook) fillIn() {
	r := document.Reader{Document: n.Document, Wrong: slices.Clone(n.Document.Shape)}
	r.Cells(n.Document.ParamValues(n.Params))
	n.Wrong = r.Wrong
}

// mistake is what is wrong with a cell itself; nil for one that can be computed.
func (n *Notebook) mistake(c *document.Cell) *problem.Problem {
	for _, p := range n.Wrong {
		if named := p.Params["cell"]; named == c.Name || named == nil && p.Params["line"] == c.Line {
			return p
		}
	}
	return nil
}

// Name is the file's name without endings: what is registered on the notebook's behalf begins with it.
func (n *Notebook) Name() string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(n.Path), ".md"), ".rag")
}

// own hashes what a cell says by itself: type, schema version and fields, without what only changes its looks.
func (n refreshing) own(c *document.Cell) string {
	schema, _ := document.SchemaOf(c.Type)
	fields := map[string]any{}
	for k, v := range c.Values {
		display := slices.ContainsFunc(schema.Fields, func(f document.Field) bool { return f.Name == k && f.Display })
		if !display {
			fields[k] = v
		}
	}
	return hashOf([]any{c.Type, schema.Version, fields})
}

// identity hashes a cell with what it refers to.
func (n refreshing) identity(c *document.Cell, v *View) string {
	parts := []any{n.own(c), n.Engine.Version(c.Type)}
	for _, name := range n.Document.Upstream(c) {
		used := v.Cell(name).Value
		if s, ok := used.(identified); ok {
			used = s.Identity()
		}
		parts = append(parts, name, hashOf(used))
	}
	return hashOf(parts)
}

// identified is a value of which not everything decides what cells that use it are.
type identified interface{ Identity() any }

func hashOf(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic("a cell is not JSON: " + err.Error()) // it was decoded from YAML, or is a value made for JSON
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:12])
}

// Evaluate refreshes the cells that cost nothing and says where every cell stands. With prices, paid cells that are not fresh get
// one. It buys nothing; a cell that fails has its error in the view, and only the end of ctx is returned.
func (n *Notebook) Evaluate(ctx context.Context, prices bool) (*View, error) {
	return n.walk(ctx, func(ctx context.Context, v *View, c *document.Cell, at *CellView) error {
		if !prices || at.Error != nil || at.State == Fresh || at.State == Blocked || n.refreshing().restsOnStale(c, v) {
			return nil //nolint:nilerr // the error of the cell is in the view
		}
		price, err := n.price(ctx, v, c)
		if err == nil {
			at.Price = &price
		} else if ctx.Err() == nil {
			at.State, at.Error = Errored, problem.From(err)
		}
		return ctx.Err()
	})
}

// walk refreshes every cell behind what it needs; paid is called for each cell that may cost.
func (n *Notebook) walk(ctx context.Context, paid func(context.Context, *View, *document.Cell, *CellView) error) (*View, error) {
	v := &View{}
	for _, c := range n.Document.Cells() {
		at := CellView{Name: c.Name, Type: c.Type, State: Queued}
		if at.Error = n.mistake(c); at.Error != nil {
			at.State = Errored
		}
		v.Cells = append(v.Cells, at)
	}
	for _, c := range n.order() {
		at := v.Cell(c.Name)
		n.refreshing().refresh(ctx, v, c, at)
		if err := ctx.Err(); err != nil {
			return v, err
		}
		if schema, _ := document.SchemaOf(c.Type); schema.Paid {
			if err := paid(ctx, v, c, at); err != nil {
				return v, err
			}
		}
	}
	return v, nil
}

// order is that of the document; where cells need each other, or cannot be read, it is left out that they do.
func (n *Notebook) order() []*document.Cell {
	wrong := map[string]bool{}
	for _, p := range n.Wrong {
		if name, ok := p.Params["cell"].(string); ok {
			wrong[name] = true
		}
	}
	for {
		sorted, cycle := n.Document.Order(wrong)
		if cycle == nil {
			return sorted
		}
		for _, name := range cycle {
			if wrong[name] = true; n.mistake(n.Document.Cell(name)) == nil {
				n.Wrong = append(n.Wrong, n.Document.Cycle(cycle, name))
			}
		}
	}
}

// restsOnStale reports whether something that a cell needs will change.
func (n refreshing) restsOnStale(c *document.Cell, v *View) bool { return len(n.staleNeeds(c, v)) > 0 }

func (n refreshing) staleNeeds(c *document.Cell, v *View) []string {
	var out []string
	for _, name := range n.Document.Upstream(c) {
		if s := v.Cell(name).State; s != Fresh && s != Pinned {
			out = append(out, name)
		}
	}
	return out
}

// ParamValues are the values of all parameters as cell.name.
func (n *Notebook) ParamValues() map[string]any { return n.Document.ParamValues(n.Params) }
