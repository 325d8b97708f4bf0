package intake

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// TestANameIsNoEvidence: the name of a document in an evidence cell says where the quote below it stands and is none itself, and without
// documents nobody says that these lack the quote.
func TestANameIsNoEvidence(t *testing.T) {
	t.Parallel()
	corpus := rag.NewCorpus("rules", []rag.Document{{ID: "旅費規程.md", Title: "旅費規程", Text: "旅費規程\n\n第1章\n日当は3,000円とする。\n" +
		"精算は出張が終わってから10日以内に行う。\n精算の窓口は総務部の経費係とする。\n"},
		{ID: "旧規程.md", Title: "旧規程", Text: "旧規程\n\n第1章\n日当は3,000円とする。\n"}})
	const sheet = "質問,正解,根拠（引用）\n日当は？,3000円です,\"旅費規程\n日当は3,000円とする。\"\n宿泊は？,1万円です,旅費規程.md\n" +
		"期限は？,10日です,精算は出張が終わってから10日以内に行う。\n窓口は？,総務です,精算の窓口は総務部の経費係とする。\n"
	d, _, err := read("q.csv", sheet, corpus, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := d.Questions
	if len(q[0].Evidence) != 1 || q[0].Evidence[0].Quote != "日当は3,000円とする。" || q[0].Evidence[0].DocID != "旅費規程.md" {
		t.Errorf("evidence %+v", q[0].Evidence)
	}
	if len(q[1].Evidence) != 0 || q[1].Metadata["根拠（引用）"] != "旅費規程.md" || q[0].Metadata["根拠（引用）"] != "旅費規程" {
		t.Errorf("evidence %+v, kept %v, %v", q[1].Evidence, q[0].Metadata, q[1].Metadata)
	}
	_, report, err := read("q.csv", sheet, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	en, ja := strings.Join(text.InEnglish(report.Notes), "\n"), ""
	for _, n := range report.Notes {
		ja += n.JA + "\n"
	}
	if !strings.Contains(en, "because no documents were given to find them in: --corpus NAME") || strings.Contains(en, "word for word") ||
		!strings.Contains(ja, "照合する文書の指定がないため") {
		t.Errorf("notes %s\n%s", en, ja)
	}
}
