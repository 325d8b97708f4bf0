package validations

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/demo"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// material is what a judge is validated on.
type material struct {
	items  []validation.JudgeItem
	sets   []validation.LabelledSet
	source string
}

// materialOf reads the items, at most n, evenly spread over what there is. Labelled sets are taken whole. demoToo asks for items even
// where the path holds labelled data only.
func materialOf(w *app.Workbench, path string, n int, demoToo bool) (material, error) {
	m := material{source: "demo"}
	if path != "" {
		var err error
		if m, err = readMaterial(sharedPath(w, path)); err != nil {
			return m, err
		}
	}
	if len(m.items) == 0 && (path == "" || demoToo) {
		items, err := demoItems()
		if err != nil {
			return m, err
		}
		m.items = items
	}
	m.items = spread(m.items, n)
	for i := range m.items {
		m.items[i] = m.items[i].Completed(i)
	}
	return m, nil
}

// sharedPath lets a bare name stand for a folder of $WORKBENCH_SHARED/data.
func sharedPath(w *app.Workbench, path string) string {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(path, `/\`) {
		if shared := w.Options.Getenv("WORKBENCH_SHARED"); shared != "" {
			return filepath.Join(shared, "data", path)
		}
	}
	return path
}

// spread keeps n of a list, evenly and in pairs of neighbours, so that two languages that take turns still do.
func spread(items []validation.JudgeItem, n int) []validation.JudgeItem {
	if len(items) <= n {
		return items
	}
	var out []validation.JudgeItem
	pairs := (n + 1) / 2
	for i := range pairs {
		at := i * (len(items) / 2) / pairs * 2
		out = append(out, items[at:at+2]...)
	}
	return out[:n]
}

// demoItems are the answerable questions of the demo's help centre, the two languages in turn. The ideal context is the whole pages
// with the evidence: the labelled sentences alone do not hold every detail of the references. The redundant one has another page
// too, and the foreign one is the same pages in the other language.
func demoItems() ([]validation.JudgeItem, error) {
	var byLang [2][]validation.JudgeItem
	for i, lang := range []string{"en", "ja"} {
		body, err := fs.ReadFile(demo.Files, path.Join(lang, "questions.jsonl"))
		if err != nil {
			return nil, err
		}
		rows, err := rowsOf(body)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			item, ok, err := demoItem(r, lang)
			if err != nil {
				return nil, err
			}
			if ok {
				byLang[i] = append(byLang[i], item)
			}
		}
		list := byLang[i]
		for k := range list {
			list[k].Redundant = list[k].Ideal + "\n\n" + list[(k+len(list)/4)%len(list)].Ideal
		}
	}
	var out []validation.JudgeItem
	for i := range min(len(byLang[0]), len(byLang[1])) {
		out = append(out, byLang[0][i], byLang[1][i])
	}
	return out, nil
}

func demoItem(r row, lang string) (item validation.JudgeItem, ok bool, err error) {
	var evidence []struct {
		DocID string `json:"doc_id"`
	}
	if !r.boolean("answerable", true) || json.Unmarshal(r["evidence"], &evidence) != nil || len(evidence) == 0 {
		return item, false, nil //nolint:nilerr // a question without evidence makes no item
	}
	other := map[string]string{"en": "ja", "ja": "en"}[lang]
	var native, foreign []string
	for _, e := range evidence {
		here, err := fs.ReadFile(demo.Files, path.Join(lang, "corpus", e.DocID))
		if err != nil {
			return item, false, err
		}
		there, err := fs.ReadFile(demo.Files, path.Join(other, "corpus", e.DocID))
		if err != nil {
			return item, false, err
		}
		native, foreign = with(native, string(here)), with(foreign, string(there))
	}
	item = validation.JudgeItem{
		ID: r.text("id"), Lang: lang, Question: r.text("question"), Answer: r.text("reference"),
		Ideal: strings.Join(native, "\n\n"), Foreign: strings.Join(foreign, "\n\n"),
	}
	return item, item.Question != "" && item.Answer != "", nil
}

func with(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// row is one line of a JSONL file.
type row map[string]json.RawMessage

// text is the first of these fields that holds a text, or a list of texts, which are joined.
func (r row) text(names ...string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(r[name], &s) == nil && strings.TrimSpace(s) != "" {
			return s
		}
		var list []string
		if json.Unmarshal(r[name], &list) == nil && len(list) > 0 {
			return strings.Join(list, "\n\n")
		}
	}
	return ""
}

func (r row) boolean(name string, otherwise bool) bool {
	var b bool
	if json.Unmarshal(r[name], &b) != nil {
		return otherwise
	}
	return b
}

func (r row) has(names ...string) bool {
	for _, name := range names {
		if _, ok := r[name]; !ok {
			return false
		}
	}
	return true
}

// rowsOf reads JSON lines; empty lines and a byte order mark do not count.
func rowsOf(body []byte) ([]row, error) {
	var out []row
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))))
	lines.Buffer(nil, 1<<26)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return out, problem.New(problem.Invalid, "items_line", "line %d is not a JSON object", n).Because(err).WithHint("%s", itemsHint)
		}
		out = append(out, r)
	}
	return out, lines.Err()
}

// rowsIn reads a file of JSON lines.
func rowsIn(path string) ([]row, error) {
	body, err := os.ReadFile(path) //nolint:gosec // the user's own file
	if err != nil {
		return nil, problem.New(problem.NotFound, "items_file", "cannot read %s", path).With("path", path).Because(err).
			WithHint("%s", itemsHint)
	}
	rows, err := rowsOf(body)
	if err != nil {
		p := problem.From(err)
		p.Message = fmt.Sprintf("%s: %s", path, p.Message)
		return nil, p
	}
	return rows, nil
}

func langOf(given, words string) string {
	if given == "en" || given == "ja" {
		return given
	}
	return text.Language(words)
}
