package document

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// FieldType says what a field of a cell holds.
type FieldType string

// The types of fields.
const (
	TextField    FieldType = "text"
	NumberField  FieldType = "number"
	IntegerField FieldType = "integer"
	BoolField    FieldType = "boolean"
	ListField    FieldType = "list"    // of scalars; one scalar stands for a list of one
	MapField     FieldType = "mapping" // with Fields when its names are known
	ModeField    FieldType = "mode"    // a text, or a mapping with Fields
	WordsField   FieldType = "words"   // a text, or {en: …, ja: …}
	RefField     FieldType = "ref"     // a cell, or a cell with a field
	RefsField    FieldType = "refs"    // one or a list of them
)

// Words is what a value of the type is, for messages: "a whole number".
func (t FieldType) Words(lang string) string {
	i := 0
	if lang == "ja" {
		i = 1
	}
	if kind := t.kind(); kind != yaml.Anything && t != RefField {
		return kind.In(lang)
	}
	return map[FieldType][2]string{
		ModeField:  {"a text, or names with values like {name: value}", "文字列、または {名前: 値} の形"},
		WordsField: {"a text, or {en: …, ja: …}", "文字列、または {en: …, ja: …}"}, RefField: {"the name of a cell", "セルの名前"},
		RefsField: {"names of cells", "セルの名前（複数可）"},
	}[t][i]
}

// kind is the type as YAML has it.
func (t FieldType) kind() yaml.Kind {
	return map[FieldType]yaml.Kind{TextField: yaml.Text, NumberField: yaml.Number, IntegerField: yaml.Whole, BoolField: yaml.Truth,
		ListField: yaml.List, MapField: yaml.Mapping, RefField: yaml.Text}[t]
}

// Field is one field of a cell.
type Field struct {
	Name     string    `json:"name"`
	Type     FieldType `json:"type"`
	Required bool      `json:"required,omitempty"`
	Default  any       `json:"default,omitempty"`
	Choices  []string  `json:"choices,omitempty"`
	// Named is what people call the choices, where it is more than the word itself.
	Named   map[string]Words `json:"named,omitempty"`
	Of      []string         `json:"of,omitempty"` // what a reference may refer to: published types
	Literal []string         `json:"literal,omitempty"`
	Fields  []Field          `json:"fields,omitempty"`
	Doc     Words            `json:"doc"`
	Min     *float64         `json:"min,omitempty"` // of numbers, for forms; what computes says the same
	Max     *float64         `json:"max,omitempty"`
	// Pick is the kind of registered names that it takes.
	Pick string `json:"pick,omitempty" enum:"corpus,dataset,endpoint,provider,model,metric"`
	// Display: it changes how a cell is shown and not what it computes, so it is no part of its identity.
	Display bool `json:"display,omitempty"`
}

func (f Field) hint() fmt.Stringer { return problem.Both(f.doc().EN, f.doc().JA) }

// doc is what the field is, in both languages.
func (f Field) doc() Words {
	switch {
	case len(f.Choices) > 0:
		list := strings.Join(f.Choices, ", ")
		return Words{"one of: " + list, "選択肢：" + list}
	case f.Doc.EN != "":
		return Words{f.Name + ": " + f.Doc.EN, f.Name + "：" + f.Doc.JA}
	}
	return Words{f.Name + " is " + f.Type.Words("en"), f.Name + " は" + f.Type.Words("ja") + "です。"}
}

// accepts reports whether a decoded value has the field's type.
func (f Field) accepts(v any) bool {
	_, isMap := v.(map[string]any)
	_, isList := v.([]any)
	_, isText := v.(string)
	switch f.Type {
	case NumberField, IntegerField:
		n, ok := v.(float64)
		return ok && (f.Type == NumberField || n == float64(int64(n)))
	case BoolField:
		_, ok := v.(bool)
		return ok
	case ListField, RefsField:
		return !isMap
	case MapField:
		return isMap
	case ModeField:
		return isMap || isText || isList
	case WordsField:
		return !isList
	case RefField:
		return isText
	case TextField: // any scalar
	}
	return !isMap && !isList
}

// Schema is what a type of cells may say and publishes.
type Schema struct {
	Type      string   `json:"type"`
	Version   int      `json:"version"`
	Publishes string   `json:"publishes"` // name of the value's type
	Paid      bool     `json:"paid"`      // it may buy calls: it never starts by itself
	Fields    []Field  `json:"fields"`
	Open      bool     `json:"open,omitempty"` // further names are allowed: the parameters of a params cell
	Outputs   []Output `json:"outputs"`
	Doc       Words    `json:"doc"`
}

// Output is one field of a published value, for completion: "worse.count".
type Output struct {
	Path string `json:"path"`
	Unit Unit   `json:"unit"`
	Doc  Words  `json:"doc"`
}

// Schemas lists the cell types in the order in which people meet them.
func Schemas() []Schema { return slices.Clone(schemas()) }

// SchemaOf is the schema of a type.
func SchemaOf(cellType string) (Schema, bool) {
	for _, s := range schemas() {
		if s.Type == cellType {
			return s, true
		}
	}
	return Schema{}, false
}

// CellTypes are the types of cells.
func CellTypes() []string {
	out := make([]string, len(schemas()))
	for i, s := range schemas() {
		out[i] = s.Type
	}
	return out
}

// jsonFields are the names that a configuration struct takes, read from its json tags.
func jsonFields(t reflect.Type) []Field {
	var out []Field
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case name == "-":
		case f.Anonymous && name == "" && inner.Kind() == reflect.Struct:
			out = append(out, jsonFields(inner)...)
		case name != "":
			field := Field{Name: name, Type: jsonType(inner)}
			if inner.Kind() == reflect.Struct {
				field.Fields = jsonFields(inner)
			}
			out = append(out, field)
		}
	}
	return out
}

func jsonType(t reflect.Type) FieldType {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return ModeField
	case reflect.Slice:
		return ListField
	case reflect.Float64, reflect.Float32:
		return NumberField
	case reflect.Int, reflect.Int64:
		return IntegerField
	case reflect.Bool:
		return BoolField
	default:
		return TextField
	}
}

// SortedKeys are the keys of a mapping in order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
