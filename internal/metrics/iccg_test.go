package metrics

import (
	"testing"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/llm"
)

// iccCase is a worked case of the founding article: the wanted inclusion, contradiction and consistency.
type iccCase struct {
	name, reference, answer               string
	answerClaims                          []string
	against                               map[string]string // verdict of the reference on a claim of the answer
	included                              []string          // claims of the reference that the answer holds
	inclusion, contradiction, consistency float64
}

const iccQuestion = "RAGとは何の略で、何をする手法ですか？"

var iccReferenceClaims = []string{"RAGはRetrieval-Augmented Generationの略である。", "RAGは検索した知識を用いて生成する手法である。"}

var iccCases = []iccCase{
	{
		"all as wanted", "RAGはRetrieval-Augmented Generationの略で、検索した知識を用いて生成する手法。",
		"RAGはRetrieval-Augmented Generationで、検索と生成を組み合わせる技術です。",
		[]string{"RAGはRetrieval-Augmented Generationである。", "RAGは検索と生成を組み合わせる技術である。"},
		map[string]string{"RAGはRetrieval-Augmented Generationである。": supported, "RAGは検索と生成を組み合わせる技術である。": supported},
		iccReferenceClaims, 1, 0, 1,
	},
	{
		"inclusion fails", "RAGはRetrieval-Augmented Generationの略で、検索で得た知識を生成に取り込む手法。", "RAGは品質を高めるための生成テクニックです。",
		[]string{"RAGは品質を高めるための生成テクニックである。"},
		nil, nil, 0, 0, 1,
	},
	{
		"contradiction", "RAGはRetrieval-Augmented Generationの略で、検索で得た知識を生成に取り込む手法。",
		"RAGはRetrieval-Augmented Generationで、検索で得た知識を生成に取り込む手法ですが、検索は実は使わない生成技術です。",
		[]string{"RAGは検索で得た知識を生成に取り込む手法である。", "RAGは検索を実は使わない生成技術である。"},
		map[string]string{"RAGは検索で得た知識を生成に取り込む手法である。": supported, "RAGは検索を実は使わない生成技術である。": contradicted},
		iccReferenceClaims, 1, 1, 1,
	},
	{
		"consistency fails", "RAGはRetrieval-Augmented Generationの略で、検索で得た知識を生成に取り込む手法。",
		"ドロップアウトはニューラルネットの正則化手法で、学習時にランダムにユニットを無効化します。RAGはRetrieval-Augmented Generationの略で、検索した知識を用いて生成する手法。",
		[]string{"ドロップアウトは正則化手法である。", "RAGはRetrieval-Augmented Generationの略である。"},
		map[string]string{"RAGはRetrieval-Augmented Generationの略である。": supported},
		iccReferenceClaims, 1, 0, 0,
	},
}

// TestICCCases reproduces the four worked cases of the article from the verdicts that a reader of it would give.
func TestICCCases(t *testing.T) {
	t.Parallel()
	for _, c := range iccCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			judge := judgeOf(map[string][]string{c.reference: iccReferenceClaims}, nil)
			judge.replies[PurposeAnswer] = func(llm.Request) (string, error) {
				on := c.consistency == 1
				return encoded(answerReply{Claims: c.answerClaims, OnTopic: &on, Reason: "生成回答は質問の意図に沿っているかどうかという観点で、話題の逸脱の有無を確認した結果である。"}),
					nil
			}
			judge.replies[PurposeVerify] = func(req llm.Request) (string, error) {
				return encoded(verdictsOn(decode[verifyData](req), func(claim, passage string) string {
					if passage == c.reference {
						if v := c.against[claim]; v != "" {
							return v
						}
						return neither
					}
					for _, held := range c.included {
						if claim == held {
							return supported
						}
					}
					return neither
				})), nil
			}
			sample := Sample{Question: iccQuestion, Lang: "ja", Reference: c.reference, Answerable: true, Answer: c.answer}
			scores := scoresOf(t, judge, sample, "iccg")
			wantValue(t, scores, "inclusion", c.inclusion)
			wantValue(t, scores, "contradiction", c.contradiction)
			wantValue(t, scores, "consistency", c.consistency)
			wantReason(t, scores, "guidance", NotApplicable, "no_expected_urls")
			for _, id := range []string{"inclusion", "contradiction", "consistency"} {
				if n := utf8.RuneCountInString(scores[id].Reason); n < 10 || n > 120 {
					t.Errorf("%s explains itself in %d characters: %s", id, n, scores[id].Reason)
				}
			}
			if got := judge.count(""); got != 4 {
				t.Errorf("%d judge calls, want 4 with the reference's claims", got)
			}
		})
	}
}

func TestInclusionCountsKeyClaims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key  []int
		held []string
		want float64
	}{
		{[]int{1}, []string{"r1"}, 1},
		{[]int{2}, []string{"r1"}, 0},
		{nil, []string{"r1", "r2", "r3", "r4"}, 1},               // 4 of 5 are 0.8
		{nil, []string{"r1", "r2", "r3"}, 0},                     //
		{[]int{99, -1}, []string{"r1", "r2", "r3", "r4"}, 1},     // numbers that no claim has count for nothing
		{[]int{1, 2, 3}, []string{"r1", "r2", "r4", "r5"}, 0},    // 2 of 3
		{[]int{5, 5, 5, 1}, []string{"r1", "r5", "r2", "r3"}, 1}, // each once
	} {
		judge := judgeOf(nil, anywhere(c.held...))
		judge.replies[PurposeClaims] = saying(encoded(claimsReply{Claims: []string{"r1", "r2", "r3", "r4", "r5"}, Key: c.key}))
		wantValue(t, scoresOf(t, judge, exampleSample("c1"), "inclusion"), "inclusion", c.want)
	}
}

func TestGuidance(t *testing.T) {
	t.Parallel()
	urls := []string{"https://example.com/Manual/refunds", "http://docs.example.com/a?id=3"}
	for answer, want := range map[string]float64{
		"See https://example.com/Manual/refunds.":                        1,
		"詳細は（https://www.EXAMPLE.com/Manual/refunds/）をご覧ください。":           1,
		"[more](http://docs.example.com/a?id=3)":                         1,
		"See https://example.com/Manual/refunds-old":                     0,
		"See https://example.com/manual/refunds":                         0, // paths differ by case
		"See http://docs.example.com/a?id=4":                             0,
		"https://example.com/Manual/refunds#fees and other pages":        1,
		"example.com/Manual/refunds":                                     0,
		"See https://evil.example/?u=https://example.com/Manual/refunds": 0,
	} {
		sample := exampleSample()
		sample.Answer, sample.ExpectedURLs = answer, urls
		wantValue(t, scoresOf(t, fullJudge(), sample, "guidance"), "guidance", want)
	}
}

func TestUnanswerableIsRightWhenSaid(t *testing.T) {
	t.Parallel()
	sample := exampleSample("c1")
	sample.Answerable, sample.Reference = false, ""
	judge := fullJudge()
	judge.replies[PurposeParts] = saying(`{"parts":[{"part":"what","given":"no"}],"off":[]}`)
	judge.replies[PurposeRelevancy] = saying(`{"noncommittal":true,"questions":["one?","two?","three?"]}`)
	sample.Answer = "refusal" // the scripted judge takes an answer without claims as one
	scores := scoresOf(t, judge, sample, "all")
	for id, want := range map[string]float64{
		"refusal_handling": 1, "answer_relevancy": 1, "response_relevancy": 1, "answer_correctness": 1, "factual_correctness": 1,
		"inclusion": 1, "contradiction": 0,
	} {
		wantValue(t, scores, id, want)
	}
	sample.Answer = "a"
	scores = scoresOf(t, fullJudge(), sample, "all")
	for id, want := range map[string]float64{
		"refusal_handling": 0, "answer_correctness": 0, "factual_correctness": 0, "inclusion": 0, "contradiction": 1,
	} {
		wantValue(t, scores, id, want)
	}
	sample.Answerable, sample.Reference, sample.Answer = true, "r", "refusal"
	scores = scoresOf(t, judge, sample, "refusal_handling", "answer_relevancy")
	wantValue(t, scores, "refusal_handling", 0)
	wantValue(t, scores, "answer_relevancy", 0)
}
