package store

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// What pruning frees is used for the calls of the next months: a database that is pruned every month does not grow by what it bought.
func TestPrunedRepliesMakeRoom(t *testing.T) {
	t.Parallel()
	s, ctx := newSQLite(t).open(t), t.Context()
	var run string
	const months, calls = 6, 60
	var pages []int
	for month := range months {
		run = created(t, s, experiments.Run{}, fmt.Sprint("q", month))
		for i := range calls {
			c := call(fmt.Sprintf("month%d-%d", month, i), run, 1)
			c.Request, c.SentAt = bytes.Repeat([]byte("r"), 2500), at(month*100) // with it a row takes more than half a page
			bought(t, s, c, 1)
		}
		over(t, stocked(t, s), run)
		report := must[records.PruneReport](t)(s.PruneReplies(ctx, at(month*100+50), false))
		if report.Replies != calls {
			t.Fatalf("%d replies are pruned in month %d", report.Replies, month)
		}
		var used int
		ok(t, s.Read(ctx).Raw("SELECT page_count FROM pragma_page_count").Scan(&used).Error)
		pages = append(pages, used)
	}
	// what stays of a call is a fifth of what it was, with its seal and its places in indexes a third
	if grown := float64(pages[months-1]-pages[0]) / (months - 1); grown > 0.5*calls {
		t.Errorf("the database grows by %.0f pages a month, which buys %d calls of more than half a page: %v", grown, calls, pages)
	}
	c := must[llm.Call](t)(s.Call(ctx, "month5-7"))
	if c.Request != nil || c.Reply != nil || c.ReplySHA256 == "" || c.RunID != run || !c.SentAt.Equal(at(500)) {
		t.Errorf("a pruned call is %+v", c)
	}
	if found, err := s.Check(ctx); err != nil || len(found) > 0 {
		t.Errorf("the doctor finds %+v %v", found, err)
	}
}

// Old replies are found without looking at every call that was ever made, and folded sweeps are listed without looking at their runs.
func TestWhatGrowsIsFoundByIndexes(t *testing.T) {
	t.Parallel()
	s, ctx := newSQLite(t).open(t), t.Context()
	run := created(t, s, experiments.Run{}, "q")
	young := created(t, s, experiments.Run{}, "r")
	bought(t, s, call("old", run, 1), 1)
	over(t, s, run)
	over(t, s, young) // may rest on what is pruned, as far as its row tells
	asked := noted(t, s)
	if report := must[records.PruneReport](t)(s.PruneReplies(ctx, at(100), false)); report.Replies != 1 || report.CacheEntries != 1 {
		t.Fatalf("%+v", report)
	}
	_, _, err := s.RunHeads(ctx, experiments.RunList{RunFilter: experiments.RunFilter{Roots: true, Folded: true}},
		experiments.Part{Sort: "created_at", Down: true, Limit: 51})
	ok(t, err)
	found := map[string]bool{}
	for _, q := range slices.Clone(*asked) {
		if strings.Contains(q, "IN (SELECT") {
			t.Errorf("PostgreSQL goes through the whole table for %s", q)
		}
		var plan []struct{ Detail string }
		ok(t, s.Read(ctx).Raw("EXPLAIN QUERY PLAN "+q).Scan(&plan).Error)
		counted := addsUp(t, s, q)
		for _, step := range plan {
			_, index, _ := strings.Cut(step.Detail, "INDEX ")
			index, _, _ = strings.Cut(index, " ")
			found[index] = true
			all := strings.HasPrefix(step.Detail, "SCAN") && index != "cache_pinned" && !counted
			once := strings.Contains(q, "`baselines`") || strings.Contains(q, "finished_at") // what is kept, and when each run ended
			if all && !once || strings.Contains(step.Detail, "LIST SUBQUERY") {
				t.Errorf("%s\n%s", step.Detail, q)
			}
		}
	}
	if !slices.ContainsFunc(*asked, func(q string) bool { return strings.Contains(q, "FROM cells") }) {
		t.Error("no run is asked what it rests on")
	}
	for _, index := range []string{"calls_to_prune", "cache_by_call", "cache_pinned", "runs_by_sweep"} {
		if !found[index] {
			t.Errorf("index %s is not used by %q", index, *asked)
		}
	}
}

// noted collects the statements that read.
func noted(t *testing.T, s *Store) *[]string {
	t.Helper()
	asked := new([]string)
	note := func(tx *gorm.DB) {
		if q := tx.Dialector.Explain(tx.Statement.SQL.String(), tx.Statement.Vars...); !strings.HasPrefix(q, "EXPLAIN") {
			*asked = append(*asked, q)
		}
	}
	calls := s.Read(t.Context()).Callback()
	ok(t, calls.Query().After("gorm:query").Register("note", note))
	ok(t, calls.Row().After("gorm:row").Register("note", note))
	ok(t, calls.Raw().After("gorm:raw").Register("note", note))
	return asked
}
