package experiments

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/rag"
)

// ParamChange is one parameter in which two setups differ, with both values as JSON has them; nil for one that says nothing.
type ParamChange struct {
	Param    string
	From, To any

	units [2]string // of a size of chunks, what both values count
}

// Text is the change in words. Of instructions, which have pages, it says only that they changed.
func (c ParamChange) Text() Rationale {
	if c.Param == "generate.prompt" {
		return ParamName(c.Param)
	}
	if c.units[0] == c.units[1] {
		return ChangeText(c.Param, c.From, c.To, c.units[1])
	}
	name, was, is := ParamName(c.Param), counted(c.Param, c.From, c.units[0]), counted(c.Param, c.To, c.units[1])
	return Rationale{EN: name.EN + " " + was.EN + " → " + is.EN, JA: name.JA + " " + was.JA + " → " + is.JA}
}

// counted is a value with what it counts, by the code of that; as it is without one.
func counted(param string, n any, code string) Rationale {
	said := ValueText(param, n)
	at := slices.IndexFunc(rag.ChunkUnits(), func(u rag.ChunkUnit) bool { return u.Code == code })
	if at < 0 || n == nil {
		return said
	}
	unit := rag.ChunkUnits()[at]
	en := unit.EN
	if said.EN == "1" {
		en = strings.TrimSuffix(en, "s")
	}
	return Rationale{EN: said.EN + " " + en, JA: said.JA + unit.JA}
}

// ChangedParams are the parameters in which two configurations differ and that have an effect in at least one of them, in the order of a
// file. What only lost its effect, such as the embedding model of a search by keyword, did not change.
func ChangedParams(was, is rag.Config) []ParamChange {
	raw, felt := [2]map[string]any{paramsOf(was), paramsOf(is)}, [2]map[string]any{paramsOf(was.Effective()), paramsOf(is.Effective())}
	differ := func(in [2]map[string]any, name string) bool { return !reflect.DeepEqual(in[0][name], in[1][name]) }
	names := maps.Clone(raw[0])
	maps.Copy(names, raw[1])
	var out []ParamChange
	for name := range names {
		indexed := was.Index != nil || is.Index != nil // who has an index of the team's cuts nothing here
		if indexed && (strings.HasPrefix(name, "chunk.") || name == "retrieve.bm25") {
			continue
		}
		if differ(raw, name) && differ(felt, name) {
			c := ParamChange{Param: name, From: felt[0][name], To: felt[1][name]}
			if c.From == nil { // without effect, but said
				c.From = raw[0][name]
			}
			if c.To == nil {
				c.To = raw[1][name]
			}
			if (name == "chunk.size" || name == "chunk.overlap") && c.From != nil && c.To != nil {
				c.units = [2]string{UnitOf(name, was.Chunk), UnitOf(name, is.Chunk)}
			}
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b ParamChange) int {
		return cmp.Or(cmp.Compare(placeOf(a.Param), placeOf(b.Param)), cmp.Compare(a.Param, b.Param))
	})
	return out
}

// paramsOf are the parameters of a configuration by their names, at the level at which people are told of them.
func paramsOf(c rag.Config) map[string]any {
	fields, err := fieldsAsJSON(c)
	if err != nil {
		panic("config is not JSON: " + err.Error()) // only numbers that JSON cannot express, refused by Validate
	}
	out := map[string]any{}
	for stage, v := range fields {
		switch part, ok := v.(map[string]any); {
		case slices.Contains([]string{"endpoint", "log", "index"}, stage): // another system, which is told of as such
		case ok:
			addParams(out, stage, oneModel(part))
		default:
			out[stage] = v
		}
	}
	return out
}

// oneModel puts a model and its provider together: people change one for another.
func oneModel(part map[string]any) map[string]any {
	name, provider := part["model"], part["provider"]
	if name == nil {
		return part
	}
	part = maps.Clone(part)
	delete(part, "provider")
	delete(part, "model")
	if name != "" {
		part["model"] = map[string]any{"provider": provider, "model": name}
	}
	return part
}

func addParams(out map[string]any, prefix string, fields map[string]any) {
	for name, v := range fields {
		path := prefix + "." + name
		if below, ok := v.(map[string]any); ok && !NamesParam(path) {
			addParams(out, path, below)
		} else if v != nil && v != "" {
			out[path] = v
		}
	}
}
