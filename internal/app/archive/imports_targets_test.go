package archive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
)

// TestATargetIsMetAtEveryDoorOrAtNone: of answers that were scored several times the mean of all votes is held against a target by what was
// agreed as by reports and release checks, and it is the mean that lists show of the run by itself.
func TestATargetIsMetAtEveryDoorOrAtNone(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	apart := 0
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 101))
		const n, votes = 12, 3
		var b strings.Builder
		b.WriteString("user_input,response,reference,faithfulness\n")
		all, first := 0.0, 0.0
		for i := range n {
			sum, scored := 0.0, 0.0
			for vote := range votes {
				fmt.Fprintf(&b, "How long is way %d of %d?,It is %d.,It is %d.,", i, seed, i, i)
				if vote == 0 || r.IntN(4) > 0 { // others may lack their score
					score := float64(r.IntN(21)) / 20
					if sum, scored = sum+score, scored+1; vote == 0 {
						first += score / n
					}
					fmt.Fprintf(&b, "%g", score)
				}
				b.WriteString("\n")
			}
			all += sum / scored / n
		}
		name := fmt.Sprintf("set%d", seed)
		got, err := w.ImportResults(t.Context(), w.Write(t, name+".csv", b.String()), app.ResultsOptions{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		e, err := experiments.LoadEvaluation(t.Context(), w.Store, got.RunID)
		if err != nil {
			t.Fatal(err)
		}
		metric, middle := got.Metrics[0].ID, (all+first)/2
		if _, _, err = reviews.SetAgreement(t.Context(), w.Workbench, got.Dataset.Name, reviews.AgreementChange{
			File:    experiments.AgreementFile{AgreedBy: &[]string{"me"}},
			Targets: []experiments.Target{{Goal: experiments.Goal{Metric: metric, Target: middle}}}}); err != nil {
			t.Fatal(err)
		}
		in := findings.Input{Candidate: e}
		if err := reporting.AgreedOn(t.Context(), w.Workbench, &in); err != nil {
			t.Fatal(err)
		}
		shown, err := reviews.ProgressOf(t.Context(), w.Workbench, e, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		run := experiments.Total(e.Results, experiments.UsualLow(2)).Scores[metric]
		told, own := in.Agreement.Targets[0], shown.Targets[0]
		if told.Now == nil || own.Now == nil || math.Abs(*told.Now-all) > 1e-9 || *told.Now != *own.Now || told.State != own.State ||
			math.Abs(run.Mean-all) > 1e-9 {
			t.Errorf("seed %d: the mean of the votes that were scored is %v: reports %+v, agreement %+v, run %+v", seed, all, told, own, run)
		}
		if said := strings.Join(got.Notes, "\n"); !strings.Contains(said, foreign.OfVotes) {
			t.Errorf("seed %d: the run's figure is such a mean, and the import says:\n%s", seed, said)
		}
		if (all < middle) != (first < middle) {
			apart++
		}
	}
	if apart < 4 {
		t.Errorf("the first votes say the same %d times", 6-apart)
	}
}
