package readers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// The names a field of a document may have, the preferred one first.
var (
	idNames     = []string{"doc_id", "id", "_id"}
	textNames   = []string{"text", "content", "body", "page_content"}
	sourceNames = []string{"source", "url"}
)

func (r *corpusReader) readJSONL(f sourceFile) error {
	number, before := 0, len(r.docs)
	lost := map[string]int{} // fields that hold lists or objects → documents that have them
	for line := range strings.Lines(f.Text) {
		number++
		if strings.TrimSpace(line) == "" {
			continue
		}
		where := fmt.Sprintf("%s line %d", f.ID, number)
		d, nested, err := parseDocument(where, line)
		if err != nil {
			return err
		}
		for _, field := range nested {
			lost[field]++
		}
		if !norm.NFC.IsNormalString(d.Text) {
			r.remark("%s: the text of %s was not in Unicode NFC and was normalised; evidence offsets counted before may have moved",
				"%s：%sの本文をUnicode NFCに直しました。以前に数えた根拠の位置がずれることがあります", where,
				d.ID)
		}
		if err := r.add(where, d); err != nil {
			return err
		}
	}
	if len(r.docs) == before {
		return problem.New(problem.Invalid, "corpus_empty_document", "%s: the file has no line with a document", f.ID).With("file", f.ID).
			WithHint("write one JSON object per line, with at least doc_id and text")
	}
	for _, field := range slices.Sorted(maps.Keys(lost)) {
		r.remark("%s: the field %q holds lists or objects in %d documents and was not kept",
			"%s：項目「%s」は%d件の文書でリストまたはオブジェクトのため、保存していません", f.ID, field, lost[field])
	}
	return nil
}

// parseDocument reads one line. nested names the fields that could not be kept because they hold lists or objects.
func parseDocument(where, line string) (d rag.Document, nested []string, err error) {
	fields, err := parseObject(line)
	if err != nil {
		return d, nil, problem.New(problem.Invalid, "corpus_line_json", "%s: not a JSON object: %v", where, err).With("where", where).
			WithHint("each line of a .jsonl file is one complete JSON object")
	}
	id, ok := takeFirst(fields, idNames)
	if d.ID = scalar(id); !ok || strings.TrimSpace(d.ID) == "" {
		return d, nil, missingField(where, "id", idNames, fields)
	}
	body, ok := takeFirst(fields, textNames)
	if d.Text, _ = body.(string); !ok || body == nil {
		return d, nil, missingField(where, "text", textNames, fields)
	} else if _, isString := body.(string); !isString {
		return d, nil, problem.New(problem.Invalid, "corpus_text_type", "%s: the text of document %s is not a string", where, d.ID).
			With("where", where).
			WithHint("join the parts of the text into one string")
	}
	if title, ok := fields["title"].(string); ok {
		d.Title = title
		delete(fields, "title")
	}
	if source, ok := takeFirst(fields, sourceNames); ok {
		d.Source = scalar(source)
	}
	if named, ok := fields["lang"].(string); ok {
		if d.Lang, ok = text.LanguageTag(named); ok || named == "" {
			delete(fields, "lang")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch v := fields[name]; v.(type) {
		case nil:
		case map[string]any, []any:
			nested = append(nested, name)
		default:
			if d.Metadata == nil {
				d.Metadata = map[string]string{}
			}
			d.Metadata[name] = scalar(v)
		}
	}
	return d, nested, nil
}

// parseObject reads exactly one JSON object. Numbers stay as they are written.
func parseObject(line string) (map[string]any, error) {
	dec := json.NewDecoder(strings.NewReader(line))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more text follows after its end, at byte %d", dec.InputOffset())
	}
	fields, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("it is a list or a single value")
	}
	return fields, nil
}

// takeFirst removes the first of names that is present with a value, and returns that value.
func takeFirst(fields map[string]any, names []string) (any, bool) {
	for _, name := range names {
		if v, ok := fields[name]; ok && v != nil {
			delete(fields, name)
			return v, true
		}
	}
	return nil, false
}

// scalar is the text of a string, number or boolean, and "" for anything else.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

func missingField(where, field string, names []string, fields map[string]any) *problem.Problem {
	return problem.New(problem.Invalid, "corpus_field_missing", "%s: the document has no %s", where, field).
		With("where", where).With("field", field).With("found", slices.Sorted(maps.Keys(fields))).
		WithHint("add one of %s; the line also has: %s", strings.Join(names, ", "), listSome(slices.Sorted(maps.Keys(fields))))
}
