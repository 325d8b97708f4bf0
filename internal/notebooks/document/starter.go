package document

import (
	"slices"
	"strings"
)

// starters are bodies to begin with; a field that refers to a cell takes the last one of the document that fits.
var starters = map[string]string{
	"note": "en: |\n  \nja: |\n  \n", "params": "k: {type: integer, default: 4, min: 1, max: 20}\n", "agreement": "", "report": "",
	"config":  "chunk: {by: chars, size: 800, overlap: 100}\nretrieve: {mode: dense, k: 4}\n",
	"sweep":   "axes: {retrieve.k: [3, 4, 6]}\n",
	"dataset": "source: \n", "corpus": "source: \n", "question": "id: \n",
	"query": "sql: |\n  SELECT metric, avg(value) AS mean, count(value) AS n\n  FROM scores GROUP BY metric ORDER BY metric\n",
}

// optionalRefs are the references that a starter fills in although they are not required.
var optionalRefs = map[string][]string{"config": {"corpus"}, "report": {"baseline"}}

// Starter is a body to begin with for a new cell of a type: what is required refers to the cells that the document has.
func Starter(cellType string, d *Document) string {
	schema, _ := SchemaOf(cellType)
	var refs strings.Builder
	var used []string
	for _, f := range schema.Fields {
		wanted := f.Required || slices.Contains(optionalRefs[cellType], f.Name)
		if !wanted || f.Type != RefField && f.Type != RefsField {
			continue
		}
		name := d.fitting(f, used)
		if name == "" && !f.Required {
			continue
		}
		used = append(used, name)
		refs.WriteString(f.Name + ": " + name + "\n")
	}
	return refs.String() + starters[cellType]
}

// fitting is the cell that a reference most probably means: the last one of a fitting type, or for a baseline the last but one.
func (d *Document) fitting(f Field, used []string) string {
	var fits []string
	for _, c := range d.Cells() {
		schema, _ := SchemaOf(c.Type)
		if slices.Contains(f.Of, schema.Publishes) && !slices.Contains(used, c.Name) {
			fits = append(fits, c.Name)
		}
	}
	switch {
	case len(fits) == 0:
		return ""
	case f.Name == "baseline" && len(fits) > 1:
		return fits[len(fits)-2]
	}
	return fits[len(fits)-1]
}
