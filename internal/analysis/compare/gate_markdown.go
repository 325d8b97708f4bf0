package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/rag-workbench/workbench/internal/stats"
)

// mostInMarkdown is how many answers of one kind a comment on a pull request lists.
const mostInMarkdown = 20

// WriteMarkdown writes the result as a comment for a pull request, in "ja" or else English. Names and ids come from files of other
// people: whatever Markdown, HTML or a code host would act upon is escaped, mentions included.
func (r GateResult) WriteMarkdown(w io.Writer, lang string) error {
	var b strings.Builder
	words := markdownWords(func(code string, args ...any) string { return newNote("gate.md."+code, args...).Text(lang) })
	sign := map[stats.Decision]string{stats.Pass: "✅ ", stats.Fail: "❌ ", stats.Inconclusive: "⚠️ "}[r.Decision]
	fmt.Fprintf(&b, "### %s\n\n", words("head", "decision", sign+DecisionWord(r.Decision, lang)))
	fmt.Fprintf(&b, "%s\n\n", between(escapeMarkdown(r.Baseline), escapeMarkdown(r.Candidate)).Text(lang))
	said := r.SaidIn(lang)
	for _, sentence := range said {
		fmt.Fprintf(&b, "- %s\n", escapeMarkdown(sentence))
	}
	if len(said) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s\n|---|---|---|\n", words("checks"))
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", escapeMarkdown(c.Title(lang)), DecisionWord(c.Decision, lang), escapeMarkdown(c.Text(lang)))
	}
	r.listWorse(&b, lang, words)
	r.listDoubts(&b, lang, words)
	_, err := io.WriteString(w, b.String())
	return err
}

// Between says what was held against what, in a language: "ja", or else English.
func (r GateResult) Between(lang string) string { return between(r.Baseline, r.Candidate).Text(lang) }

func between(baseline, candidate string) Note {
	if baseline == "" {
		return newNote("gate.md.alone", "candidate", candidate)
	}
	return newNote("gate.md.against", "candidate", candidate, "baseline", baseline)
}

// markdownWords are the words of the comment by code.
type markdownWords func(code string, args ...any) string

// listWorse lists the worse answers.
func (r GateResult) listWorse(b *strings.Builder, lang string, words markdownWords) {
	words.list(b, words("worse", "n", len(r.Worse)), "answers", 5, len(r.Worse), func(i int) []string {
		q := r.Worse[i]
		return []string{q.ID, q.Decided(lang), fmt.Sprintf("%.4g", q.Baseline),
			fmt.Sprintf("%.4g", q.Candidate), words.critical(q.Critical)}
	})
}

// listDoubts lists the answers that need a check or lack a score. Its title counts answers: one may lack several scores.
func (r GateResult) listDoubts(b *strings.Builder, lang string, words markdownWords) {
	answers := map[string]bool{}
	for _, d := range r.NeedsCheck {
		answers[d.ID] = true
	}
	words.list(b, words("doubts", "n", len(answers)), "doubtful", 3, len(r.NeedsCheck), func(i int) []string {
		d := r.NeedsCheck[i]
		return []string{d.ID, d.WhyIn(lang), words.critical(d.Critical)}
	})
}

func (words markdownWords) critical(is bool) string {
	if is {
		return words("critical")
	}
	return ""
}

// list writes up to so many of n rows as a table that opens.
func (words markdownWords) list(b *strings.Builder, title, head string, columns, n int, row func(i int) []string) {
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n", title)
	fmt.Fprintf(b, "%s\n%s|\n", words(head), strings.Repeat("|---", columns))
	for i := range min(mostInMarkdown, n) {
		cells := row(i)
		for k := range cells {
			cells[k] = escapeMarkdown(cells[k])
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
	if more := n - mostInMarkdown; more > 0 {
		fmt.Fprintf(b, "\n%s\n", words("more", "n", more))
	}
	b.WriteString("\n</details>\n")
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
