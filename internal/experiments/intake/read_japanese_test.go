package intake

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestProblemsOfEvidenceAreJapanese provokes every problem of evidence, alone and as one piece of several, in a document and in the corpus.
func TestProblemsOfEvidenceAreJapanese(t *testing.T) {
	t.Parallel()
	twice := "休暇は三日前までに申請する。"
	corpus := rag.NewCorpus("規程", []rag.Document{
		{ID: "leave.md", Text: twice + "有給休暇の繰越しは翌年度末までとし、それを過ぎた分は消滅する。" + twice},
		{ID: "pay.md", Text: "給与は毎月二十五日に支払い、休日に当たるときは前日とする。"},
	})
	pieces := []any{
		"この会社に存在しない文です。", "有給休暇の繰越しは翌年度末までとし、そのあとは別の文です。", twice,
		"給与は…有給休暇の繰越し", "",
		map[string]any{"doc_id": "ghost.md", "start": 0, "end": 3}, map[string]any{"doc_id": "pay.md", "quote": twice},
		map[string]any{"doc_id": "pay.md", "quote": "給与は…休暇は三日前までに申請"},
		map[string]any{"doc_id": "leave.md", "quote": twice}, map[string]any{"doc_id": "leave.md", "start": 0, "end": 3, "quote": "有給休暇"},
		map[string]any{"doc_id": "leave.md", "start": 0, "end": 3, "quote": "ありません"},
		map[string]any{"doc_id": "leave.md", "start": 3, "end": 3}, map[string]any{"start": 0, "end": 3},
		map[string]any{"doc_id": "leave.md", "start": "x", "end": 3}, map[string]any{"doc_id": "leave.md", "start": 0, "end": 9999},
		map[string]any{"doc_id": "leave.md"}, map[string]any{"doc_id": []any{"a"}, "quote": "休暇"},
		map[string]any{"quote": "休暇\u0000"}, []any{"休暇"}, 7, `引用 "二重" の文; 存在しない文です。`,
	}
	provoked := 0
	for i, piece := range pieces {
		for _, evidence := range []any{piece, []any{piece, piece}} {
			line, err := json.Marshal(map[string]any{"question": fmt.Sprint("質問", i), "evidence": evidence})
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := read("q.jsonl", string(line), corpus, nil); err != nil {
				evaltest.InJapanese(t, err)
				provoked++
			}
			for _, doc := range []string{"pay.md", "ghost.md", "leave.md"} {
				cell := strings.ReplaceAll(fmt.Sprint(piece), `"`, `""`)
				if _, _, err := read("q.csv", fmt.Sprintf("question,evidence,evidence_doc_id\n質問,\"%s\",%s\n", cell, doc), corpus, nil); err != nil {
					evaltest.InJapanese(t, err)
					provoked++
				}
			}
		}
	}
	if provoked < 80 {
		t.Errorf("only %d problems were provoked", provoked)
	}
}
