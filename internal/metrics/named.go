package metrics

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// IDAmong finds the metric that a person means among some: by its id, whatever its capitals where only one can be meant, by the part of it
// behind the tool, or by what a sentence, a table or a report calls it in either language, with its tool and without. What differs by signs
// and spaces alone is the same name.
func IDAmong(name string, ids []string) (string, bool) {
	if found, ok := text.NameAmong(name, ids); ok {
		return found, true
	}
	key := nameKey(name)
	for _, of := range []func(id string) string{
		func(id string) string { return id },
		func(id string) string { _, bare, _ := strings.Cut(id, "."); return bare },
		func(id string) string { en, _ := titles(id); return en },
		func(id string) string { _, ja := titles(id); return ja },
		func(id string) string { _, bare, _ := strings.Cut(id, "."); en, _ := titles(bare); return en }, // as two files are compared
		func(id string) string { _, bare, _ := strings.Cut(id, "."); _, ja := titles(bare); return ja },
	} {
		found, alike := "", 0
		for _, id := range ids {
			if key != "" && nameKey(of(id)) == key {
				found, alike = id, alike+1
			}
		}
		if alike == 1 {
			return found, true
		}
	}
	return "", false
}

// Listed names metrics as they can be said, each with what sentences call it in the language where that is another name.
func Listed(ids []string) fmt.Stringer {
	en, ja := make([]string, len(ids)), make([]string, len(ids))
	for i, id := range ids {
		titleEN, titleJA := titles(id)
		en[i], ja[i] = id, id
		if _, own := Find(id); !own && titleEN != "" { // in English ours go by their ids
			en[i] += " (" + titleEN + ")"
		}
		if titleJA != "" {
			ja[i] += "（" + titleJA + "）"
		}
	}
	return problem.Both(strings.Join(en, ", "), strings.Join(ja, "、"))
}

// CatalogueIDs are the ids of all metrics that are ours.
func CatalogueIDs() []string {
	return idsOf("all")
}

// titles are what people call a metric, in English and in Japanese; empty of one that nobody knows.
func titles(id string) (en, ja string) {
	if en, ja, imported := ImportedTitle(id); imported {
		return en, ja
	}
	spec, _ := Find(id)
	return spec.TitleEN, spec.TitleJA
}

// nameKey is a name without its signs, spaces and capitals.
func nameKey(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c)
	}), "_")
}
