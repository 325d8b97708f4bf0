package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/rag-workbench/workbench/internal/stats"
)

// mostInMarkdown is how many worse answers a comment on a pull request lists.
const mostInMarkdown = 20

// WriteMarkdown writes the result as a comment for a pull request. Names and ids come from files of other people: whatever
// Markdown, HTML or a code host would act upon is escaped, mentions included.
func (r GateResult) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	sign := map[stats.Decision]string{stats.Pass: "✅ PASS", stats.Fail: "❌ FAIL", stats.Inconclusive: "⚠️ INCONCLUSIVE"}
	fmt.Fprintf(&b, "### RAG gate: %s\n\n", sign[r.Decision])
	if r.Baseline != "" {
		fmt.Fprintf(&b, "Candidate %s against baseline %s.\n\n", escapeMarkdown(r.Candidate), escapeMarkdown(r.Baseline))
	} else {
		fmt.Fprintf(&b, "Candidate %s; no baseline, so only thresholds were checked.\n\n", escapeMarkdown(r.Candidate))
	}
	for _, sentence := range r.Said {
		fmt.Fprintf(&b, "- %s\n", escapeMarkdown(sentence))
	}
	if len(r.Said) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("| check | decision | what was found |\n|---|---|---|\n")
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", escapeMarkdown(c.title()), c.Decision, escapeMarkdown(c.Message))
	}
	if len(r.Worse) > 0 {
		fmt.Fprintf(&b,
			"\n<details><summary>Worse answers: %d</summary>\n\n| question | metric | baseline | candidate | |\n|---|---|---|---|---|\n",
			len(r.Worse))
		for _, q := range r.Worse[:min(mostInMarkdown, len(r.Worse))] {
			critical := ""
			if q.Critical {
				critical = "critical"
			}
			fmt.Fprintf(&b, "| %s | %s | %.4g | %.4g | %s |\n", escapeMarkdown(q.ID), escapeMarkdown(q.Metric), q.Baseline,
				q.Candidate, critical)
		}
		if more := len(r.Worse) - mostInMarkdown; more > 0 {
			fmt.Fprintf(&b, "\n%d more.\n", more)
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
