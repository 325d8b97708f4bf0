package foreign

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// TestColumnsOfVotes: names that only a repetition has are votes of one metric; those that may be raters, rounds or systems are asked
// about; numbers that make another metric are neither.
func TestColumnsOfVotes(t *testing.T) {
	t.Parallel()
	const fold, ask = "votes of one metric", "metrics, each for itself"
	for names, want := range map[string][2]string{
		"faithfulness run 1|faithfulness run 2|faithfulness run 3": {fold, "faithfulness"},
		"score_1|score_2|score_3":                                  {fold, "score"},
		"評価1|評価2|評価3|備考点":                                          {fold, "評価"},
		"評価①|評価②":                                                  {fold, "評価"},
		"Overall Score (1)|Overall Score (2)":                      {fold, "Overall Score"},
		"正確性（1回目）|正確性（2回目）":                                        {fold, "正確性"},
		"1回目_正確性|2回目_正確性":                                          {fold, "正確性"},
		"正確性 試行1|正確性 試行2":                                          {fold, "正確性"},
		"run1_faithfulness|run2_faithfulness":                      {fold, "faithfulness"},
		"score_vote1|score_vote2":                                  {fold, "score"},
		"hit@1 trial 1|hit@1 trial 2":                              {fold, "hit@1"},
		"AnswerRelevancy0|AnswerRelevancy1":                        {fold, "AnswerRelevancy"},
		"r1|r2":                                                    {ask, ""},
		"run 1|run 2":                                              {ask, ""}, // two systems, perhaps
		"1回目|2回目":                                                  {ask, ""},
		"正確性 r1|正確性 r2|正確性 r3|平均":                                  {ask, ""},
		"score rater 1|score rater 2":                              {ask, ""},
		"採点者1|採点者2":                                                {ask, ""},
		"正確性 第1回|正確性 第2回":                                          {ask, ""},
		"score_1|score_3":                                          {ask, ""}, // one is missing
		"score|score_1|score_2":                                    {ask, ""}, // the first may be their mean
		"rouge r1|rouge r2":                                        {"", ""}, "rouge1|rouge2": {"", ""},
		"f1|hit@1|hit@3": {"", ""}, "top_1|top_2": {"", ""},
		"precision_1|precision_2": {"", ""}, "bleu_1|bleu_2": {"", ""}, "評価項目1|評価項目2": {"", ""}, "正確性 r1|網羅性 r1": {"", ""},
		"per1|per2": {"", ""}, "score_1|rating_2": {"", ""}, "q1 score|q2 score": {"", ""},
	} {
		list := strings.Split(names, "|")
		metrics, _, told := ForeignOptions{}.folded(list, func(string) []float64 { return nil })
		said := strings.Join(text.InEnglish(told), "")
		if !strings.Contains(said, want[0]) || (want[0] == "") != (said == "") || want[0] == fold && metrics[0] != want[1] ||
			want[0] != fold && len(metrics) != len(list) {
			t.Errorf("%s: %q %q", names, metrics, said)
		}
		metrics, _, _ = ForeignOptions{VoteColumns: VotesApart}.folded(list, func(string) []float64 { return nil })
		if len(metrics) != len(list) {
			t.Errorf("%s, apart: %q", names, metrics)
		}
		metrics, _, _ = ForeignOptions{VoteColumns: VotesFold}.folded(list, func(string) []float64 { return nil })
		if (len(metrics) < len(list)) != (want[0] != "") {
			t.Errorf("%s, folded: %q", names, metrics)
		}
	}
}

// TestColumnsOnTwoScalesAreNoVotes: a share of 1 and points do not become one mean unasked.
func TestColumnsOnTwoScalesAreNoVotes(t *testing.T) {
	t.Parallel()
	numbers := map[string][]float64{"score 1": {0.5, 1, 0}, "score 2": {4, 5, 1}}
	metrics, _, said := ForeignOptions{}.folded([]string{"score 1", "score 2"}, func(name string) []float64 { return numbers[name] })
	if len(metrics) != 2 || len(said) != 1 || !strings.Contains(said[0].JA, "別々の指標") {
		t.Errorf("%q %v", metrics, said)
	}
}

// TestVotesInColumnsAreVotes: generated tables, with and without ids, in both kinds of file. The mean of each question is that of the
// cells as they were made; what is missing is no vote and no 0.
func TestVotesInColumnsAreVotes(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(12, 0))
	for n := range 60 {
		votes, rows, withIDs, withAnswer := 2+rng.IntN(3), 3+rng.IntN(5), rng.IntN(2) == 0, rng.IntN(2) == 0
		header := []string{"question"}
		if withIDs {
			header = append(header, "question_id")
		}
		if withAnswer {
			header = append(header, "answer")
		}
		for v := range votes {
			header = append(header, fmt.Sprintf("正確性%d回目", v+1))
		}
		lines, want := []string{strings.Join(append(header, "関連性"), "¦")}, make([][]float64, rows)
		for i := range rows {
			cells := []string{fmt.Sprintf("What is thing %d?", i)}
			if withIDs {
				cells = append(cells, fmt.Sprintf("k%d", i))
			}
			if withAnswer {
				cells = append(cells, "It is this.")
			}
			for range votes {
				if rng.IntN(6) == 0 {
					cells = append(cells, "")
					continue
				}
				score := float64(1 + rng.IntN(5))
				cells, want[i] = append(cells, fmt.Sprint(score)), append(want[i], score)
			}
			lines = append(lines, strings.Join(append(cells, "3"), "¦"))
		}
		for _, path := range bothWays(t, strings.Join(lines, "\n")) {
			table, err := ReadScores(path, ForeignOptions{})
			if err != nil || len(table.Metrics) != 2 || table.Metrics[0] != "正確性" || len(table.Items) != rows || len(table.Doubled) > 0 {
				t.Fatalf("%d: %+v %v\n%s", n, table, err, strings.Join(lines, "\n"))
			}
			for i, item := range table.Items {
				if sum(item.Scores[0]) != sum(want[i]) || len(item.Scores[0]) != len(want[i]) || len(item.Scores[1]) != 1 {
					t.Fatalf("%d: %v, want %v\n%s", n, item.Scores, want[i], strings.Join(lines, "\n"))
				}
			}
			apart, err := ReadScores(path, ForeignOptions{VoteColumns: VotesApart})
			if err != nil || len(apart.Metrics) != votes+1 {
				t.Fatalf("%d, apart: %+v %v", n, apart, err)
			}
		}
	}
}

func sum(list []float64) (s float64) {
	for _, v := range list {
		s += v
	}
	return math.Round(s)
}

// TestVotesInColumnsBecomeVotesOfARun: an import keeps the first vote as the answer's and the others as its votes, without the scores that
// were given once.
func TestVotesInColumnsBecomeVotesOfARun(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.csv")
	body := "question,answer,score_1,score_2,score_3,tone\nHow long?,Ten days at a@b.example.,4,5,,2\nPets?,No.,1,2,3,3\n"
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := ReadForeign(path, ForeignOptions{Mask: []string{"email"}, Higher: []string{"tone"}})
	if err != nil {
		t.Fatal(err)
	}
	log, _, err := f.Log("a", experiments.NewDataset("a", f.Questions()))
	if err != nil || len(log.Answers) != 2 || len(log.Answers[0].Votes) != 2 || log.Answers[0].Votes[0].Answer != log.Answers[0].Answer {
		t.Fatalf("%+v %v", log, err)
	}
	if first, last := log.Answers[0], log.Answers[0].Votes[1]; len(first.Scores) != 2 || len(last.Scores) != 1 ||
		last.Scores[0].Value != nil {
		t.Errorf("%+v", first)
	}
	notes := strings.Join(f.Notes, "\n")
	for _, want := range []string{"score_1, score_2, score_3 are read as 3 votes of one metric, score", "no score in line 2: missing",
		OfVotes, "masked as [email]: 1 place"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in\n%s", want, notes)
		}
	}
	if _, err := ReadScores(path, ForeignOptions{VoteColumns: "mean"}); err == nil || problem.From(err).Code != "results_vote_columns" {
		t.Errorf("%v", err)
	}
}

// TestASingleVoteMeetsTheVotesOfAnotherFile: score_1 in one file is a vote of score, of which the other holds three.
func TestASingleVoteMeetsTheVotesOfAnotherFile(t *testing.T) {
	t.Parallel()
	read := func(body string) *ScoreTable {
		table, err := ReadScores(broughtFile(t, "a.csv", body, nil), ForeignOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	votes := read("id,score_1,score_2,score_3\nq1,1,0.5,1\nq2,0,0,0.5\n")
	for body, want := range map[string]string{
		"id,score_1\nq1,1\nq2,0\n":                   "score",
		"id,score\nq1,1\nq2,0\n":                     "score",
		"id,score run 1,clarity\nq1,1,2\nq2,0,3\n":   "score clarity",
		"id,score_1,score\nq1,1,1\nq2,0,0\n":         "score_1 score",
		"id,quality_1\nq1,1\nq2,0\n":                 "quality_1",
		"id,rater 1,rater 3\nq1,1,0.5\nq2,0,0.25\n":  "rater 1 rater 3",
		"id,score_1,score_4,x\nq1,1,0,2\nq2,0,1,2\n": "score_1 score_4 x",
	} {
		one := read(body)
		b, a, renamed := SameVotes(votes, one)
		back, _, again := SameVotes(one, votes)
		if got := strings.Join(a.Metrics, " "); got != want || strings.Join(back.Metrics, " ") != want ||
			strings.Join(b.Metrics, " ") != "score" || len(renamed) != len(again) {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
		if changed := want != strings.Join(one.Metrics, " "); changed != (len(renamed) == 1) {
			t.Errorf("%s: told %v", body, renamed)
		}
	}
}
