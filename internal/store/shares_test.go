package store

import (
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

func shared(id string, runs ...string) experiments.Share {
	return experiments.Share{
		ID: id, Hash: "hash of " + id, Kind: experiments.ShareRun, Title: "値 " + id, Runs: runs, MadeBy: "Ann", CreatedAt: at(10),
		ExpiresAt: at(100), Pages: map[string][]byte{"en": []byte("page"), "ja": []byte(strings.Repeat("頁", 1000))},
	}
}

func TestShares(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		filled := filled1[experiments.Share]()
		filled.RevokedAt, filled.Pages = time.Time{}, map[string][]byte{"en": {}, "ja": {}}
		ok(t, s.CreateShare(ctx, filled))
		filled.Pages = nil
		diff(t, []experiments.Share{filled}, must[[]experiments.Share](t)(s.Shares(ctx)))

		ok(t, s.CreateShare(ctx, shared("one", "run-1", "run-2")))
		opens := func(id, lang string, seconds int) (string, int) {
			t.Helper()
			got, found, err := s.OpenShare(ctx, "hash of "+id, lang, at(seconds))
			ok(t, err)
			if found != (got.ID == id) {
				t.Fatalf("%t, %+v", found, got)
			}
			return string(got.Pages[lang]), got.Opened
		}
		if page, n := opens("one", "ja", 20); page != strings.Repeat("頁", 1000) || n != 1 {
			t.Errorf("%d characters, opened %d times", len(page), n)
		}
		if page, n := opens("one", "en", 99); page != "page" || n != 2 {
			t.Errorf("%q, opened %d times", page, n)
		}
		if page, _ := opens("one", "en", 100); page != "" {
			t.Error("an expired link opens")
		}
		if page, _ := opens("two", "en", 20); page != "" {
			t.Error("an unknown link opens")
		}
		revoked := must[experiments.Share](t)(s.RevokeShare(ctx, "one", at(30)))
		if revoked.RevokedAt != at(30) || revoked.Opened != 2 || revoked.OpenedAt != at(99) || revoked.Alive(at(31)) {
			t.Errorf("%+v", revoked)
		}
		diff(t, revoked, must[experiments.Share](t)(s.RevokeShare(ctx, "one", at(40))))
		if page, _ := opens("one", "en", 31); page != "" {
			t.Error("a revoked link opens")
		}
		var pages int
		ok(t, s.Orm.Raw("SELECT LENGTH(page_en) + LENGTH(page_ja) FROM share_links WHERE id = 'one'").Scan(&pages).Error)
		if pages != 0 {
			t.Errorf("%d bytes of a revoked page are kept", pages)
		}
		if _, err := s.RevokeShare(ctx, "none", at(0)); problem.CodeOf(err) != "share_unknown" {
			t.Error(err)
		}
	})
}

// TestSharesGo: with the last day, and with a run that the page rests on.
func TestSharesGo(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := queued(t, s, "a")
		ok(t, s.CreateShare(ctx, shared("of the run", "other", run.ID)))
		ok(t, s.CreateShare(ctx, shared("of another run", "other", run.ID+"0")))
		later := shared("later")
		later.ExpiresAt = at(300)
		ok(t, s.CreateShare(ctx, later))
		ids := func() string {
			var out []string
			for _, x := range must[[]experiments.Share](t)(s.Shares(ctx)) {
				out = append(out, x.ID)
			}
			return strings.Join(out, ", ")
		}
		ok(t, s.DeleteRun(ctx, run.ID))
		diff(t, "later, of another run", ids())
		ok(t, s.PrunePeople(ctx, at(200), experiments.Retention{}))
		diff(t, "later", ids())
	})
}
