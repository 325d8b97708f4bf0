package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// row is a line of the table: what a tool took, or why it is missing.
type row struct {
	peer     peer
	one, all used
	failed   string
}

// The table stands between these lines of docs/claims.md.
const (
	begin = "<!-- bench/peers writes this: begin -->\n"
	end   = "<!-- bench/peers writes this: end -->\n"
)

// table is the section of docs/claims.md.
func (r *rig) table(rows []row) string {
	var b strings.Builder
	b.WriteString(begin)
	fmt.Fprintf(&b, `
%d answers with 4 contexts each, one server of models with a latency of %s, %d requests in flight. Calls and tokens are those that
the server counted. Processor time and memory are of the whole process, libraries and start included; behind it what each further
question takes. %s. Made by `+"`go run ./bench/peers -write`"+`.

`, r.questions, r.latency, inFlight, strings.ToUpper(machine()[:1])+machine()[1:])
	b.WriteString("| tool · metric | scored | calls a question | tokens a question, in · out | wall | processor | " +
		"of a further question | memory |\n|---|---|---|---|---|---|---|---|\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s · %s | %s |\n", row.peer.name, row.peer.metric, strings.Join(row.cells(r.questions), " | "))
	}
	b.WriteString("\nWhat differs, so that nobody reads the table as a race over one course:\n\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "- *%s · %s*: %s.\n", row.peer.name, row.peer.metric, row.peer.does)
	}
	b.WriteString(notes + end)
	return b.String()
}

// notes stand below the table.
const notes = `- RAG Workbench keeps every reply in its database before it goes on, and its figures hold the import of the
  questions and the answers. MLflow keeps a trace of each question in SQLite, promptfoo its results in a file and in SQLite; Ragas keeps nothing.
- The replies are made up: every claim is supported and every answer is right. The table says nothing about whose scores are better.
- The server counts tokens in one way for all, and none of these is what a provider would bill.

`

func (row row) cells(questions int) []string {
	if row.failed != "" {
		return []string{row.failed, "", "", "", "", "", ""}
	}
	n, a := float64(questions), row.all
	further := "–"
	if questions > 1 {
		further = fmt.Sprintf("%.1f ms", float64((a.cpu-row.one.cpu).Microseconds())/1000/(n-1))
	}
	return []string{
		fmt.Sprintf("%d of %d", a.scored, questions), fmt.Sprintf("%.2f", float64(a.calls)/n),
		fmt.Sprintf("%.0f · %.0f", float64(a.in)/n, float64(a.out)/n), seconds(a.wall), seconds(a.cpu), further,
		fmt.Sprintf("%d MB", a.megabytes),
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// replaced writes the table into a file, in the place of the one that is there.
func replaced(file, table string) error {
	body, err := os.ReadFile(file) //nolint:gosec // of this repository
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(body), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return fmt.Errorf("%s has no place for the table", file)
	}
	return os.WriteFile(file, []byte(before+table+after), 0o600)
}
