package checkup

import (
	"context"
	"fmt"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// agreements holds what people signed against the results that are here. It is only noted: a run that was deleted and done anew, or that
// another place did too, has other results under the same name.
func agreements(ctx context.Context, p Place) (r Report, err error) {
	all, err := p.Store.Agreements(ctx, "")
	if problem.CodeOf(err) == "row_unreadable" {
		return r, nil // body tells of it
	}
	if err != nil {
		return r, err
	}
	for _, a := range all {
		if a.RunID == "" {
			continue
		}
		if run, err := p.Store.Run(ctx, a.RunID); err == nil && run.Chain != a.RunChain {
			r.Notes = append(r.Notes, doctor.Finding{Invariant: "agreement", Subject: "agreement " + a.Dataset,
				Message: fmt.Sprintf("version %d was signed on other results of run %s than are here", a.Version, a.RunID)})
		}
	}
	return r, nil
}
