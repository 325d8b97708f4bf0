package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

func TestAgreements(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		_, err := s.Agreement(ctx, "faq")
		wantProblem(t, err, problem.NotFound, "agreement_unknown")

		want := filled1[experiments.Agreement]()
		want.Dataset, want.Version, want.At = "faq", 1, at(1)
		stored, created, err := s.PutAgreement(ctx, want)
		ok(t, err)
		diff(t, want, stored)
		if !created {
			t.Error("a first agreement was not created")
		}

		again := want
		again.At = at(2) // the time of recording does not count
		stored, created, err = s.PutAgreement(ctx, again)
		ok(t, err)
		diff(t, want, stored)
		if created {
			t.Error("the same agreement was created twice")
		}

		second := want
		second.LowScore, second.At, second.Version = 3, at(3), 2
		stored, _, err = s.PutAgreement(ctx, second)
		ok(t, err)
		diff(t, second, stored)

		back := want // what an older version said is a new agreement: people changed their minds
		back.At, back.Version = at(4), 3
		stored, created, err = s.PutAgreement(ctx, back)
		ok(t, err)
		diff(t, back, stored)
		if !created {
			t.Error("returning to an older agreement made no version")
		}

		other := want
		other.Dataset, other.Version = "データ", 1
		_, _, err = s.PutAgreement(ctx, other)
		ok(t, err)
		diff(t, back, must[experiments.Agreement](t)(s.Agreement(ctx, "faq")))
		diff(t, []experiments.Agreement{back, second, want}, must[[]experiments.Agreement](t)(s.Agreements(ctx, "faq")))
		diff(t, []experiments.Agreement{back, second, want, other}, must[[]experiments.Agreement](t)(s.Agreements(ctx, "")))
	})
}

// TestAgreementsTogether lets several store different agreements at once: each gets a version of its own.
func TestAgreementsTogether(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		const writers = 8
		errs := make(chan error, writers)
		for i := range writers {
			go func() {
				a := filled1[experiments.Agreement]()
				a.Dataset, a.LowScore = "faq", 1+float64(i)/10
				_, _, err := s.PutAgreement(ctx, a)
				errs <- err
			}()
		}
		for range writers {
			ok(t, <-errs)
		}
		versions := map[int]float64{}
		for _, a := range must[[]experiments.Agreement](t)(s.Agreements(ctx, "faq")) {
			versions[a.Version] = a.LowScore
		}
		if len(versions) != writers || versions[writers] == 0 {
			t.Errorf("versions are %v, want 1 to %d", versions, writers)
		}
	})
}
