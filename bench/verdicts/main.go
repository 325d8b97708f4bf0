// Command verdicts sets what a large language model says of pairs of answers against careful readers: it plays the recorded
// replies of bench/recorded through `workbench validate verdicts`, on the 100 pairs that were chosen before anything was
// answered, on the 101 others, and on all of them. docs/evidence.md is the protocol.
//
//	go run ./bench/verdicts [-shared ../shared]
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/stats"
)

func main() {
	shared := flag.String("shared", cmp.Or(os.Getenv("WORKBENCH_SHARED"), "../shared"), "folder that holds cases/")
	flag.Parse()
	if err := run(context.Background(), *shared); err != nil {
		fmt.Fprintln(os.Stderr, "verdicts:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, shared string) error {
	first, source, err := recorded.Pairs(shared)
	if err != nil {
		return err
	}
	others, _, err := recorded.OtherPairs(shared)
	if err != nil {
		return err
	}
	return recorded.In(ctx, "", slices.Concat(recorded.Verdicts, recorded.OtherVerdicts), func(w *app.Workbench) error {
		all := slices.Concat(first, others)
		report, err := validations.ValidateVerdicts(ctx, w,
			validations.VerdictValidation{Judge: recorded.Judge, Pairs: all, Source: source})
		if err != nil {
			return err
		}
		n := len(first)
		fmt.Println("| pairs | rule | *worse*: precision | recall | *better*: precision | recall |\n|---|---|---|---|---|---|")
		for _, part := range []struct {
			name     string
			from, to int
		}{{"first", 0, n}, {"others", n, len(all)}, {"all", 0, len(all)}} {
			pairs, judged := all[part.from:part.to], report.Judged[part.from:part.to]
			row(fmt.Sprintf("%s %d", part.name, len(pairs)), "as built", pairs, judged, asBuilt)
			row("", "stricter", pairs, judged, stricter)
		}
		fmt.Println()
		decided(all, report.Judged)
		fmt.Println()
		fmt.Print(report.VerdictScore.Markdown("en", findings.CauseIn))
		return nil
	})
}

// rule says what became of a pair.
type rule func(p validation.ReadersPair, j validation.JudgedPair) compare.Label

func asBuilt(p validation.ReadersPair, j validation.JudgedPair) compare.Label {
	label, _ := p.Verdict(j)
	return label
}

// stricter is the rule that was tried on the other pairs and not built: two answers of the highest grade are not told apart further, and
// where both hold every key fact and as many of their claims contradict the right answer, one level of a grade decides nothing.
func stricter(p validation.ReadersPair, j validation.JudgedPair) compare.Label {
	label, by := p.Verdict(j)
	apart := j.Grades[0] - j.Grades[1]
	switch {
	case apart == 0 && j.Grades[0] == 5 && by != compare.ByRefusal:
		return compare.NoChange
	case (apart == 1 || apart == -1) && by == "" && whole(j.Facts[0]) && whole(j.Facts[1]) &&
		j.Facts[0].Contradicted == j.Facts[1].Contradicted:
		return compare.NoChange
	}
	return label
}

func whole(f *compare.AnswerFacts) bool {
	return f != nil && f.Matched && f.Key > 0 && f.Covered == f.Key
}

// row prints precision and recall of both words by a rule.
func row(name, which string, pairs []validation.ReadersPair, judged []validation.JudgedPair, by rule) {
	fmt.Printf("| %s | %s |", name, which)
	for _, word := range []compare.Label{compare.Worse, compare.Better} {
		said, there, right := 0, 0, 0
		for i, p := range pairs {
			saidSo, isSo := by(p, judged[i]) == word, p.Reader.Label() == word
			said, there = said+count(saidSo), there+count(isSo)
			right += count(saidSo && isSo)
		}
		fmt.Printf(" %s | %s |", share(right, said), share(right, there))
	}
	fmt.Println()
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// share is a part of a whole with its 95% interval.
func share(part, of int) string {
	if of == 0 {
		return "–"
	}
	in, err := stats.Wilson(part, of, 0.95)
	if err != nil {
		return fmt.Sprintf("%d of %d", part, of)
	}
	return fmt.Sprintf("%.2f (%d of %d; %.2f–%.2f)", float64(part)/float64(of), part, of, in.Low, in.High)
}

// decided prints how often each word was right, by what decided.
func decided(pairs []validation.ReadersPair, judged []validation.JudgedPair) {
	fmt.Println("| decided by | *worse* right of said | *better* right of said |\n|---|---|---|")
	for _, by := range []struct {
		tie  compare.TieBreak
		name string
	}{{"", "grades that differ"}, {compare.ByKeyFacts, "facts, where grades tie"},
		{compare.ByBothOrders, "both answers side by side, where facts tie too"}, {compare.ByRefusal, "refusal against wrong answer"}} {
		fmt.Printf("| %s |", by.name)
		for _, word := range []compare.Label{compare.Worse, compare.Better} {
			said, right := 0, 0
			for i, p := range pairs {
				if label, tie := p.Verdict(judged[i]); label == word && tie == by.tie {
					said, right = said+1, right+count(p.Reader.Label() == word)
				}
			}
			fmt.Printf(" %d of %d |", right, said)
		}
		fmt.Println()
	}
}
