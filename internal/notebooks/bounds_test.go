package notebooks

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// hostile are texts of a megabyte that were made to take long: an editor evaluates what it is sent.
func hostile() map[string]string {
	const head = "---\nragnb: 1\n---\n"
	fill := func(s string) string { return head + strings.Repeat(s, (1<<20-len(head))/len(s)) }
	long := strings.Repeat("n", 60)
	return map[string]string{
		"cells":          fill("```rag note a\n```\n"),
		"open cells":     fill("```rag note a\n"),
		"references":     fill("{{ x }}"),
		"long names":     head + strings.Repeat("```rag note "+long+"\n```\n", 490) + strings.Repeat("{{ m"+long+".x }}\n", 10000),
		"parameters":     head + "```rag params p\nk: 1\n```\n```rag config c\n" + strings.Repeat("# ${p.k}\n", 100000) + "```\n",
		"brackets":       head + "```rag config c\n" + strings.Repeat("[", 1<<19) + "\n```\n",
		"dashes":         head + "```rag config c\na: " + strings.Repeat("- ", 1<<18) + "\n```\n",
		"steps":          head + "```rag config c\n" + steps(1000) + "```\n",
		"one long line":  head + "```rag note n\nen: " + strings.Repeat("x", 1<<20) + "\n```\n",
		"keys":           head + "```rag params p\n" + keys(20000) + "```\n",
		"backticks":      fill("`"),
		"front":          "---\n" + strings.Repeat("ragnb: 1\n", 1<<16) + "---\n",
		"fences":         fill("```\n"),
		"comments":       head + "```rag config c\nendpoint: a" + strings.Repeat(" #", 1<<17) + "\n```\n",
		"a chain":        head + chain(490),
		"schedules":      "---\nragnb: 1\nschedules: [" + strings.Repeat("{name: a, cron: 0 6 * * 1}, ", 5000) + "]\n---\n",
		"repeated names": fill("```rag run r\nconfigs: r\ndataset: r\n```\n"),
	}
}

func steps(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(strings.Repeat(" ", min(i, 250)) + "a:\n")
	}
	return out.String()
}

func keys(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteString("k" + strconv.Itoa(i) + ": 1\n")
	}
	return out.String()
}

func chain(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteString("```rag config c" + strconv.Itoa(i) + "\nextends: c" + strconv.Itoa((i+1)%n) + "\n```\n")
	}
	return out.String()
}

// TestHostileTextsAreShown evaluates and edits each of them. The package's time-out is what says that one takes too long; each
// one's time is
// in the log.
func TestHostileTextsAreShown(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(), small)
	for name, s := range hostile() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := draft(n, s)
			if _, err := d.Evaluate(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			whole(t, d.Document, s)
			if len(d.Document.Cells()) > document.MaxCells || len(d.Wrong) > 2*document.MaxCells+2*document.MaxMistakes {
				t.Errorf("%d cells, %d mistakes", len(d.Document.Cells()), len(d.Wrong))
			}
			if cells := d.Document.Cells(); len(cells) > 0 {
				_, _, err := d.Document.WithFields(cells[0].Name, map[string]any{"title": "x", "endpoint": "b"})
				_, _, renameErr := d.Document.Rename(cells[0].Name, "other")
				if problem.CodeOf(err) == "internal" || problem.CodeOf(renameErr) == "internal" {
					t.Error(err, renameErr)
				}
			}
		})
	}
}
