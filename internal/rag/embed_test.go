package rag

import (
	"math"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

func TestEmbeddersGiveUnitVectors(t *testing.T) {
	t.Parallel()
	texts := []string{"", " ", "a", "ab", "。", "の", "医療費控除", "The tax office opens at 8.30.", "𠮷か\u3099😀", "a\xff", "1,000"}
	for _, model := range []string{"hash", "ngram"} {
		vectors, err := offlineProvider().Embed(t.Context(), llm.Embedding{Model: model}, append(slices.Clone(texts), texts...))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range vectors {
			sum := 0.0
			for _, x := range v {
				sum += float64(x) * float64(x)
			}
			if math.Abs(math.Sqrt(sum)-1) > 1e-6 || len(v) != len(vectors[0]) {
				t.Errorf("%s: %q has length %v in %d dimensions", model, texts[i%len(texts)], math.Sqrt(sum), len(v))
			}
			if !slices.Equal(v, vectors[i%len(texts)]) {
				t.Errorf("%s: %q has two vectors", model, texts[i%len(texts)])
			}
		}
	}
}

func TestEmbeddersFoldForms(t *testing.T) {
	t.Parallel()
	for name, embed := range offline.Embedders() {
		if !slices.Equal(embed("ＡＢＣ ｶﾞｽ １２"), embed("abc ガス 12")) {
			t.Errorf("%s tells full-width from half-width forms", name)
		}
		if slices.Equal(embed("所得税"), embed("住民税")) {
			t.Errorf("%s does not tell two taxes apart", name)
		}
	}
}

// bilingual pairs a question with the only passage that answers it. Grammar and length are alike on purpose.
var bilingual = []struct{ question, passage string }{
	{"医療費控除を受けるには何が必要ですか。", "病院や薬局で払った医療費の合計が十万円を超えると控除があります。領収書から明細書を作ります。"},
	{"住宅ローン控除はいつ申告しますか。", "住宅の取得に借入金があるときは、入居した翌年に申告すると、残高に応じたローン控除があります。"},
	{"扶養親族の所得はいくらまでですか。", "親族を扶養している人は、その親族の所得が四十八万円までであれば、扶養の控除があります。"},
	{"生命保険料の証明書は必要ですか。", "保険会社から届く証明書を添えると、生命保険の保険料について控除があります。"},
	{"青色申告の承認はどうすれば受けられますか。", "事業を始めて二か月のうちに申請書を出すと、青色による申告の承認があります。"},
	{"退職金の税額はどう計算しますか。", "勤続年数に応じた額を引き、残りの半分に税率を掛けたものが退職所得の税額になります。"},
	{"ふるさと納税の限度額はいくらですか。", "自治体への寄附をした人の納税には限度があり、所得と家族の人数に応じた額になります。"},
	{"印紙税のかからない契約書はありますか。", "契約書の金額が一万円に満たないときは、収入印紙は要らないことになります。"},
	{"How long does a refund take?", "Once the parcel is back in the warehouse, the money is on its way and refunds arrive in 14 days."},
	{"Which damage does the warranty cover?",
		"Faults of the material are on us for two years: the warranty is for defects and not for water."},
	{"When is the order delivered?", "The courier is at the door in three to five days, and express orders are delivered on the next."},
	{"How can I close my account?", "In the settings there is a button for that: the account is closed at once and the data is gone."},
	{"Can I pay with a voucher?", "At the till there is a field for codes: a voucher is one of the ways to pay, next to the card."},
	{"Who may change the password?", "The administrator is the one to do that: for a new password there is a form in the portal."},
	{"Where are invoices stored?", "In the archive there is a folder for each year: an invoice is there for ten years at the least."},
	{"What is the limit for uploads?", "In the basic plan the files are up to 50 MB: an upload that is larger than that is not done."},
}

func TestNgramIsClearlyBetterThanHash(t *testing.T) {
	t.Parallel()
	hits := map[string]int{}
	for name, embed := range offline.Embedders() {
		vectors := make([][]float32, len(bilingual))
		for i, pair := range bilingual {
			vectors[i] = embed(pair.passage)
		}
		index := search.NewVectors(len(vectors))
		for _, v := range vectors {
			if err := index.Add(v); err != nil {
				t.Fatal(err)
			}
		}
		for i, pair := range bilingual {
			found, err := index.Search(t.Context(), embed(pair.question), nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			if found[0].Chunk == i {
				hits[name]++
			}
		}
	}
	t.Logf("hit@1 of %d: %v", len(bilingual), hits)
	if hits["ngram"] < len(bilingual)*3/4 || hits["ngram"] < hits["hash"]+3 {
		t.Errorf("hit@1 of %d: %v", len(bilingual), hits)
	}
}

func TestNgramIsBetterOnRealQuestions(t *testing.T) {
	t.Parallel()
	corpus, questions := taxQA(t)
	share := map[string]float64{}
	for _, model := range []string{"hash", "ngram"} {
		r := newRig(corpus.Documents...)
		s := r.open(t, func(c *Config) { c.Embedding.Name, c.Chunk.Size = model, 1000 })
		for _, q := range questions {
			retrieval, _, err := s.Retrieve(t.Context(), q.Question)
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(retrieval.Hits, func(h Hit) bool { return h.DocID == q.Evidence[0].DocID }) {
				share[model] += 1 / float64(len(questions))
			}
		}
	}
	t.Logf("evidence document in the top 3: %v", share)
	if share["ngram"] < 0.9 || share["ngram"] < share["hash"]+0.1 {
		t.Errorf("evidence document in the top 3: %v", share)
	}
}
