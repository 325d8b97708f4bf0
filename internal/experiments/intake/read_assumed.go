package intake

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// report is what was assumed, as sentences.
func (b *questionBuilder) report() []string {
	var notes []string
	say := func(n int, format string, args ...any) {
		if n > 0 {
			notes = append(notes, fmt.Sprintf(format, args...))
		}
	}
	say(b.generated, "%s without an id got one by place, such as q0001", Plural(b.generated, "question"))
	for _, column := range slices.Sorted(maps.Keys(b.modes)) {
		if modes := b.modes[column]; len(modes) > 1 || modes[asOneValue] == 0 { // single values throughout need no word
			say(1, "column %s: read as %s", b.table.Columns[column], counted(modes))
		}
	}
	say(b.refused, "the right answer says that there is none in %s: read as questions that the documents do not answer",
		Plural(b.refused, "row"))
	say(b.continued, "%s without a question of their own: added to the question above", Plural(b.continued, "row"))
	say(len(b.passed), "not read, because nothing is asked there: %s", listedFew(b.passed))
	say(b.remarked, "evidence kept as metadata in %s, because it does not stand in the corpus word for word; found: %d",
		Plural(b.remarked, "piece"), b.found)
	say(b.nans, "NaN as reference in %s: read as no reference", Plural(b.nans, "row"))
	say(b.promoted, "no reference of its own in %s: the first of references was taken", Plural(b.promoted, "row"))
	say(b.joined, "a list of facts as reference in %s: joined, one fact per line", Plural(b.joined, "row"))
	say(b.moved, "%s found only without regard to white space and Unicode variants", Plural(b.moved, "quote"))
	say(b.unverified, "%s of evidence not verified, because no corpus was given", Plural(b.unverified, "piece"))
	for _, lang := range slices.Sorted(maps.Keys(b.unknownLangs)) {
		say(1, "language %q in %s is neither Japanese nor English: the language of the question's letters was taken", lang,
			Plural(b.unknownLangs[lang], "row"))
	}
	return notes
}

// listedFew lists the first and counts the others.
func listedFew(list []string) string {
	if len(list) > 5 {
		return strings.Join(list[:5], ", ") + fmt.Sprintf(" and %d more", len(list)-5)
	}
	return strings.Join(list, ", ")
}

// counted lists ways of reading with their rows: "a JSON list in 3 rows, as newline-separated text in 2".
func counted(modes map[string]int) string {
	names := slices.Sorted(maps.Keys(modes))
	slices.SortStableFunc(names, func(a, b string) int { return modes[b] - modes[a] })
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = fmt.Sprintf("%s in %d", name, modes[name])
		if i == 0 {
			parts[i] = fmt.Sprintf("%s in %s", name, Plural(modes[name], "row"))
		}
	}
	return strings.Join(parts, ", as ")
}

// Plural is "1 row" or "2 rows".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
