package checkup

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// judgeCards compares the light of every judge card with its own figures and the goals that stand beside them.
func judgeCards(ctx context.Context, p Place) (r Report, err error) {
	cards, err := p.Store.JudgeCards(ctx)
	if err != nil {
		return r, err
	}
	for _, card := range cards {
		if wrong := card.WrongLights(); len(wrong) > 0 {
			r.Findings = append(r.Findings, doctor.Finding{Invariant: "card",
				Subject: "judge " + card.Judge + " " + card.MeasuredAt.UTC().Format("2006-01-02T15:04:05Z"),
				Message: "its light does not follow from its figures: " + strings.Join(said(wrong), "; ")})
		}
	}
	return r, nil
}

func said(wrong []validation.WrongLight) []string {
	out := make([]string, len(wrong))
	for i, w := range wrong {
		out[i] = w.String()
	}
	return out
}
