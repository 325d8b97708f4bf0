package foreign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// refusal is what is said of a file that is refused, in both languages, and what is left to do.
func refusal(t *testing.T, file, body string, read func(path string) error) (en, ja string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), file)
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	err := read(path)
	if err == nil {
		t.Fatalf("%q was read", body)
	}
	p := problem.From(err)
	said := p.In("ja")
	return p.Message + "\n" + p.Hint, said.Message + "\n" + said.Hint
}

func imported(path string) error {
	_, err := ReadForeign(path, ForeignOptions{})
	return err
}

func comparedAlone(path string) error {
	_, err := ReadScores(path, ForeignOptions{})
	return err
}

// wantSaid checks that each of some parts is said.
func wantSaid(t *testing.T, said string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(said, part) {
			t.Errorf("%q is not said in %q", part, said)
		}
	}
}

// TestScoresWithoutAnswersSayWhatLacks: a table that a comparison reads is no file of nobody known where it is imported.
func TestScoresWithoutAnswersSayWhatLacks(t *testing.T) {
	t.Parallel()
	for file, body := range map[string]string{
		"asked.csv":   "question,reference,faithfulness\na?,x,0.5\nb?,y,0.6\n",
		"asked.tsv":   "質問\t正確さ\naとは\t5\nbとは\t4\n",
		"asked.json":  `[{"question":"a?","faithfulness":0.5},{"question":"b?","faithfulness":0.6}]`,
		"asked.jsonl": `{"question":"a?","faithfulness":0.5}`,
	} {
		en, ja := refusal(t, file, body, imported)
		wantSaid(t, en, "no column with the answers", "workbench compare OLD NEW", "COLUMN=answer")
		wantSaid(t, ja, "回答の列がありません", "workbench compare 旧 新")
	}
	en, ja := refusal(t, "ids.csv", "id,faithfulness\nq1,0.5\nq2,0.6\n", imported)
	wantSaid(t, en, "without questions and answers", "workbench compare OLD NEW", "beside the scores")
	wantSaid(t, ja, "workbench compare 旧 新", "加えてください")
	en, _ = refusal(t, "words.csv", "question,reference\na?,x\nb?,y\n", imported)
	wantSaid(t, en, "not recognised") // which are no scores that could be compared
}
