package foreign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
)

// promptfooVariant is one prompt with one provider, of which a file of promptfoo may hold several.
type promptfooVariant struct {
	key              string // what only its rows have
	provider, prompt string // the prompt is its label, which is its whole text where nobody gave it one
	whole            string // both
	name             string // the same, short, and another than that of every other variant
	column           int    // of a table: where its answers stand
}

// rowVariants says of each row of a file whose it is.
type rowVariants []string

// only leaves the rows of one variant.
func (of rowVariants) only(key string, f *foreignFile) {
	var rows []map[string]any
	var numbers []int
	for i, row := range f.rows {
		if of[i] == key {
			rows, numbers = append(rows, row), append(numbers, f.numbers[i])
		}
	}
	f.rows, f.numbers = rows, numbers
}

// variants are those of a file's rows, in the order of the file. promptIdx counts prompts and providers together, and promptId stands for a
// prompt; the label does where a version or a hand has left both out. What was really sent (raw) differs in each row.
func (r *foreignReader) variants() (variants []promptfooVariant, of rowVariants) {
	every := func(key string) bool {
		return !slices.ContainsFunc(r.rows, func(row map[string]any) bool {
			s, isText := row[key].(string)
			_, isNumber := row[key].(json.Number)
			return !isNumber && (!isText || s == "")
		})
	}
	tell := func(map[string]any) any { return nil }
	switch {
	case every("promptIdx"):
		tell = func(row map[string]any) any { return row["promptIdx"] }
	case every("promptId"):
		tell = func(row map[string]any) any { return row["promptId"] }
	}
	for _, row := range r.rows {
		v := promptfooVariant{}
		provider := objectOf(row["provider"])
		v.provider, _ = firstOf(provider, "id").(string)
		if label, ok := provider["label"].(string); ok && label != "" {
			v.provider = label
		}
		if s, ok := row["provider"].(string); ok {
			v.provider = s
		}
		v.prompt, _ = firstOf(objectOf(row["prompt"]), "label", "display").(string)
		v.whole = "[" + v.provider + "] " + v.prompt
		v.key = fmt.Sprintf("%s\x00%v", v.whole, tell(row))
		of = append(of, v.key)
		if !slices.ContainsFunc(variants, func(other promptfooVariant) bool { return other.key == v.key }) {
			variants = append(variants, v)
		}
	}
	tellApart(variants)
	return variants, of
}

// tellApart gives each variant a short name that no other one has: where two prompts begin alike it goes on where they part, and where
// nothing parts them it counts.
func tellApart(variants []promptfooVariant) {
	short := func(v promptfooVariant) string { return "[" + v.provider + "] " + intake.Shortened(v.prompt) }
	alike := map[string][]int{}
	for i, v := range variants {
		alike[short(v)] = append(alike[short(v)], i)
	}
	taken := map[string]int{}
	for i := range variants {
		v := &variants[i]
		v.name = short(*v)
		if list := alike[v.name]; len(list) > 1 {
			v.name = "[" + v.provider + "] " + parted(variants, list, i)
		}
		if taken[v.name]++; taken[v.name] > 1 {
			v.name += fmt.Sprintf(" #%d", taken[v.name])
		}
	}
}

// parted is a long prompt from where it differs from those that begin as it does, with some words of what comes before.
func parted(variants []promptfooVariant, alike []int, at int) string {
	own := []rune(variants[at].prompt)
	same := 0
	for _, i := range alike {
		other, n := []rune(variants[i].prompt), 0
		for n < min(len(own), len(other)) && own[n] == other[n] {
			n++
		}
		if i != at && n < max(len(own), len(other)) {
			same = max(same, n)
		}
	}
	const before = 12
	if same <= before {
		return intake.Shortened(string(own))
	}
	return "…" + intake.Shortened(string(own[same-before:]))
}

// variant is the one to read of those in the file.
func (r *foreignReader) variant(variants []promptfooVariant) (promptfooVariant, error) {
	names := make([]string, len(variants))
	for i, v := range variants {
		names[i] = v.name
	}
	list := strings.Join(names, "; ")
	if len(variants) == 0 {
		return promptfooVariant{}, r.refuse("results_empty", "it holds no result").
			WithHint("promptfoo eval --output results.json writes one for each test")
	}
	if r.options.Variant == "" {
		if len(variants) > 1 {
			return promptfooVariant{}, r.refuse("results_variants", "it holds %d variants: %s", len(variants), list).
				With("variants", names).
				WithHint("read them one by one, each by a part of its name that no other has: %s", variantFlags(variants))
		}
		return variants[0], nil
	}
	var found []promptfooVariant
	for _, v := range variants {
		if v.name == r.options.Variant {
			return v, nil
		}
		if strings.Contains(v.name, r.options.Variant) || strings.Contains(v.whole, r.options.Variant) {
			found = append(found, v)
		}
	}
	if len(found) != 1 {
		return promptfooVariant{}, r.refuse("results_variants", "%d of its variants are called %q; they are: %s", len(found),
			r.options.Variant, list).With("variants", names).
			WithHint("read them one by one, each by a part of its name that no other has: %s", variantFlags(variants))
	}
	return found[0], nil
}

// variantFlags are the flags that choose each of the first variants: by the provider where only one has it, else by the whole name.
func variantFlags(variants []promptfooVariant) fmt.Stringer {
	const most = 4
	flags := make([]string, 0, most)
	for i, v := range variants[:min(most, len(variants))] {
		part := v.provider
		for k, other := range variants {
			if k != i && (strings.Contains(other.whole, part) || strings.Contains(other.name, part)) {
				part = ""
			}
		}
		flags = append(flags, fmt.Sprintf("--variant %q", cmp.Or(part, v.name)))
	}
	more := ""
	if len(variants) > most {
		more = ", …"
	}
	return problem.Both(strings.Join(flags, ", ")+more, strings.Join(flags, "、")+more)
}

// looksLikePromptfoo tells a row of promptfoo by its keys: older versions, and files that people made smaller, lack the numbers of prompt
// and test.
func looksLikePromptfoo(row map[string]any) bool {
	if objectOf(row["vars"]) == nil {
		return false
	}
	for _, key := range []string{"promptIdx", "promptId", "gradingResult", "namedScores"} {
		if _, there := row[key]; there {
			return true
		}
	}
	return objectOf(row["prompt"]) != nil && row["success"] != nil
}
