package metrics

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/text"
)

// labelledSet opens one of the data sets with people's labels.
func labelledSet[T any](t *testing.T, name, file string) []T {
	t.Helper()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(shared, "data", name, file)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
			t.Fatalf("the labelled data sets are required: %v", err)
		}
		t.Skipf("the labelled data sets are not here: %v", err)
	}
	return lines[T](t, path)
}

// halves calls measure with the even items, on which the judge was developed, the odd ones, which only check it, and all.
func halves[T any](items []T, measure func(half string, items []T)) {
	var parts [2][]T
	for i, item := range items {
		parts[i%2] = append(parts[i%2], item)
	}
	measure("developed", parts[0])
	measure("checked", parts[1])
	measure("all", items)
}

// floor prints a figure and fails where it is below the least that this judge has reached.
func floor(t *testing.T, half, what string, n int, got, least float64) {
	t.Helper()
	t.Logf("%-9s %-70s n = %3d  %.3f", half, what, n, got)
	if half == "all" && got < least {
		t.Errorf("%s: %.3f of %d, want at least %.3f", what, got, n, least)
	}
}

// auroc is the chance that a positive scores above a negative, ties half.
func auroc(positive, negative []float64) float64 {
	won := 0.0
	for _, a := range positive {
		for _, b := range negative {
			won += better(a, b)
		}
	}
	return won / float64(len(positive)*len(negative))
}

// better is 1 where a is above b, half where they are equal.
func better(a, b float64) float64 {
	switch {
	case a > b:
		return 1
	case a == b:
		return 0.5
	}
	return 0
}

// spearman is the rank correlation of two lists, ties at their mean rank.
func spearman(a, b []float64) float64 { return pearson(ranks(a), ranks(b)) }

func ranks(values []float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	out := make([]float64, len(values))
	for i, v := range values {
		first, _ := slices.BinarySearch(sorted, v)
		last := first
		for last < len(sorted) && sorted[last] == v {
			last++
		}
		out[i] = float64(first+last-1) / 2
	}
	return out
}

func pearson(a, b []float64) float64 {
	ma, mb := mean(a), mean(b)
	var ab, aa, bb float64
	for i := range a {
		ab += (a[i] - ma) * (b[i] - mb)
		aa += (a[i] - ma) * (a[i] - ma)
		bb += (b[i] - mb) * (b[i] - mb)
	}
	return ab / math.Sqrt(aa*bb)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// faithful is the share of the answer's claims that a context supports, as the metric of that name counts it.
func faithful(t *testing.T, answer string, contexts ...string) float64 {
	t.Helper()
	claims := offlineJudgement[claimsReply](t, PurposeClaims, claimsData{Text: answer}).Claims
	if len(claims) == 0 {
		return 1
	}
	supported := map[int]bool{}
	for _, c := range offlineJudgement[verifyReply](t, PurposeVerify, verifyData{Claims: number(claims), Passages: number(contexts)}).
		Verdicts {
		if c.Verdict == "supported" {
			supported[c.Claim] = true
		}
	}
	return float64(len(supported)) / float64(len(claims))
}

func TestOfflineJudgeOnBEGIN(t *testing.T) {
	t.Parallel()
	type item struct {
		Context, Message, Response string
		Human                      struct{ Attribution string }
	}
	items := slices.DeleteFunc(labelledSet[item](t, "judge_begin", "items.jsonl"),
		func(i item) bool { return i.Human.Attribution == "generic" })
	halves(items, func(half string, items []item) {
		scores := map[string][2][]float64{}
		right := 0.0
		for _, i := range items {
			k := 0
			if i.Human.Attribution == "attributable" {
				k = 1
			}
			trust := float64(judgeTrust(t, judgedCase{question: i.Message, answer: i.Response, contexts: []string{i.Context}}).Score)
			for name, v := range map[string]float64{"trust": trust, "faithfulness": faithful(t, i.Response, i.Context)} {
				s := scores[name]
				s[k] = append(s[k], v)
				scores[name] = s
			}
			if (trust >= 5) == (k == 1) {
				right++
			}
		}
		floor(t, half, "BEGIN trust, attributable or not, AUROC", len(items), auroc(scores["trust"][1], scores["trust"][0]), 0.92)
		floor(t, half, "BEGIN faithfulness, attributable or not, AUROC", len(items),
			auroc(scores["faithfulness"][1], scores["faithfulness"][0]), 0.86)
		floor(t, half, "BEGIN a trust of 5 means attributable, accuracy", len(items), right/float64(len(items)), 0.79)
	})
}

func TestOfflineJudgeOnHaluEval(t *testing.T) {
	t.Parallel()
	type item struct {
		Context, Question string
		Right             string `json:"right_answer"`
		Hallucinated      string `json:"hallucinated_answer"`
	}
	halves(labelledSet[item](t, "judge_halueval_qa", "items.jsonl"), func(half string, items []item) {
		var trust, correct float64
		for _, i := range items {
			of := func(answer string) (float64, float64) {
				c := judgedCase{question: i.Question, answer: answer, reference: i.Right, contexts: []string{i.Context}}
				return float64(judgeTrust(t, c).Score), float64(judgeCorrectness(t, c).Score)
			}
			rt, rc := of(i.Right)
			wt, wc := of(i.Hallucinated)
			trust += better(rt, wt)
			correct += better(rc, wc)
		}
		n := float64(len(items))
		floor(t, half, "HaluEval trust, right above hallucinated", len(items), trust/n, 0.90)
		floor(t, half, "HaluEval correctness, right above hallucinated", len(items), correct/n, 0.92)
	})
}

func TestOfflineJudgeOnRAGChecker(t *testing.T) {
	t.Parallel()
	type item struct {
		Question, Reference string
		A                   struct{ Text string } `json:"response_a"`
		B                   struct{ Text string } `json:"response_b"`
		Human               struct{ Correctness, Completeness, Overall []float64 }
	}
	halves(labelledSet[item](t, "judge_ragchecker", "items.jsonl"), func(half string, items []item) {
		var ours, correctness, overall []float64
		agreed, n := 0.0, 0
		for _, i := range items {
			a := judgeCorrectness(t, judgedCase{question: i.Question, answer: i.A.Text, reference: i.Reference}).Score
			b := judgeCorrectness(t, judgedCase{question: i.Question, answer: i.B.Text, reference: i.Reference}).Score
			ours = append(ours, float64(b-a))
			h := mean(i.Human.Correctness)
			correctness = append(correctness, h)
			overall = append(overall, mean(i.Human.Overall))
			if h != 0 {
				n++
				agreed += better(math.Copysign(1, h)*float64(b-a), 0)
			}
		}
		floor(t, half, "RAGChecker correctness, the better of two answers", n, agreed/float64(n), 0.65)
		floor(t, half, "RAGChecker correctness, Pearson with people", len(items), pearson(ours, correctness), 0.46)
		floor(t, half, "RAGChecker correctness, Spearman with people", len(items), spearman(ours, correctness), 0.43)
		floor(t, half, "RAGChecker correctness against people's overall, Pearson", len(items), pearson(ours, overall), 0.60)
	})
}

func TestOfflineJudgeOnMTRAG(t *testing.T) {
	t.Parallel()
	type answer struct {
		Task     string `json:"task_id"`
		Model    string
		Response string
		Human    struct{ Faithfulness, Completeness, Appropriateness []float64 }
	}
	type task struct {
		ID            string `json:"task_id"`
		Question      string
		Contexts      []string `json:"context_ids"`
		Reference     string
		Answerability []string
	}
	type document struct {
		ID   string `json:"doc_id"`
		Text string
	}
	tasks, texts := map[string]task{}, map[string]string{}
	for _, v := range labelledSet[task](t, "judge_mtrag", "tasks.jsonl") {
		tasks[v.ID] = v
	}
	for _, d := range labelledSet[document](t, "judge_mtrag", "contexts.jsonl") {
		texts[d.ID] = d.Text
	}
	halves(labelledSet[answer](t, "judge_mtrag", "items.jsonl"), func(half string, items []answer) {
		var trust, share, human []float64
		var good, bad, correct, complete []float64
		for _, a := range items {
			q := tasks[a.Task]
			c := judgedCase{question: q.Question, answer: a.Response, reference: q.Reference}
			for _, id := range q.Contexts {
				c.contexts = append(c.contexts, texts[id])
			}
			score, h := float64(judgeTrust(t, c).Score), mean(a.Human.Faithfulness)
			trust, share, human = append(trust, score), append(share, faithful(t, a.Response, c.contexts...)), append(human, h)
			if h <= 3 {
				bad = append(bad, score)
			} else {
				good = append(good, score)
			}
			if a.Model != "reference" {
				correct = append(correct, float64(judgeCorrectness(t, c).Score))
				complete = append(complete, (mean(a.Human.Completeness)+mean(a.Human.Appropriateness)+h)/3)
			}
		}
		floor(t, half, "MTRAG trust, Spearman with people's faithfulness", len(items), spearman(trust, human), 0.55)
		floor(t, half, "MTRAG faithfulness, Spearman with people's", len(items), spearman(share, human), 0.54)
		floor(t, half, "MTRAG trust, rated above 3 or not, AUROC", len(items), auroc(good, bad), 0.83)
		floor(t, half, "MTRAG correctness, Spearman with people's mean rating", len(correct), spearman(correct, complete), 0.50)
	})
}

// sentencePair is one pair of sentences with its relation.
type sentencePair struct{ Premise, Hypothesis, Label, Source, Category string }

func TestOfflineJudgeOnNLI(t *testing.T) {
	t.Parallel()
	for _, set := range []struct {
		name      string
		accuracy  float64
		supported float64
		conflict  float64
	}{{"nli_en", 0.75, 0.86, 0.88}, {"nli_ja", 0.70, 0.82, 0.74}} {
		halves(labelledSet[sentencePair](t, set.name, "pairs.jsonl"), func(half string, items []sentencePair) {
			verdicts := map[string]string{"supported": "entailment", "contradicted": "contradiction"}
			var entailed, not, contradicted, fine []float64
			right := 0.0
			confusion := map[string]int{}
			for _, i := range items {
				label := "neutral"
				for _, v := range offlineJudgement[verifyReply](t, PurposeVerify,
					verifyData{Claims: number([]string{i.Hypothesis}), Passages: number([]string{i.Premise})}).Verdicts {
					label = verdicts[v.Verdict]
				}
				confusion[i.Source+" "+i.Label+" as "+label]++
				if label == i.Label {
					right++
				}
				p := textual.NewPassage(i.Premise)
				v := p.Support(textual.DistinctTerms(i.Hypothesis))
				score := v.Strength
				if v.Contradicted {
					score--
				}
				if i.Label == "entailment" {
					entailed = append(entailed, v.Strength)
				} else {
					not = append(not, v.Strength)
				}
				if i.Label == "contradiction" {
					contradicted = append(contradicted, -score)
				} else {
					fine = append(fine, -score)
				}
			}
			t.Log(half, confusion)
			floor(t, half, set.name+" verdict, accuracy", len(items), right/float64(len(items)), set.accuracy)
			floor(t, half, set.name+" strength, entailed or not, AUROC", len(items), auroc(entailed, not), set.supported)
			floor(t, half, set.name+" contradicted or not, AUROC", len(items), auroc(contradicted, fine), set.conflict)
		})
	}
}

// BenchmarkOfflineJudge judges answers of several sentences over long contexts, as a sweep does: claims, matrix and both rubrics.
func BenchmarkOfflineJudge(b *testing.B) { benchmarkJudge(b, false) }

// BenchmarkOfflineJudgeAfresh remembers nothing.
func BenchmarkOfflineJudgeAfresh(b *testing.B) { benchmarkJudge(b, true) }

func benchmarkJudge(b *testing.B, afresh bool) {
	var cases []judgedCase
	for _, c := range append(englishCases[:len(englishCases):len(englishCases)], japaneseCases...) {
		for range 3 {
			c.contexts = append(c.contexts, c.contexts...)
		}
		if len(c.contexts) > 4 {
			c.contexts = c.contexts[:4]
		}
		cases = append(cases, c)
	}
	for b.Loop() {
		for _, c := range cases {
			if afresh {
				textual.Passages, textual.Claims = text.NewMemo(4096, textual.PreparePassage), text.NewMemo(4096, textual.PrepareClaim)
				textual.Statements, textual.Sentences = text.NewMemo(4096, textual.PrepareStatement),
					text.NewMemo(4096, textual.CutSentences)
				textual.Splits, refusing = text.NewMemo(4096, textual.CutClaims), text.NewMemo(4096, onlyRefusing)
			}
			judgeCorrectness(b, c)
			judgeTrust(b, c)
			list := offlineJudgement[claimsReply](b, PurposeClaims, claimsData{Text: c.answer}).Claims
			offlineJudgement[verifyReply](b, PurposeVerify, verifyData{Claims: number(list), Passages: number(c.contexts)})
		}
	}
}
