package intake

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// listNames are where an object may keep the list of questions, the first that holds a list counts.
var listNames = []string{"questions", "results", "data", "examples", "goldens", "tests", "rows", "records"}

// IsLines reports whether a text that a file calls JSON is one of JSON Lines: several lines begin with an object, and the first is one.
func IsLines(s string) bool {
	first, rest, more := strings.Cut(strings.TrimSpace(s), "\n")
	return more && strings.HasPrefix(strings.TrimSpace(rest), "{") && strings.HasPrefix(first, "{") && json.Valid([]byte(first))
}

// containers are objects in a row whose entries are columns of their own, as "inputs.question".
var containers = map[string]bool{"inputs": true, "input": true, "vars": true, "expectations": true, "metadata": true}

func readJSONL(t *Table, s, file string, faults *RowFaults) error {
	s = t.ReplaceNaN(s)
	columns := newColumnSet(t)
	number := 0
	for line := range strings.Lines(s) {
		number++
		if strings.TrimSpace(line) == "" {
			continue
		}
		if err := columns.row(number, line); err != nil {
			faults.Add(RowProblem{Row: number, Message: err.Error()})
		}
	}
	return columns.tooMany(file)
}

func readJSON(t *Table, s, file string, faults *RowFaults) error {
	s = t.ReplaceNaN(s)
	items, err := t.items(s)
	if err != nil {
		p := problem.New(problem.Invalid, "dataset_json", "%s is not a list of questions: %v", file, err).With("file", file).
			WithHint("write a JSON list of objects, or an object with such a list under %s; one object per line is a .jsonl file",
				strings.Join(listNames, ", "))
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			line, column := position(s, int(e.Offset))
			p.Message = fmt.Sprintf("%s line %d, column %d: %v", file, line, column, err)
			return p.With("line", line).With("column", column)
		}
		return p
	}
	columns := newColumnSet(t)
	for i, item := range items {
		if err := columns.row(i+1, string(item)); err != nil {
			faults.Add(RowProblem{Row: i + 1, Message: err.Error()})
		}
	}
	return columns.tooMany(file)
}

// items returns the list of a JSON file without reading into its items.
func (t *Table) items(s string) ([]json.RawMessage, error) {
	var items []json.RawMessage
	if !strings.HasPrefix(strings.TrimSpace(s), "{") {
		err := json.Unmarshal([]byte(s), &items)
		return items, err
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(s), &object); err != nil {
		return nil, err
	}
	for _, name := range listNames {
		if list, ok := object[name]; ok && json.Unmarshal(list, &items) == nil && items != nil {
			t.Notes = append(t.Notes, text.Say("the questions are the list under %q", "質問は「%s」の一覧から読み取りました", name))
			return items, nil
		}
	}
	return nil, errors.New("it is an object without a list of questions")
}

// columnSet grows the columns of a table as rows show new ones.
type columnSet struct {
	table *Table
	index map[string]int
	over  bool // there are more than MaxDatasetColumns
}

func newColumnSet(t *Table) *columnSet { return &columnSet{table: t, index: map[string]int{}} }

// row takes one JSON object. Its error is a sentence for people.
func (c *columnSet) row(number int, source string) error {
	dec := json.NewDecoder(strings.NewReader(source))
	dec.UseNumber()
	if open, err := dec.Token(); err != nil {
		return NotJSON(err)
	} else if open != json.Delim('{') {
		return errors.New("it is not an object with one question")
	}
	row := TableRow{Number: number}
	seen := map[string]bool{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return NotJSON(err)
		}
		name := key.(string) // the decoder accepts nothing else here
		var v any
		if err := dec.Decode(&v); err != nil {
			return NotJSON(err)
		}
		if seen[name] {
			return fmt.Errorf("the key %q stands twice in one object", name)
		}
		seen[name] = true
		c.put(&row, name, v)
	}
	if _, err := dec.Token(); err != nil { // the closing brace
		return NotJSON(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more text follows after the end of the object")
	}
	row.sort()
	c.table.Rows = append(c.table.Rows, row)
	return nil
}

// put stores a value under its column, and the entries of a container under columns of their own.
func (c *columnSet) put(row *TableRow, name string, v any) {
	if entries, ok := v.(map[string]any); ok && containers[ColumnKey(name)] {
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			c.put(row, name+"."+key, entries[key])
		}
		return
	}
	i, ok := c.index[name]
	if !ok {
		if i = len(c.table.Columns); i == MaxDatasetColumns {
			c.over = true
			return
		}
		c.index[name] = i
		c.table.Columns = append(c.table.Columns, name)
	}
	row.columns, row.cells = append(row.columns, i), append(row.cells, v)
}

// tooMany refuses a file whose rows have too many different keys: then keys are data, not columns.
func (c *columnSet) tooMany(file string) error {
	if c.over {
		return problem.New(problem.Invalid, "dataset_too_wide", "the objects in %s have more than %d different keys", file,
			MaxDatasetColumns).
			With("file", file).WithHint("use the same keys in every object and put changing ones inside one value")
	}
	return nil
}

// NotJSON says where a text stops being JSON.
func NotJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the JSON object is cut off")
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("not valid JSON at byte %d: %w", e.Offset, err)
	}
	return fmt.Errorf("not valid JSON: %w", err)
}

// position turns a byte offset into a line and a column, both from 1.
func position(s string, offset int) (line, column int) {
	before := s[:max(0, min(offset-1, len(s)))]
	return 1 + strings.Count(before, "\n"), 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
}

// ReplaceNaN writes null for the NaN and Infinity that Python puts into JSON, outside strings.
func (t *Table) ReplaceNaN(s string) string {
	if !strings.Contains(s, "NaN") && !strings.Contains(s, "Infinity") {
		return s
	}
	var b strings.Builder
	n, inString := 0, false
	for i := 0; i < len(s); {
		switch {
		case inString && s[i] == '\\' && i+1 < len(s):
			b.WriteByte(s[i])
			i++
		case s[i] == '"':
			inString = !inString
		case s[i] == '\n': // no string goes beyond its line, so a broken line cannot spoil the next
			inString = false
		case !inString:
			if word := nonNumber(s[i:]); word > 0 {
				b.WriteString("null")
				n++
				i += word
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	if n > 0 {
		t.usual(text.Say("NaN or Infinity read as empty: %s", "NaNまたはInfinityを空として読み取りました：%s", text.Count(n, "value", "件")))
	}
	return b.String()
}

// nonNumber is the length of a non-finite number at the start of s, or 0.
func nonNumber(s string) int {
	for _, word := range []string{"NaN", "-Infinity", "Infinity"} {
		if strings.HasPrefix(s, word) {
			return len(word)
		}
	}
	return 0
}
