// This file has procedures that no program runs. They are here because the documents are checked with.

package metrics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func (w docWords) metric(b *strings.Builder, lang string, s Spec) {
	d, _ := DocOf(s.ID)
	direction := w.up
	if s.LowerIsBetter {
		direction = w.down
	}
	rng := fmt.Sprintf("%g – %g", s.Min, s.Max)
	if s.Group == "operations" && s.ID != "truncated" {
		rng = "≥ 0"
	}
	calls := w.none
	if d.Calls+d.Once > 0 {
		calls = strconv.Itoa(d.Calls)
	}
	if d.Once > 0 {
		calls += " " + fmt.Sprintf(w.once, d.Once)
	}
	if d.Embeds > 0 {
		calls += "; " + fmt.Sprintf(w.embeds, d.Embeds)
	}
	fmt.Fprintf(b, "\n## %s · `%s`\n\n%s\n\n", s.Title(lang), s.ID, s.Meaning(lang))
	rows := [][2]string{
		{w.formula, d.Formula},
		{w.inputs, d.inputs(lang)},
		{w.rng, rng + ", " + direction},
		{w.calls, calls},
		{w.source, d.Source + " · v" + s.Version},
		{w.drop, say(lang, d.DropEN, d.DropJA)},
		{w.ragas, say(lang, d.RagasEN, d.RagasJA)},
	}
	for _, row := range slices.DeleteFunc(rows, func(r [2]string) bool { return r[1] == "" }) {
		fmt.Fprintf(b, "- **%s**: %s\n", row[0], row[1])
	}
}

func (d Doc) inputs(lang string) string {
	if lang == "ja" {
		return inputWords.Replace(d.Inputs)
	}
	return d.Inputs
}

// Documentation is docs/metrics.md: every metric of the catalogue in English and in Japanese.
func Documentation() string {
	var b strings.Builder
	b.WriteString("<!-- Written by `go test ./internal/metrics -run TestDocumentation -update` from the catalogue. Do not edit. -->\n")
	for _, lang := range []string{"en", "ja"} {
		w := docLangs[lang]
		fmt.Fprintf(&b, "\n# %s\n\n%s\n\n%s\n\n## %s\n\n%s\n\n", w.title, w.intro, w.signs, w.suites, w.suiteIntro)
		for _, name := range []string{"standard", "compact", "iccg", "retrieval", "text", "operations", "all"} {
			note := suiteNotes[name]
			list := "`" + strings.Join(idsOf(name), "`, `") + "`"
			switch name {
			case "compact":
				list = "`standard`"
			case "all":
				list = strconv.Itoa(len(idsOf(name)))
			}
			fmt.Fprintf(&b, "- **%s** (%s): %s. %s\n", name, note[0], say(lang, note[1], note[2]), list)
		}
		for _, s := range catalogue {
			w.metric(&b, lang, s.Spec)
		}
	}
	return b.String()
}
