package recorded

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/rag-workbench/workbench/bench/jsonlines"
	"github.com/rag-workbench/workbench/internal/llm"
)

// TestReadmeCountsRecordedRequests holds the number of recorded requests that the READMEs name against the replies in bench/ and demo/:
// different requests, each counted once, however often it was read.
func TestReadmeCountsRecordedRequests(t *testing.T) {
	t.Parallel()
	requests := map[llm.Key]bool{}
	count := func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		replies, err := jsonlines.Read[llm.RecordedReply]("../..", path)
		for _, r := range replies {
			if r.Key != "" && r.Text != "" {
				requests[r.Key] = true
			}
		}
		return err
	}
	for _, folder := range []string{"bench", "demo/recorded"} {
		if err := fs.WalkDir(os.DirFS("../.."), folder, count); err != nil {
			t.Fatal(err)
		}
	}
	number := message.NewPrinter(language.English).Sprint(len(requests))
	for _, name := range []string{"README.md", "README.ja.md"} {
		readme, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(readme), number) {
			t.Errorf("%s does not say that %s requests were recorded", name, number)
		}
	}
}
