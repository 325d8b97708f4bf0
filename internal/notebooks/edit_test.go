package notebooks

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/templates"
	"github.com/rag-workbench/workbench/internal/problem"
)

const commented = "---\nragnb: 1\ntitle: Commented   # said once\n---\n```rag params p\nk: 4      # contexts\n```\n```rag corpus docs\nsource: manual\n```\n" +
	"```rag config base\n# what is in production\ncorpus: docs\nretrieve: {mode: dense, k: ${p.k}}   # 'k' # from above\n\n# the writer\ngenerate:\n  provider: offline   # no key\n  model: extractive\n# the end\n```\n"

// TestAFormChangesOnlyItsFields sends one field after the other through the form, and looks at every line.
func TestAFormChangesOnlyItsFields(t *testing.T) {
	t.Parallel()
	d, wrong := document.Read("t", []byte(commented))
	if len(wrong) > 0 {
		t.Fatal(wrong[0])
	}
	for name, c := range map[string]struct {
		changes map[string]any
		old     string
		with    string
	}{
		"nothing": {map[string]any{"corpus": "docs", "retrieve": map[string]any{"k": "${p.k}", "mode": "dense"}}, "", ""},
		"a value of one line": {map[string]any{"retrieve": map[string]any{"k": 6, "mode": "bm25"}}, "{mode: dense, k: ${p.k}}",
			"{mode: bm25, k: 6}"},
		"a block": {map[string]any{"generate": map[string]any{"provider": "offline", "model": "terse"}},
			"generate:\n  provider: offline   # no key\n  model: extractive\n", "generate: {provider: offline, model: terse}\n"},
		"a field goes": {map[string]any{"retrieve": nil}, "retrieve: {mode: dense, k: ${p.k}}   # 'k' # from above\n", ""},
		"a field comes": {map[string]any{"chunk": map[string]any{"overlap": 200.0, "size": 800.0, "by": "chars"}}, "# the end\n",
			"# the end\nchunk: {by: chars, size: 800, overlap: 200}\n"},
		"one that was not there": {map[string]any{"chunk": nil}, "", ""},
		"a parameter in a text":  {map[string]any{"endpoint": "bot-${p.k}"}, "# the end\n", "# the end\nendpoint: bot-${p.k}\n"},
		"texts that look else": {map[string]any{"endpoint": "007", "answers": "yes"}, "# the end\n",
			"# the end\nendpoint: \"007\"\nanswers: \"yes\"\n"},
	} {
		out, wrong, err := d.WithFields("base", c.changes)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(strings.Replace(commented, c.old, c.with, 1), string(out.Bytes())); diff != "" {
			t.Errorf("%s (%v): %s", name, wrong, diff)
		}
	}
	out, _, err := d.WithFront(map[string]any{"title": map[string]any{"en": "New", "ja": "新しい"}, "lang": []any{"ja"}})
	if err != nil || !strings.HasPrefix(string(out.Bytes()), "---\nragnb: 1\ntitle: {en: New, ja: 新しい}   # said once\nlang: [ja]\n---\n") ||
		out.Front.Title.JA != "新しい" {
		t.Errorf("%v\n%s", err, out.Bytes())
	}
	crlf, _ := document.Read("t", []byte(strings.ReplaceAll(commented, "\n", "\r\n")))
	out, _, err = crlf.WithFields("base", map[string]any{"generate": map[string]any{"prompt": "One\nTwo\n"}, "rerank": "none"})
	if err != nil || strings.Count(string(out.Bytes()), "\n") != strings.Count(string(out.Bytes()), "\r\n") {
		t.Errorf("line ends were mixed: %v %q", err, out.Bytes())
	}
}

// TestAFormCanSayAnything writes values of all kinds and reads them back as they were.
func TestAFormCanSayAnything(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	pieces := []string{"a", "Z9", " ", "\n", "\n\n", "#", " #", ": ", "- ", "'", "\"", "\\", "{", "}", "[", "]", ",", "```", "|", "日本語",
		"%", "@", "`", "\t", "\u2028", "&x", "*y", "!z", "~", "---", "null", "0x1f", "1e3", "true", "2027-03-31", "\r"}
	value := func() any {
		var text strings.Builder
		for range random.IntN(6) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		s := text.String()
		switch random.IntN(6) {
		case 0:
			return random.Float64() * 100
		case 1:
			return random.IntN(2) == 0
		case 2:
			return []any{s, 3.0, "x", map[string]any{"metric": s, "target": 0.05}}
		case 3:
			return map[string]any{"size": 3.0, s + "k": s, "deep": map[string]any{"prompt": s, "list": []any{s}}}
		}
		return s
	}
	for range 3000 {
		d, _ := document.Read("t", []byte(commented))
		name := []string{"corpus", "generate", "chunk", "title"}[random.IntN(4)]
		want := value()
		out, _, err := d.WithFields("base", map[string]any{name: want})
		if err != nil {
			t.Fatalf("%#v: %v", want, err)
		}
		fields, ok := out.Cell("base").Fields()
		if !ok || !reflect.DeepEqual(fields[name], want) && !(want == nil && fields[name] == nil) {
			t.Fatalf("%#v came back as %#v (%v) from\n%s", want, fields[name], ok, out.Cell("base").Body)
		}
		for other, old := range map[string]any{"corpus": "docs", "retrieve": map[string]any{"mode": "dense", "k": "${p.k}"}} {
			if other != name && !reflect.DeepEqual(fields[other], old) {
				t.Fatalf("%s changed to %#v", other, fields[other])
			}
		}
	}
}

// TestRenamingTakesTheReferencesAlong renames every cell of every notebook of the gallery and back.
func TestRenamingTakesTheReferencesAlong(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"small": small, "shown": shownText}
	for _, name := range templates.Gallery() {
		body, err := templates.FromGallery(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(body)
	}
	for name, s := range texts {
		d, _ := document.Read(name, []byte(s))
		for _, c := range d.Cells() {
			out, wrong, err := d.Rename(c.Name, "another_名前")
			if err != nil || len(wrong) > 0 {
				t.Errorf("%s: %s: %v %v", name, c.Name, err, wrong)
				continue
			}
			back, _, err := out.Rename("another_名前", c.Name)
			if err != nil || string(back.Bytes()) != s {
				t.Errorf("%s: %s and back: %v\n%s", name, c.Name, err, cmp.Diff(s, string(back.Bytes())))
			}
		}
	}
	d, _ := document.Read("t", []byte(small))
	for name, code := range map[string]string{"r1": "cell_twice", "9": "cell_name", "a b": "cell_name", "pinned": "cell_name",
		"a.b": "cell_name"} {
		if _, _, err := d.Rename("r0", name); problem.CodeOf(err) != code {
			t.Errorf("r0 to %q: %v, want %s", name, err, code)
		}
	}
}

// TestCellsComeAndGo inserts a cell of every type everywhere and takes it out again.
func TestCellsComeAndGo(t *testing.T) {
	t.Parallel()
	for _, s := range []string{small, strings.ReplaceAll(small, "\n", "\r\n"), commented, "", "text"} {
		d, _ := document.Read("t", []byte(s))
		for _, schema := range document.Schemas() {
			for at := range len(d.Blocks) + 1 {
				out, name, _, err := d.InsertCell(at, schema.Type, "", document.Starter(schema.Type, d))
				if err != nil || len(out.Cells()) != len(d.Cells())+1 {
					t.Fatalf("%s at %d: %v", schema.Type, at, err)
				}
				if _, ok := out.Cell(name).Fields(); !ok {
					t.Errorf("the starter of %s cannot be read: %q", schema.Type, out.Cell(name).Body)
				}
				back, _, err := out.Remove(name)
				if err != nil || strings.Join(strings.Fields(string(back.Bytes())), " ") != strings.Join(strings.Fields(s), " ") {
					t.Fatalf("%s at %d: %v\n%s", schema.Type, at, err, back.Bytes())
				}
			}
		}
	}
	d, _ := document.Read("t", []byte(small))
	out, name, wrong, err := d.InsertCell(99, "run", "r1", "configs: base\ndataset: qa")
	if err != nil || name != "r12" || len(wrong) > 0 ||
		!strings.HasSuffix(string(out.Bytes()), "\n\n```rag run r12\nconfigs: base\ndataset: qa\n```\n") {
		t.Errorf("%s %v %v\n%s", name, wrong, err, out.Bytes())
	}
	if _, _, _, err := d.InsertCell(2, "runn", "", ""); problem.CodeOf(err) != "cell_type" {
		t.Error(err)
	}
}

// TestMovingPassesEmptyLines moves a cell over the empty line that stands between it and its neighbour.
func TestMovingPassesEmptyLines(t *testing.T) {
	t.Parallel()
	s := "---\nragnb: 1\n---\n\n```rag note a\n```\n\n```rag note b\n```\n\ntext\n\n```rag note c\n```\n"
	d, _ := document.Read("t", []byte(s))
	out, _, err := d.Move("b", false)
	want := "---\nragnb: 1\n---\n\n```rag note b\n```\n\n```rag note a\n```\n\ntext\n\n```rag note c\n```\n"
	if err != nil || string(out.Bytes()) != want {
		t.Errorf("%v\n%s", err, out.Bytes())
	}
	if back, _, err := out.Move("b", true); err != nil || string(back.Bytes()) != s {
		t.Errorf("%v\n%s", err, back.Bytes())
	}
	if same, _, err := d.Move("a", false); err != nil || string(same.Bytes()) != s {
		t.Errorf("above the first cell is the front matter: %v\n%s", err, same.Bytes())
	}
}
