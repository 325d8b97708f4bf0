// Command judge measures the offline judge against people's labels in the shared data sets and prints a Markdown table.
//
//	go run ./bench/judge [SHARED]
//
// SHARED is the folder that holds data/; the default is $WORKBENCH_SHARED, else ../shared.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

func main() {
	shared := "../shared"
	if v := os.Getenv("WORKBENCH_SHARED"); v != "" {
		shared = v
	}
	if len(os.Args) > 1 {
		shared = os.Args[1]
	}
	if err := run(filepath.Join(shared, "data")); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

func run(data string) error {
	judge, err := newJudge()
	if err != nil {
		return err
	}
	fmt.Println("| data set | what is asked | items | offline judge | chance |\n|---|---|---|---|---|")
	for _, measure := range []func(*scorer, string) error{begin, halueval, ragchecker, wikieval} {
		if err := measure(judge, data); err != nil {
			return err
		}
	}
	return nil
}

// scorer scores one answer with the offline judge.
type scorer struct{ suite *metrics.Suite }

type offlineOnly struct{ only llm.Provider }

func (o offlineOnly) Provider(string) (llm.Provider, error) { return o.only, nil }

// nothing forgets every stage output: each item is judged once.
type nothing struct{}

func (nothing) Stage(context.Context, string) ([]byte, bool, error) { return nil, false, nil }
func (nothing) PutStage(context.Context, rag.Stage) error           { return nil }

func newJudge() (*scorer, error) {
	specs, err := metrics.Resolve([]string{"correctness", "trust", "faithfulness"})
	if err != nil {
		return nil, err
	}
	provider := llm.NewOffline(metrics.OfflineHandlers(), rag.OfflineEmbedders())
	suite, err := metrics.NewSuite(specs, metrics.DefaultJudge(), offlineOnly{provider}, nothing{})
	return &scorer{suite}, err
}

// score returns the values of the metrics that apply.
func (j *scorer) score(question, answer, reference string, contexts ...string) (map[string]float64, error) {
	s := metrics.Sample{Question: question, Lang: text.Language(question + answer), Answer: answer, Reference: reference, Answerable: true}
	for _, c := range contexts {
		s.Contexts = append(s.Contexts, rag.Hit{Text: c})
	}
	scores, err := j.suite.Score(context.Background(), s)
	out := map[string]float64{}
	for _, score := range scores {
		if score.State == metrics.Scored {
			out[score.Metric] = score.Value
		}
	}
	return out, err
}

func begin(j *scorer, data string) error {
	type item struct {
		Context, Message, Response string
		Human                      struct{ Attribution string }
	}
	var yes, no []float64
	err := each(filepath.Join(data, "judge_begin", "items.jsonl"), func(i item) error {
		if i.Human.Attribution == "generic" {
			return nil
		}
		v, err := j.score(i.Message, i.Response, "", i.Context)
		if i.Human.Attribution == "attributable" {
			yes = append(yes, v["trust"])
		} else {
			no = append(no, v["trust"])
		}
		return err
	})
	row("judge_begin", "trust separates attributable from not attributable (AUROC)", len(yes)+len(no), auroc(yes, no))
	return err
}

func halueval(j *scorer, data string) error {
	type item struct {
		Context, Question string
		Right             string `json:"right_answer"`
		Hallucinated      string `json:"hallucinated_answer"`
	}
	var trust, correct pairs
	err := each(filepath.Join(data, "judge_halueval_qa", "items.jsonl"), func(i item) error {
		right, err := j.score(i.Question, i.Right, i.Right, i.Context)
		if err != nil {
			return err
		}
		wrong, err := j.score(i.Question, i.Hallucinated, i.Right, i.Context)
		trust.add(right["trust"], wrong["trust"])
		correct.add(right["correctness"], wrong["correctness"])
		return err
	})
	row("judge_halueval_qa", "trust ranks the right answer above the hallucinated one (ties half)", trust.n, trust.share())
	row("judge_halueval_qa", "correctness ranks the right answer above the hallucinated one (ties half)", correct.n, correct.share())
	return err
}

func ragchecker(j *scorer, data string) error {
	type item struct {
		Question, Reference string
		A                   struct{ Text string } `json:"response_a"`
		B                   struct{ Text string } `json:"response_b"`
		Human               struct{ Correctness []float64 }
	}
	var p pairs
	err := each(filepath.Join(data, "judge_ragchecker", "items.jsonl"), func(i item) error {
		sum := 0.0
		for _, h := range i.Human.Correctness {
			sum += h
		}
		if sum == 0 {
			return nil // people call it a tie
		}
		a, err := j.score(i.Question, i.A.Text, i.Reference)
		if err != nil {
			return err
		}
		b, err := j.score(i.Question, i.B.Text, i.Reference)
		if sum > 0 {
			p.add(b["correctness"], a["correctness"])
		} else {
			p.add(a["correctness"], b["correctness"])
		}
		return err
	})
	row("judge_ragchecker", "correctness agrees with people on which of two answers is better (ties half)", p.n, p.share())
	return err
}

func wikieval(j *scorer, data string) error {
	texts := map[string]string{}
	type document struct {
		ID   string `json:"doc_id"`
		Text string
	}
	if err := each(filepath.Join(data, "wikieval", "corpus.jsonl"), func(d document) error { texts[d.ID] = d.Text; return nil }); err != nil {
		return err
	}
	type item struct {
		Question, Reference string
		Ungrounded          string `json:"answer_ungrounded"`
		Evidence            []struct {
			DocID string `json:"doc_id"`
		}
	}
	var p pairs
	err := each(filepath.Join(data, "wikieval", "questions.jsonl"), func(i item) error {
		ideal := texts[i.Evidence[0].DocID]
		grounded, err := j.score(i.Question, i.Reference, "", ideal)
		if err != nil {
			return err
		}
		ungrounded, err := j.score(i.Question, i.Ungrounded, "", ideal)
		p.add(grounded["faithfulness"], ungrounded["faithfulness"])
		return err
	})
	row("wikieval", "faithfulness ranks the grounded answer above the ungrounded one (ties half)", p.n, p.share())
	return err
}

// pairs counts how often the better answer got the higher score.
type pairs struct {
	won float64
	n   int
}

func (p *pairs) add(better, worse float64) {
	p.n++
	switch {
	case better > worse:
		p.won++
	case better == worse:
		p.won += 0.5
	}
}

func (p *pairs) share() float64 { return p.won / float64(p.n) }

// auroc is the chance that a positive scores above a negative, ties half.
func auroc(positive, negative []float64) float64 {
	var p pairs
	for _, a := range positive {
		for _, b := range negative {
			p.add(a, b)
		}
	}
	return p.share()
}

func row(data, asked string, n int, value float64) {
	fmt.Printf("| %s | %s | %d | %.2f | 0.50 |\n", data, asked, n, value)
}

// each decodes the lines of a file.
func each[T any](path string, use func(T) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var item T
		if err := json.Unmarshal(lines.Bytes(), &item); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := use(item); err != nil {
			return err
		}
	}
	return lines.Err()
}
