package document

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// outputsOf lists the fields of a published type that prose can embed. Keys of mappings are shown as <key>.
func outputsOf(t reflect.Type) []Output {
	var out []Output
	if t != nil {
		walkOutputs(t, "", &out)
	}
	return out
}

func walkOutputs(t reflect.Type, under string, out *[]Output) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		doc := Words{f.Tag.Get("en"), f.Tag.Get("ja")}
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		path := under + name
		if inner.Kind() == reflect.Map {
			path, inner = path+".<metric>", inner.Elem()
		}
		switch {
		case doc.EN == "" || name == "":
		case f.Tag.Get("unit") != "":
			*out = append(*out, Output{Path: path, Unit: Unit(f.Tag.Get("unit")), Doc: doc})
		case inner.Kind() == reflect.Struct:
			walkOutputs(inner, path+".", out)
		}
	}
}

// Looked is a field of a value, with its unit.
type Looked struct {
	Value reflect.Value
	unit  Unit
}

// Look follows a dotted path into a value. near are the names at the place where the path fails.
func Look(v any, path string) (at Looked, near []string, err error) {
	at.Value = reflect.ValueOf(v)
	if path == "" {
		return at, nil, nil
	}
	rest := path
	for rest != "" {
		for at.Value.Kind() == reflect.Pointer || at.Value.Kind() == reflect.Interface {
			if at.Value.IsNil() {
				return at, nil, fmt.Errorf("%s has no value", path)
			}
			at.Value = at.Value.Elem()
		}
		var ok bool
		if at, rest, near, ok = step(at, rest); !ok {
			return at, near, fmt.Errorf("there is no field %q", rest)
		}
	}
	for at.Value.Kind() == reflect.Pointer {
		if at.Value.IsNil() {
			return at, nil, fmt.Errorf("%s has no value", path)
		}
		at.Value = at.Value.Elem()
	}
	return at, nil, nil
}

// Parts are the names of what a value holds that is not one value itself; none of a value that prose can show.
func (l Looked) Parts() (names []string) {
	if !l.Value.IsValid() || l.Value.Type() == reflect.TypeFor[Words]() {
		return nil
	}
	switch l.Value.Kind() {
	case reflect.Struct:
		t := l.Value.Type()
		for i := range t.NumField() {
			if tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); tag != "" && tag != "-" {
				names = append(names, tag)
			}
		}
	case reflect.Map:
		for _, key := range l.Value.MapKeys() {
			names = append(names, fmt.Sprint(key))
		}
		slices.Sort(names)
	case reflect.Slice:
		for i := range l.Value.Len() {
			names = append(names, strconv.Itoa(i+1))
		}
	default:
	}
	return names
}

// MeantBy is the name that a part of a path could mean, of the names at the place where the path fails.
func MeantBy(path string, near []string) string {
	for part := range strings.SplitSeq(path, ".") {
		if meant := text.Meant(part, near); meant != "" && !slices.Contains(near, part) {
			return meant
		}
	}
	return ""
}

// step takes the first part of a path. The name of a configuration leads to its run, though it may hold dots.
func step(at Looked, path string) (next Looked, rest string, near []string, ok bool) {
	name, rest, _ := strings.Cut(path, ".")
	switch at.Value.Kind() {
	case reflect.Struct:
		if table, is := at.Value.Interface().(Rows); is {
			if name == "rows" {
				return Looked{reflect.ValueOf(table.Count), Count}, rest, nil, true
			}
			if row, ok := table.row(name); ok {
				return Looked{Value: reflect.ValueOf(row)}, rest, nil, true
			}
		}
		t := at.Value.Type()
		for i := range t.NumField() {
			tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if tag == name {
				unit := Unit(t.Field(i).Tag.Get("unit"))
				if unit == "" {
					unit = at.unit
				}
				return Looked{at.Value.Field(i), unit}, rest, nil, true
			}
			if tag != "" && tag != "-" {
				near = append(near, tag)
			}
		}
		if set, is := at.Value.Interface().(RunSet); is {
			for i := range set.Runs {
				near = append(near, set.Runs[i].Label)
				if set.Runs[i].Label == name {
					return Looked{Value: reflect.ValueOf(&set.Runs[i])}, rest, nil, true
				}
			}
		}
	case reflect.Map:
		if x := at.Value.MapIndex(reflect.ValueOf(name)); x.IsValid() {
			return Looked{x, at.unit}, rest, nil, true
		}
		for _, k := range at.Value.MapKeys() {
			near = append(near, k.String())
		}
	default: // nothing else has fields
	}
	return at, path, near, false
}

// Format writes a value as prose does: counts with separators, shares in percent, scores with two digits, differences with a sign.
func (f Looked) Format(lang string) string {
	v := f.Value
	if !v.IsValid() {
		return ""
	}
	switch x := v.Interface().(type) {
	case Words:
		return x.In(lang)
	case float64:
		switch f.unit {
		case Share:
			return stats.PerCent(x, 1)
		case Diff:
			return stats.Signed(x, 2)
		case Score:
			return stats.Fixed(x, 2)
		case Money:
			return fmt.Sprintf("%.2f", x/1e6)
		case Count, Plain: // as it is
		}
		return strconv.FormatFloat(x, 'f', -1, 64)
	case int:
		return Thousands(x)
	case string:
		return x
	case bool:
		return yesNo(x, lang)
	case Counted:
		return Thousands(x.Count)
	case []string:
		return strings.Join(x, ", ")
	}
	return ""
}

func yesNo(b bool, lang string) string {
	switch {
	case lang == "ja" && b:
		return "はい"
	case lang == "ja":
		return "いいえ"
	case b:
		return "yes"
	}
	return "no"
}

// Thousands is a number with commas.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// mostPaths bounds what completion offers for one value.
const mostPaths = 200

// Paths lists what can follow the name of a cell with this value in prose: "worse.count", "metrics.correctness.diff". The names of a run
// cell's configurations are there too, as they lead to runs.
func Paths(v any) []string {
	out := []string{}
	switch v := v.(type) {
	case nil:
		return out
	case map[string]any:
		return append(out, SortedKeys(v)...)
	case RunSet:
		for _, r := range v.Runs {
			out = append(out, r.Label)
		}
	}
	walkPaths(reflect.ValueOf(v), "", false, &out)
	return out[:min(len(out), mostPaths)]
}

// walkPaths adds the fields that have a unit, and those below fields that have words.
func walkPaths(v reflect.Value, under string, hasUnit bool, out *[]string) {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	switch {
	case v.Kind() == reflect.Map:
		for _, key := range slices.SortedFunc(slices.Values(v.MapKeys()),
			func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }) {
			walkPaths(v.MapIndex(key), under+key.String()+".", hasUnit, out)
		}
	case hasUnit:
		*out = append(*out, strings.TrimSuffix(under, "."))
	case v.Kind() == reflect.Struct:
		t := v.Type()
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if t.Field(i).Tag.Get("en") != "" && name != "" {
				walkPaths(v.Field(i), under+name+".", t.Field(i).Tag.Get("unit") != "", out)
			}
		}
	default: // lists are tables and no values of prose
	}
}
