package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/metrics"
)

var (
	// notWords are what stays as it is in every language: commands, flags, names in capitals, ids, and what stands in quotes.
	notWords = regexp.MustCompile(`workbench [^（）。]*|--?[a-z-]+|「[^」]*」|"[^"]*"`)
	// sentence is English: three words in a row.
	sentence = regexp.MustCompile(`\b[A-Za-z][a-z']*(?: [a-z][a-z']*){2,}\b`)
)

// TestJapaneseHasNoEnglishSentences reads what verbs print in Japanese: no line of it is English, and metrics have their Japanese names.
func TestJapaneseHasNoEnglishSentences(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	write := func(name, text string) {
		if err := os.WriteFile(b.path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("agreed.yaml", `targets: [{theme: refunds, metric: low_score_share, target: 0.1, due: 2026-01-02}, {metric: correctness, target: 4}]
items:
  - {component: retriever, data: retrieval, theme: refunds, action: 検索件数を増やす, priority: high}
  - {questions: [q1, q2], category: multi_hop_specific, out_of_scope: true, why: 対象外}
agreed_by: [CS, IT]
`)
	b.must("run", "{}/closed.yaml")
	b.must("baseline", "set", "closed")
	b.must("run", "{}/sweep.yaml")
	b.must("agreement", "set", "faq", "{}/agreed.yaml", "--run", "closed")
	for _, run := range []string{"closed", "faq"} {
		b.must("questions", run)
		b.must("diagnose", run)
	}
	for _, name := range []string{"weekly", "idle"} {
		b.must("schedule", "add", name, "--experiment", "faq", "--cron", "0 6 * * 1", "--budget", "500calls")
	}
	b.must("schedule", "pause", "idle")
	names := metricIDs()
	for _, verb := range []string{
		"diagnose faq --show", "compare closed faq", "questions faq --show", "questions closed --show", "agreement show faq",
		"agreement history", "schedule run-now weekly", "schedule list", "schedule show weekly", "schedule show idle", "schedule fires",
		"trend weekly", "trend closed",
		"doctor", "corpus list", "dataset list", "experiment list", "endpoint list", "user list", "token list", "audit", "runs list",
		"dataset import {}/faq.csv --name faq", "experiment archive closed", "user add taro --role admin", "token add ci --role viewer",
		"share list", "baseline show", "runs replicate closed",
	} {
		o := b.run(append(strings.Fields(verb), "--lang", "ja")...)
		for line := range strings.Lines(o.stdout + o.stderr) {
			if strings.HasPrefix(verb, "compare") && strings.HasPrefix(line, "  ") { // texts of questions and answers
				continue
			}
			left := notWords.ReplaceAllString(line, "")
			first, _, _ := strings.Cut(line, " ")
			found := sentence.FindString(left)
			if found != "" || slices.Contains(names, first) || strings.Contains(line, "low_score_share") {
				t.Errorf("%s --lang ja is English (%q):\n%s", verb, found, line)
			}
		}
	}
}

// TestADiagnosisListsWhatWasGiven: the places of the documents that a trial was given stand below the steps, in both languages.
func TestADiagnosisListsWhatWasGiven(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	b.must("diagnose", "closed")
	var report causes.CauseReport
	if err := json.Unmarshal([]byte(b.must("diagnose", "closed", "--show", "--json").stdout), &report); err != nil {
		t.Fatal(err)
	}
	for _, d := range report.Diagnoses {
		for _, s := range d.Steps {
			if len(s.Given) == 0 {
				continue
			}
			place := fmt.Sprintf("%s %d-%d", s.Given[0].DocID, s.Given[0].Start, s.Given[0].End)
			for lang, words := range map[string]string{"en": "  given (", "ja": "  与えた箇所（"} {
				told := b.must("diagnose", "closed", "--show", "--question", d.QuestionID, "--lang", lang).stdout
				if !strings.Contains(told, words) || !strings.Contains(told, place) {
					t.Errorf("%s: %q is not in\n%s", lang, place, told)
				}
			}
			return
		}
	}
	t.Fatal("no trial was given other contexts than the run's")
}

// TestWhyAScoreIsMissingIsSaidInWords: of an answer whose scores do not apply no code is printed, and no empty reference.
func TestWhyAScoreIsMissingIsSaidInWords(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.write("lounge.jsonl", `{"question_id": "lounge", "question": "Is there a lounge at the gate?", "answerable": false}`)
	b.must("dataset", "import", "{}/lounge.jsonl", "--name", "lounge", "--corpus", "faq")
	body, err := os.ReadFile(b.path("closed.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	b.write("lounge.yaml", strings.NewReplacer("dataset: faq", "dataset: lounge", "name: closed", "name: lounge").Replace(string(body)))
	b.must("run", "{}/lounge.yaml")
	code := regexp.MustCompile(`\b(no|not)_[a-z_]+|: unanswerable|\[\]`)
	for lang, words := range map[string][]string{
		"en": {"none: the documents do not answer the question", "not applicable. The question has no marked evidence."},
		"ja": {"正解       なし：文書に答えのない質問です", "適用外。質問に根拠の指定がありません。"},
	} {
		told := b.must("runs", "show", "lounge", "--question", "lounge", "--lang", lang).stdout
		if found := code.FindString(told); found != "" {
			t.Errorf("%s has the code %q:\n%s", lang, found, told)
		}
		for _, says := range words {
			if !strings.Contains(told, says) {
				t.Errorf("%s does not say %q:\n%s", lang, says, told)
			}
		}
	}
}

// metricIDs are the ids of metrics that have another name in Japanese.
func metricIDs() (ids []string) {
	for _, s := range metrics.Catalogue() {
		if s.TitleJA != s.ID {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// TestWhatIsPrintedOfADatasetIsJapanese: marks of questions, drafts with what was noticed at work, and endpoints.
func TestWhatIsPrintedOfADatasetIsJapanese(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.write("marks.jsonl", `{"id": "m1", "question": "Is there a lounge?", "answerable": false, "critical": true}`)
	b.must("dataset", "import", "{}/marks.jsonl", "--name", "marks")
	endpoint := func(url string) []string {
		return []string{"endpoint", "add", "prod", "--url", url, "--template", `{"q": "{{question}}"}`, "--answer", "a"}
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"dataset", "show", "marks"}, "重要、文書に答えなし、正解なし"},
		{[]string{"dataset", "draft", "faq", "--n", "40", "--out", "{}/draft.xlsx"}, "注：作れた質問は40件中"},
		{[]string{"dataset", "draft", "faq", "--n", "4", "--out", "{}/draft2.xlsx"}, "次に：案を読み、採用する行の review_status に"},
		{endpoint("https://rag.example/ask"), "エンドポイント prod を追加しました"},
		{endpoint("https://rag.example/ask"), "変更なし：エンドポイント prod"},
		{endpoint("https://rag.example/v2"), "エンドポイント prod を変更しました"},
		{[]string{"notify", "list"}, "通知先がありません"},
	} {
		o := b.must(append(c.args, "--lang", "ja")...)
		all := o.stdout + o.stderr
		if !strings.Contains(all, c.says) {
			t.Errorf("%v does not say %q:\n%s", c.args, c.says, all)
		}
		for line := range strings.Lines(all) {
			if found := sentence.FindString(notWords.ReplaceAllString(line, "")); found != "" && c.args[1] != "show" {
				t.Errorf("%v is English (%q):\n%s", c.args, found, line)
			}
		}
	}
}

// TestTablesAndMistakesAreJapanese: columns have different names, days of the week and mistakes of the command line are Japanese.
func TestTablesAndMistakesAreJapanese(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("experiment", "add", "{}/closed.yaml")
	b.must("schedule", "add", "weekly", "--experiment", "closed", "--cron", "0 6 * * 1", "--budget", "500calls")
	for _, c := range []struct {
		args []string
		says string
		not  string
	}{
		{[]string{"dataset", "draft", "faq", "--n", "4", "--plan"}, "料金（最大）", "judge"},
		{[]string{"schedule", "next", "weekly"}, "（月）", "Mon"},
		{[]string{"schedule", "add", "x", "--experiment", "closed", "--cron", "9 9 9"}, "欄が3個", "fields"},
		{[]string{"report"}, "必要です", "expected"},
	} {
		o := b.run(append(c.args, "--lang", "ja")...)
		said := o.stdout + o.stderr
		if !strings.Contains(said, c.says) || strings.Contains(said, c.not) {
			t.Errorf("%v: want %q and no %q:\n%s", c.args, c.says, c.not, said)
		}
		head, _, _ := strings.Cut(o.stdout, "\n")
		if columns := strings.Fields(head); len(columns) > 6 {
			if slices.Sort(columns); len(slices.Compact(columns)) < 8 {
				t.Errorf("%v has two columns of one name:\n%s", c.args, head)
			}
		}
	}
}
