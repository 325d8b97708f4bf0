package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/rag-workbench/workbench/internal/stats"
)

// mostInMarkdown is how many worse answers a comment on a pull request lists.
const mostInMarkdown = 20

// WriteMarkdown writes the result as a comment for a pull request, in "ja" or else English. Names and ids come from files of other
// people: whatever Markdown, HTML or a code host would act upon is escaped, mentions included.
func (r GateResult) WriteMarkdown(w io.Writer, lang string) error {
	var b strings.Builder
	words := func(code string, args ...any) string { return newNote("gate.md."+code, args...).Text(lang) }
	sign := map[stats.Decision]string{stats.Pass: "✅ ", stats.Fail: "❌ ", stats.Inconclusive: "⚠️ "}[r.Decision]
	fmt.Fprintf(&b, "### %s\n\n", words("head", "decision", sign+DecisionWord(r.Decision, lang)))
	candidate := escapeMarkdown(r.Candidate)
	if r.Baseline != "" {
		fmt.Fprintf(&b, "%s\n\n", words("against", "candidate", candidate, "baseline", escapeMarkdown(r.Baseline)))
	} else {
		fmt.Fprintf(&b, "%s\n\n", words("alone", "candidate", candidate))
	}
	said := r.SaidIn(lang)
	for _, sentence := range said {
		fmt.Fprintf(&b, "- %s\n", escapeMarkdown(sentence))
	}
	if len(said) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s\n|---|---|---|\n", words("checks"))
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", escapeMarkdown(c.title(lang)), DecisionWord(c.Decision, lang), escapeMarkdown(c.Text(lang)))
	}
	if len(r.Worse) > 0 {
		fmt.Fprintf(&b, "\n<details><summary>%s</summary>\n\n", words("worse", "n", len(r.Worse)))
		fmt.Fprintf(&b, "%s\n|---|---|---|---|---|\n", words("answers"))
		for _, q := range r.Worse[:min(mostInMarkdown, len(r.Worse))] {
			critical := ""
			if q.Critical {
				critical = words("critical")
			}
			metric := escapeMarkdown(q.Decided(lang))
			fmt.Fprintf(&b, "| %s | %s | %.4g | %.4g | %s |\n", escapeMarkdown(q.ID), metric, q.Baseline, q.Candidate, critical)
		}
		if more := len(r.Worse) - mostInMarkdown; more > 0 {
			fmt.Fprintf(&b, "\n%s\n", words("more", "n", more))
		}
		b.WriteString("\n</details>\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// escapeMarkdown makes a text show as itself in a table cell: one line, without formatting, links, HTML or mentions.
func escapeMarkdown(s string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(s), " ") {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '@', r == '#', r == ':': // mentions, issues and addresses
			fmt.Fprintf(&b, "&#%d;", r)
		case strings.ContainsRune("\\`*_{}[]()|~!$", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029:
			b.WriteRune('�')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
