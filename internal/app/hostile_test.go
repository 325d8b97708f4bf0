package app_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// maxHostileMiB is how much the heap may grow while one hostile input is read, garbage included.
const maxHostileMiB = 600

// hostileInput is one broken or malicious input and what must become of it.
type hostileInput struct {
	name  string
	file  string                   // what is given to the reader, below the folder of the input; "." is the folder
	files func() map[string][]byte // made when needed, because some are large
	set   func(t *testing.T, dir string)
	as    string // imported as: "corpus", "dataset" (with the corpus of the world), "dataset alone", "definition"
	named string // the name asked for; "" takes one that is fine
	code  string // of the refusal, or "" when the input is taken
	says  string // part of the refusal, or of the notes
	items int    // documents or questions taken
	holds string // a part of what was taken
}

// dearInputs are read by make test-full only, each with the input that meets the same bound on every run.
var dearInputs = map[string]string{
	"corpus document with 60 MiB of text":                 "the part of 66 MiB",
	"corpus 1.2 million shared texts":                     "the dataset of 1.2 million shared texts",
	"corpus sheet with 300,000 rows":                      "the sheet whose few rows are wide",
	"corpus .xlsx bomb of 300 MiB":                        "the .docx bomb",
	"corpus .pptx bomb of 300 MiB":                        "the .docx bomb",
	"dataset workbook bomb of 300 MiB":                    "the .docx bomb",
	"corpus .xlsx bomb of 200 MiB in a part nobody reads": "the same in a .docx",
	"corpus .pptx bomb of 200 MiB in a part nobody reads": "the same in a .docx",
	"dataset workbook with 5 million parts":               "the .xlsx with a million parts",
}

// turns are inputs that take seconds: with WORKBENCH_TURN each is read in one turn of five.
var turns = map[string]int{
	"dataset 1.2 million shared texts":                    0,
	"corpus sheet whose few rows are 16,384 columns wide": 1,
	"corpus presentation that shows a slide 10,000 times": 1,
	"dataset cell in the last row":                        2,
	"dataset cell of 32 MiB":                              3,
	"corpus 32 MiB on one line":                           4,
}

// waits says whether an input has its turn on another commit, and in a whole run.
func (in hostileInput) waits() bool {
	of, sometimes := turns[in.as+" "+in.name]
	turn, err := strconv.Atoi(os.Getenv("WORKBENCH_TURN"))
	return sometimes && err == nil && turn%5 != of
}

// imported is what became of an input.
type imported struct {
	items int
	notes []string
	text  string // of all documents or questions
}

// TestHostileInputs runs every hostile input through the use cases. It does not run beside other tests, because it measures
// memory. With -v it prints what happened as a Markdown table, which also goes to the file WORKBENCH_HOSTILE_TABLE.
func TestHostileInputs(t *testing.T) {
	switch {
	case underRace:
		t.Skip("the race detector needs several times the memory that is measured here")
	case testing.Short():
		t.Skip("makes and reads some gigabytes")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // garbage counts as it does where the program runs
	w := apptest.NewWorld(t, "")
	scratch := t.TempDir()
	t.Setenv("TMPDIR", scratch) // large sheets go through temporary files there
	inputs := slices.Concat(hostileTexts(), hostileFolders(), hostileDocuments(), hostilePDFs(), hostileSheets(), hostileJSON(),
		hostileEvidence(), hostileDefinitions())
	var table strings.Builder
	table.WriteString("| input | as | outcome | message | MiB |\n|---|---|---|---|---:|\n")
	worst, gone := 0.0, maps.Clone(turns)
	for i, in := range inputs {
		delete(gone, in.as+" "+in.name)
		t.Run(in.as+" "+in.name, func(t *testing.T) {
			if other, dear := dearInputs[in.as+" "+in.name]; dear && os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
				t.Skipf("takes seconds, and %s meets the same bound: set WORKBENCH_SLOW_TESTS=1", other)
			}
			if in.waits() {
				t.Skip("takes seconds, and has its turn on other commits: unset WORKBENCH_TURN")
			}
			dir := filepath.Join(t.TempDir(), "input")
			in.write(t, dir)
			before := shelf(w, t)
			var got imported
			var err error
			grown := heapGrowth(func() { got, err = take(w, t, in, filepath.Join(dir, in.file), fmt.Sprintf("hostile-%d", i)) })
			in.check(t, got, err)
			if after := shelf(w, t); err != nil && !cmp.Equal(before, after) {
				t.Errorf("a refused input changed the store:\n%s", cmp.Diff(before, after))
			}
			if worst = max(worst, grown); grown > maxHostileMiB {
				t.Errorf("the heap grew by %.0f MiB", grown)
			}
			fmt.Fprintf(&table, "| %s | %s | %s | %.0f |\n", in.name, in.as, outcome(got, err), grown)
		})
	}
	if len(gone) > 0 {
		t.Errorf("no inputs, though they have a turn: %v", gone)
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("temporary files were left behind: %v, %v", left, err)
	}
	fmt.Fprintf(&table, "\n%d inputs; the heap grew by at most %.0f MiB.\n", len(inputs), worst)
	if testing.Verbose() {
		fmt.Print(table.String())
	}
	if file := os.Getenv("WORKBENCH_HOSTILE_TABLE"); file != "" {
		if err := os.WriteFile(file, []byte(table.String()), 0o600); err != nil {
			t.Error(err)
		}
	}
}

func (in hostileInput) write(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if in.files != nil {
		for name, raw := range in.files() {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, raw, 0o600); err != nil {
				t.Skipf("this file system has no such file: %v", err)
			}
		}
	}
	if in.set != nil {
		in.set(t, dir)
	}
}

// take imports an input as people would.
func take(w *apptest.World, t *testing.T, in hostileInput, path, name string) (imported, error) {
	t.Helper()
	if in.named != "" {
		name = in.named
	}
	switch in.as {
	case "corpus":
		done, err := w.ImportCorpus(t.Context(), path, name, false)
		if err != nil {
			return imported{}, err
		}
		corpus, err := w.Store.Corpus(t.Context(), done.String())
		if err != nil {
			return imported{}, err
		}
		var all strings.Builder
		for _, d := range corpus.Documents {
			fmt.Fprintf(&all, "%s\n%s\n", d.ID, d.Text[:min(len(d.Text), 1000)])
		}
		return imported{done.Items, append(text.InEnglish(done.Notes), leftOut(done)...), all.String()}, nil
	case "definition":
		d, err := experiments.ReadDefinition(path)
		return imported{items: 1, text: d.Name}, err
	}
	corpus := "rules"
	if in.as == "dataset alone" {
		corpus = ""
	}
	done, _, err := w.ImportDataset(t.Context(), path, name, corpus, nil)
	if err != nil {
		return imported{}, err
	}
	dataset, err := w.Store.Dataset(t.Context(), done.String())
	if err != nil {
		return imported{}, err
	}
	var all strings.Builder
	for _, q := range dataset.Questions {
		fmt.Fprintf(&all, "%s: %s = %s %s %v\n", q.ID, q.Text[:min(len(q.Text), 1000)], q.Reference[:min(len(q.Reference), 1000)],
			q.Tags, q.Metadata)
	}
	return imported{done.Items, append(text.InEnglish(done.Notes), leftOut(done)...), all.String()}, nil
}

// shelf is what the store lists.
func shelf(w *apptest.World, t *testing.T) [2][]experiments.Listing {
	t.Helper()
	corpora, err := w.Store.Corpora(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	datasets, err := w.Store.Datasets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return [2][]experiments.Listing{corpora, datasets}
}

func (in hostileInput) check(t *testing.T, got imported, err error) {
	t.Helper()
	if in.code == "" {
		notes := strings.Join(got.notes, "\n")
		switch {
		case err != nil:
			t.Errorf("refused: %v", err)
		case got.items != in.items || !strings.Contains(notes, in.says) || !strings.Contains(got.text, in.holds):
			t.Errorf("%d items, notes %q, text %.300q; want %d, a note with %q and a text with %q", got.items, got.notes, got.text,
				in.items, in.says, in.holds)
		}
		return
	}
	p := problem.From(err)
	switch {
	case err == nil:
		t.Errorf("taken: %d items, notes %q, text %.300q", got.items, got.notes, got.text)
	case p.Code != in.code || p.Kind != problem.Invalid && p.Kind != problem.NotFound && p.Kind != problem.Unavailable:
		t.Errorf("%s (%s): %v; want %s", p.Code, p.Kind, err, in.code)
	case p.Hint == "" || len(p.Error()) > 2000:
		t.Errorf("no hint, or too long a message: %.3000q", p.Error())
	case !strings.Contains(p.Message, in.says):
		t.Errorf("the message %q does not say %q", p.Message, in.says)
	case in.named == "" && in.file != "." && !strings.Contains(p.Message, filepath.Base(in.file)):
		t.Errorf("the message %q does not name the file %s", p.Message, in.file)
	}
}

// outcome is two cells of the table.
func outcome(got imported, err error) string {
	cell := func(s string) string {
		s = strings.Map(func(r rune) rune {
			if r < ' ' || r == '\u202e' {
				return ' '
			}
			return r
		}, strings.ReplaceAll(s, "|", `\|`))
		if at := strings.Index(s, os.TempDir()); at >= 0 { // the same table on every machine
			s = s[:at] + "…/" + s[strings.LastIndexByte(s[:at+strings.IndexByte(s[at:]+" ", ' ')], '/')+1:]
		}
		if runes := []rune(s); len(runes) > 200 {
			s = string(runes[:200]) + "…"
		}
		return s
	}
	if err != nil {
		return "refused: `" + problem.CodeOf(err) + "` | " + cell(problem.From(err).Message)
	}
	notes := strings.Join(got.notes, "; ")
	if notes == "" {
		notes = "–"
	}
	return fmt.Sprintf("taken: %d | %s", got.items, cell(notes))
}

// heapGrowth is by how many MiB the heap was larger at some moment of work than before it. To look at it stops nothing.
func heapGrowth(work func()) float64 {
	heap := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	before := heap()
	peak, stop, stopped := before, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				peak = max(peak, heap())
			case <-stop:
				return
			}
		}
	}()
	work()
	close(stop)
	<-stopped
	return float64(max(peak, heap())-before) / (1 << 20)
}

// one is a folder with one file.
func one(name string, raw []byte) func() map[string][]byte {
	return func() map[string][]byte { return map[string][]byte{name: raw} }
}

// big is a folder with one file that is made when needed.
func big(name string, raw func() []byte) func() map[string][]byte {
	return func() map[string][]byte { return map[string][]byte{name: raw()} }
}

// repeated is made of the same piece until it has n bytes.
func repeated(piece string, n int) []byte { return bytes.Repeat([]byte(piece), n/len(piece)) }

// leftOut names the files that an import could not read, with the reason.
func leftOut(i app.Imported) []string {
	var list []string
	for _, l := range i.LeftOut {
		list = append(list, l.File+": "+l.Message)
	}
	return list
}
