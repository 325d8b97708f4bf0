package rag

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
)

// pressures hears what a budget causes.
type pressures struct {
	mu  sync.Mutex
	all []Pressure
}

func (p *pressures) hear(one Pressure) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, one)
}

func (p *pressures) kinds() (kinds []string) {
	for _, one := range p.all {
		kinds = append(kinds, one.Kind)
	}
	return kinds
}

// roomFor is a budget that holds any one of the configurations, and no two of them.
func roomFor(t *testing.T, corpus *Corpus, configs ...Config) int64 {
	t.Helper()
	largest := int64(0)
	for _, c := range configs {
		b := NewBudget(1<<40, nil)
		_, release, err := NewIndexes(1).Under(b).Get(t.Context(), c, corpus, offlineOnly())
		if err != nil {
			t.Fatal(err)
		}
		largest = max(largest, b.Use().Most)
		release()
	}
	return largest
}

// Of two indexes one fits: each use of the other gives up the first, which is said, and what they find is the same as without a budget.
func TestBudgetGivesUpWhatNobodyUses(t *testing.T) {
	t.Parallel()
	corpus, providers := NewCorpus("test", manual()), offlineOnly()
	a, b := sized(20, "hybrid"), sized(30, "hybrid")
	heard := &pressures{}
	budget := NewBudget(roomFor(t, corpus, a, b)+4000, heard.hear)
	bounded, free := NewIndexes(2).Under(budget), NewIndexes(2)
	for round := range 3 {
		for _, c := range []Config{a, b} {
			var found [2][]Hit
			for i, indexes := range []*Indexes{bounded, free} {
				index, release, err := indexes.Get(t.Context(), c, corpus, providers)
				if err != nil {
					t.Fatal(err)
				}
				if found[i], err = index.search(t.Context(), "医療費控除 refund", 5); err != nil {
					t.Fatal(err)
				}
				release()
			}
			if diff := cmp.Diff(found[1], found[0]); diff != "" || len(found[0]) == 0 {
				t.Errorf("round %d: with a budget is found (-without +with)\n%s", round, diff)
			}
		}
	}
	given, rebuilt := PressureGivenUp, PressureRebuilt
	want := []string{given, rebuilt, given, rebuilt, given, rebuilt, given, rebuilt, given}
	kinds := heard.kinds()
	slices.Sort(kinds)
	slices.Sort(want)
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("said was (-want +got)\n%s", diff)
	}
	use := budget.Use()
	if use.GivenUp != 5 || use.Rebuilt != 4 {
		t.Errorf("counted were %+v", use)
	}
	for _, p := range heard.all {
		if p.Limit != use.Limit || p.Kind == PressureGivenUp && (p.Freed <= 0 || p.Held > p.Limit) {
			t.Errorf("said was %+v", p)
		}
	}
	if free.Budget().Use() != nil {
		t.Error("without a budget something was counted")
	}
}

// What several indexes hold together counts, whoever keeps them.
func TestBudgetIsShared(t *testing.T) {
	t.Parallel()
	corpus, providers := NewCorpus("test", manual()), offlineOnly()
	a, b := sized(20, "dense"), sized(30, "dense")
	budget := NewBudget(roomFor(t, corpus, a, b), nil)
	first, second := NewIndexes(2).Under(budget), NewIndexes(2).Under(budget)
	_, release, err := first.Get(t.Context(), a, corpus, providers)
	if err != nil {
		t.Fatal(err)
	}
	release()
	if _, release, err = second.Get(t.Context(), b, corpus, providers); err != nil {
		t.Fatal(err)
	}
	release()
	if len(first.items) != 0 || len(second.order) != 1 {
		t.Errorf("the first keep %d, the second %d", len(first.order), len(second.order))
	}
}

// Indexes in use stay, nobody waits, and it is said once that they are more than the budget.
func TestBudgetDoesNotTakeWhatIsInUse(t *testing.T) {
	t.Parallel()
	corpus, providers := NewCorpus("test", manual()), offlineOnly()
	a, b := sized(20, "dense"), sized(30, "dense")
	heard := &pressures{}
	indexes := NewIndexes(2).Under(NewBudget(roomFor(t, corpus, a, b)+2000, heard.hear))
	inUse, releaseA, err := indexes.Get(t.Context(), a, corpus, providers)
	if err != nil {
		t.Fatal(err)
	}
	_, releaseB, err := indexes.Get(t.Context(), b, corpus, providers)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{PressureOver}, heard.kinds()); diff != "" {
		t.Errorf("said was (-want +got)\n%s", diff)
	}
	if hits, err := inUse.search(t.Context(), "refund", 3); err != nil || len(hits) != 3 {
		t.Errorf("%d hits, %v", len(hits), err)
	}
	releaseB()
	releaseA()
	if diff := cmp.Diff([]string{PressureOver, PressureGivenUp}, heard.kinds()); diff != "" {
		t.Errorf("after their work was said (-want +got)\n%s", diff)
	}
}

// An index that alone is larger is refused before it is whole, and the next one that fits is built.
func TestBudgetRefusesWhatNeverFits(t *testing.T) {
	t.Parallel()
	corpus, providers := NewCorpus("test", manual()), offlineOnly()
	small := sized(1000, "bm25")
	indexes := NewIndexes(2).Under(NewBudget(roomFor(t, corpus, small), nil))
	_, _, err := indexes.Get(t.Context(), sized(20, "hybrid"), corpus, providers)
	what := problem.From(err)
	if what == nil || what.Code != "index_over_memory" || !strings.Contains(what.Message, "--memory") || what.Hint == "" {
		t.Fatalf("error %v", err)
	}
	if len(indexes.items) != 0 {
		t.Errorf("%d layers are left over", len(indexes.items))
	}
	_, release, err := indexes.Get(t.Context(), small, corpus, providers)
	if err != nil {
		t.Fatal(err)
	}
	release()
}

// Many users of many indexes under a budget that holds one of them: all come to an end, and find what they always find.
func TestBudgetWithManyUsers(t *testing.T) {
	t.Parallel()
	corpus, providers := NewCorpus("test", manual()), offlineOnly()
	var configs []Config
	for _, size := range []int{20, 30, 40} {
		configs = append(configs, sized(size, "bm25"), sized(size, "hybrid"))
	}
	find := func(indexes *Indexes, c Config, query string) string {
		index, release, err := indexes.Get(context.Background(), c, corpus, providers)
		if err != nil {
			return err.Error()
		}
		defer release()
		hits, err := index.search(context.Background(), query, 4)
		return fmt.Sprintln(hits, err)
	}
	want, free := map[int]string{}, NewIndexes(len(configs))
	for i, c := range configs {
		want[i] = find(free, c, "refund 医療費")
	}
	budget := NewBudget(roomFor(t, corpus, configs...)+2000, nil)
	indexes := NewIndexes(4).Under(budget)
	var wg sync.WaitGroup
	for user := range 6 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(user), 7))
			for range 20 {
				if i := r.IntN(len(configs)); find(indexes, configs[i], "refund 医療費") != want[i] {
					t.Errorf("index %d found something else", i)
				}
			}
		})
	}
	wg.Wait()
	if use := budget.Use(); use.GivenUp == 0 || use.Rebuilt == 0 {
		t.Errorf("nothing was given up: %+v", use)
	}
}
