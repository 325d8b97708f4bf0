package main

import (
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
		stored := strings.Join(strings.Fields(b.must("runs", "show", run, "--question", id).stdout), " ")
		for _, line := range []string{lines[0], lines[1], lines[2+at]} {
			if !strings.Contains(stored, value(line)) {
				t.Errorf("%s says %q of %s, run %s holds:\n%.600s", readme, line, id, run, stored)
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

// TestReadmeWorkedAnswerInEnglish runs the English demo, which takes half a minute of processor; the Japanese one is looked at by TestDemo.
func TestReadmeWorkedAnswerInEnglish(t *testing.T) {
	if os.Getenv("WORKBENCH_SLOW_TESTS") == "" {
		t.Skip("half a minute of processor: set WORKBENCH_SLOW_TESTS=1")
	}
	b := newBench(t)
	lookAtWorked(t, b, b.must("demo", "--lang", "en").stdout, "README.md")
}
