package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// workedBlock is the answer that a README works through: one line for each statement, its label before the colon.
var workedBlock = regexp.MustCompile("(?s)```text worked\n(.*?)```")

// lookAtWorked looks for every statement of a README's worked answer in what the demo stored, and for the sentences that it quotes in
// what the demo said.
func lookAtWorked(t *testing.T, b *bench, said, readme string) {
	t.Helper()
	body, err := os.ReadFile("../../" + readme)
	if err != nil {
		t.Fatal(err)
	}
	runs := regexp.MustCompile(`compare ([0-9a-f]{12}) ([0-9a-f]{12})`).FindStringSubmatch(said)
	block := workedBlock.FindStringSubmatch(string(body))
	if runs == nil || block == nil {
		t.Fatalf("%s works no answer through, or the demo names no runs:\n%s", readme, said)
	}
	show := regexp.MustCompile(`(en|ja)-[0-9]{3}`)
	diagnosis := b.must("diagnose", runs[2], "--show", "--json").stdout
	lines := strings.Split(strings.TrimSpace(block[1]), "\n")
	value := func(line string) string {
		_, v, found := strings.Cut(strings.Replace(line, "：", ": ", 1), ": ")
		if !found {
			t.Fatalf("no label in %q", line)
		}
		return strings.Join(strings.Fields(v), " ")
	}
	// The question is found by its rationale: the last line is one of the diagnosis, in the object of its question.
	var id string
	for _, object := range strings.Split(diagnosis, `"question_id"`) {
		text := strings.Join(strings.Fields(object), " ")
		if strings.Contains(text, value(lines[4])) && strings.Contains(text, value(lines[5])) {
			candidate := show.FindString(object)
			if strings.Contains(strings.Join(strings.Fields(b.must("runs", "show", runs[2], "--question", candidate).stdout), " "),
				value(lines[0])) {
				id = candidate
			}
		}
	}
	if id == "" {
		t.Fatalf("%s: no diagnosed question has %q and %q", readme, lines[4], lines[5])
	}
	for at, run := range []string{runs[1], runs[2]} {
		var stored struct {
			Question struct {
				Question, Reference string
			}
			Result struct{ Answer struct{ Text string } }
		}
		if err := json.Unmarshal([]byte(b.must("runs", "show", run, "--question", id, "--json").stdout), &stored); err != nil {
			t.Fatal(err)
		}
		for line, text := range map[string]string{lines[0]: stored.Question.Question, lines[1]: stored.Question.Reference,
			lines[2+at]: stored.Result.Answer.Text} {
			if whole := strings.Join(strings.Fields(text), " "); !quotes(value(line), whole) {
				t.Errorf("%s says %q of %s, run %s holds:\n%.600s", readme, line, id, run, whole)
			}
		}
	}
	for _, quoted := range regexp.MustCompile("(?s)```text\n(.*?)```").FindAllStringSubmatch(string(body), -1) {
		for line := range strings.SplitSeq(strings.TrimSpace(quoted[1]), "\n") {
			if !strings.Contains(said, line) {
				t.Errorf("%s quotes %q, and the demo does not say it", readme, line)
			}
		}
	}
}

// quotes reports whether a quotation is the whole text, but for what it leaves out with "…".
func quotes(quoted, whole string) bool {
	parts := strings.Split(quoted, "…")
	for i, part := range parts {
		at := strings.Index(whole, strings.TrimSpace(part))
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		whole = strings.TrimSpace(whole[at+len(strings.TrimSpace(part)):])
	}
	return whole == "" || strings.TrimSpace(parts[len(parts)-1]) == ""
}

// TestAQuotationIsNotTrimmed: what a README leaves out of an answer shows.
func TestAQuotationIsNotTrimmed(t *testing.T) {
	t.Parallel()
	const whole = "The charge is counted once. [1] The charge is JPY 550. [3] No more."
	for quoted, want := range map[string]bool{
		whole: true, "… The charge is JPY 550. [3] …": true, "The charge is counted once. [1] …": true,
		"The charge is JPY 550.": false, "The charge is counted once. [1]": false, "… The charge is JPY 550.": false, "… JPY 551 …": false,
	} {
		if quotes(quoted, whole) != want {
			t.Errorf("%q: %t", quoted, !want)
		}
	}
}

// TestReadmeWorkedAnswerInEnglish runs the English demo, which takes half a minute of processor; the Japanese one is looked at by TestDemo.
func TestReadmeWorkedAnswerInEnglish(t *testing.T) {
	if os.Getenv("WORKBENCH_SLOW_TESTS") == "" {
		t.Skip("half a minute of processor: set WORKBENCH_SLOW_TESTS=1")
	}
	b := newBench(t)
	lookAtWorked(t, b, b.must("demo", "--lang", "en").stdout, "README.md")
}
