package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/search"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// configFrom lays the fields a file gives over a configuration.
func configFrom(base rag.Config, fields map[string]any, dir string) (rag.Config, error) {
	m := plain(fields).(map[string]any)
	if err := noOutside(m); err != nil {
		return base, err
	}
	if generate, ok := m["generate"].(map[string]any); ok && generate["prompt"] != nil {
		text, err := promptText(generate["prompt"], dir)
		if err != nil {
			return base, err
		}
		generate["prompt"] = text
	}
	shorthands(m)
	base = withBlocks(base.Clone(), m)
	err := overlay(m, &base)
	return withShares(base, err)
}

// withBlocks returns the configuration with the defaults of every block that the fields begin and the configuration does not have:
// what a file says of a block is laid over them. A filter that is said takes the place of the one that was.
func withBlocks(base rag.Config, fields map[string]any) rag.Config {
	if chunk, ok := fields["chunk"].(map[string]any); ok && chunk["separators"] != nil {
		base.Chunk.Separators = nil
	}
	retrieve, ok := fields["retrieve"].(map[string]any)
	if !ok {
		return base
	}
	r := &base.Retrieve
	if retrieve["bm25"] != nil && r.BM25 == (search.BM25{}) {
		r.BM25 = search.DefaultBM25()
	}
	if retrieve["mmr"] != nil && r.MMR == (search.MMR{}) {
		r.MMR = search.DefaultMMR()
	}
	if retrieve["filter"] != nil {
		r.Filter = nil
	}
	return base
}

// withParam returns the configuration with one dotted parameter set. It does not validate the result, since a sweep must
// be able to name an impossible combination.
func withParam(base rag.Config, name string, value any) (rag.Config, error) {
	m := value
	parts := strings.Split(name, ".")
	for i := len(parts) - 1; i >= 0; i-- {
		m = map[string]any{parts[i]: m}
	}
	fields := m.(map[string]any)
	if err := noOutside(fields); err != nil {
		return base, err
	}
	shorthands(fields)
	out := withBlocks(base.Clone(), fields)
	if fields["post_process"] != nil {
		out.PostProcess = nil
	}
	err := overlay(fields, &out)
	return withShares(out, err)
}

// withoutLimits writes what says none of a limit as what holds no hit back.
func withoutLimits(m map[string]any) {
	for stage, limits := range map[string]map[string]any{
		"retrieve": {"mmr": map[string]any{"lambda": 0, "fetch_k": 0}, "min_score": nil, "per_document": 0, "filter": nil},
		"rerank":   {"min_score": nil},
	} {
		fields, _ := m[stage].(map[string]any)
		for name, nothing := range limits {
			if fields[name] == "none" {
				fields[name] = nothing
			}
		}
	}
}

// withShares gives the overlap the number that its share of the size makes.
func withShares(c rag.Config, err error) (rag.Config, error) {
	if share := c.Chunk.OverlapShare; err == nil && (share < 0 || share >= 100) {
		err = fieldProblem("chunk.overlap", fmt.Sprint(share)+"%", "a number, or a share from 0% to below 100%")
	}
	return c.WithShares(), err
}

// shorthands writes `rewrite: none` as {mode: none}, an overlap of 12% as a share, the name of a list of separators as a list, and
// `post_process: truncate` as a list
// without "none".
func shorthands(m map[string]any) {
	for _, stage := range []string{"rewrite", "rerank"} {
		if mode, ok := m[stage].(string); ok {
			m[stage] = map[string]any{"mode": mode}
		}
	}
	if chunk, ok := m["chunk"].(map[string]any); ok {
		if name, ok := chunk["separators"].(string); ok {
			chunk["separators"] = []any{name}
		}
		switch overlap := chunk["overlap"].(type) {
		case string:
			if share, err := strconv.ParseFloat(strings.TrimSuffix(overlap, "%"), 64); err == nil && strings.HasSuffix(overlap, "%") {
				delete(chunk, "overlap")
				chunk["overlap_share"] = share
			}
		case nil:
		default:
			chunk["overlap_share"] = 0
		}
		if mode, ok := chunk["parent"].(string); ok {
			chunk["parent"] = map[string]any{"mode": mode}
		}
	}
	withoutLimits(m)
	modes, given := m["post_process"]
	if !given {
		return
	}
	if modes == nil {
		modes = "none"
	}
	list, ok := modes.([]any)
	if !ok {
		list = []any{modes}
	}
	kept := []any{}
	for _, mode := range list {
		if mode != "none" {
			kept = append(kept, mode)
		}
	}
	m["post_process"] = kept
}

// overlay decodes fields over out, refusing unknown names and wrong types by their dotted path.
func overlay(fields map[string]any, out any) error {
	body, err := json.Marshal(fields)
	if err != nil {
		return problem.New(problem.Invalid, "experiment_field", "the file holds a value that is no text, number, list or mapping").
			Because(err)
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	err = dec.Decode(out)
	if err == nil {
		return nil
	}
	if p := misfit(plain(fields), reflect.TypeOf(out).Elem(), ""); p != nil {
		return p
	}
	return problem.New(problem.Invalid, "experiment_field", "the file cannot be read").Because(err)
}

// fieldsOf are the fields of a mapping by the names that a file gives them.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return out
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			maps.Copy(out, fieldsOf(f.Type))
		}
		if name != "" && name != "-" {
			out[name] = f.Type
		}
	}
	return out
}

// promptText returns the text of a prompt. A single line that ends in .md or .txt is a file name.
func promptText(v any, dir string) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", fieldProblem("generate.prompt", v, "text or the name of a file")
	}
	ext := filepath.Ext(s)
	if strings.Contains(s, "\n") || ext != ".md" && ext != ".txt" {
		return s, nil
	}
	path := s
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, s)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", problem.New(problem.Invalid, "prompt_file", "generate.prompt names the file %s, which cannot be read", path).
			With("field", "generate.prompt").Because(err).WithHint("prompt files are looked for beside the experiment file")
	}
	return string(raw), nil
}

// plain turns what the YAML library decodes into the types of encoding/json: maps with string keys, lists and scalars.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			out[k] = plain(item)
		}
		return out
	case yaml.MapSlice:
		out := make(map[string]any, len(v))
		for _, item := range v {
			out[fmt.Sprint(item.Key)] = plain(item.Value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = plain(item)
		}
		return out
	case uint64: // the library's type for whole numbers; a stored definition comes back as float64 or int
		return int(v)
	case int64:
		return int(v)
	}
	return v
}
