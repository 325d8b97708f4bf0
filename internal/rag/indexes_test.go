package rag

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
)

// counted is the offline provider, counting the batches it embeds and failing or waiting when told to.
type counted struct {
	llm.Provider
	batches atomic.Int64
	before  func(ctx context.Context) error
}

func (c *counted) Embed(ctx context.Context, want llm.Embedding, texts []string) ([][]float32, error) {
	c.batches.Add(1)
	if c.before != nil {
		if err := c.before(ctx); err != nil {
			return nil, err
		}
	}
	return c.Provider.Embed(ctx, want, texts)
}

func sized(size int, mode string) Config {
	c := DefaultConfig()
	c.Chunk.Size, c.Retrieve.Mode, c.Embedding.Name = size, mode, "ngram"
	return c
}

func TestIndexesShareAndEvict(t *testing.T) {
	t.Parallel()
	corpus := NewCorpus("test", manual())
	provider := &counted{Provider: offlineProvider()}
	providers := namedProviders{"offline": provider}
	indexes := NewIndexes(2)
	get := func(size int) (*Index, func()) {
		t.Helper()
		index, release, err := indexes.Get(t.Context(), sized(size, "dense"), corpus, providers)
		if err != nil {
			t.Fatal(err)
		}
		return index, release
	}
	a, releaseA := get(20)
	again, releaseAgain := get(20)
	if a != again || provider.batches.Load() != 1 {
		t.Errorf("two users have %v indexes from %d builds", a != again, provider.batches.Load())
	}
	k4 := sized(20, "dense")
	k4.Retrieve.K = 4
	other, releaseOther, err := indexes.Get(t.Context(), k4, corpus, providers)
	if err != nil || other != a {
		t.Errorf("another k has another index, %v", err)
	}
	b, releaseB := get(30)
	releaseB()
	releaseA()
	releaseA() // a second release of the same use must not count for another user
	releaseAgain()
	if c, release := get(20); c != a {
		t.Error("an index in use was given up")
	} else {
		release()
	}
	if _, ok := indexes.items[b.key]; !ok {
		t.Error("the only idle index was given up")
	}
	releaseOther() // now two are idle, and a third one needs room
	_, releaseC := get(40)
	if len(indexes.order) != 2 || indexes.items[a.key] == nil {
		t.Errorf("%d indexes are kept, and the last used one is %v", len(indexes.order), indexes.items[a.key])
	}
	releaseC()
	if _, release := get(30); provider.batches.Load() != 4 {
		t.Errorf("%d builds, want the given-up index to be built again", provider.batches.Load())
	} else {
		release()
	}
}

func TestIndexesThatKeepNothing(t *testing.T) {
	t.Parallel()
	indexes := NewIndexes(-1)
	_, release, err := indexes.Get(t.Context(), sized(20, "hybrid"), NewCorpus("test", manual()), offlineOnly())
	if err != nil {
		t.Fatal(err)
	}
	release()
	if len(indexes.items) != 0 || len(indexes.order) != 0 {
		t.Errorf("%d indexes are kept", len(indexes.items))
	}
}

func TestIndexesDoNotKeepAFailure(t *testing.T) {
	t.Parallel()
	failure := errors.New("the provider is down")
	provider := &counted{Provider: offlineProvider()}
	provider.before = func(context.Context) error {
		if provider.batches.Load() == 1 {
			return failure
		}
		return nil
	}
	indexes, corpus := NewIndexes(2), NewCorpus("test", manual())
	if _, _, err := indexes.Get(t.Context(), sized(20, "dense"), corpus, namedProviders{"offline": provider}); !errors.Is(err, failure) {
		t.Fatalf("error %v, want the provider's", err)
	}
	if len(indexes.items) != 0 || len(indexes.order) != 0 {
		t.Errorf("the failure is kept: %v", indexes.order)
	}
	if _, release, err := indexes.Get(t.Context(), sized(20, "dense"), corpus, namedProviders{"offline": provider}); err != nil {
		t.Errorf("the second try failed too: %v", err)
	} else {
		release()
	}
}

// One caller is cancelled while it builds; the other, who waits for the same index, gets it all the same.
func TestIndexesWaiterOutlivesACancelledBuilder(t *testing.T) {
	t.Parallel()
	provider := &counted{Provider: offlineProvider()}
	building := make(chan struct{})
	provider.before = func(ctx context.Context) error {
		if provider.batches.Load() > 1 {
			return nil
		}
		close(building)
		<-ctx.Done()
		return ctx.Err()
	}
	indexes, corpus, providers := NewIndexes(2), NewCorpus("test", manual()), namedProviders{"offline": provider}
	ctx, cancel := context.WithCancel(t.Context())
	builder := make(chan error, 1)
	go func() {
		_, _, err := indexes.Get(ctx, sized(20, "dense"), corpus, providers)
		builder <- err
	}()
	<-building
	waiter := make(chan error, 1)
	go func() {
		_, release, err := indexes.Get(t.Context(), sized(20, "dense"), corpus, providers)
		if err == nil {
			release()
		}
		waiter <- err
	}()
	for { // until the second caller waits
		indexes.mu.Lock()
		users := 0
		for _, e := range indexes.items {
			if !e.layer {
				users += e.users
			}
		}
		indexes.mu.Unlock()
		if users == 2 {
			break
		}
		runtime.Gosched()
	}
	cancel()
	if err := <-builder; !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled caller got %v", err)
	}
	if err := <-waiter; err != nil {
		t.Errorf("the other caller failed: %v", err)
	}
}

// Many users search indexes that others give up all the time; an index that was closed while in use would fail.
func TestIndexesNeverCloseOneInUse(t *testing.T) {
	t.Parallel()
	corpus, providers := NewCorpus("test", manual()), offlineOnly()
	indexes := NewIndexes(1)
	var wg sync.WaitGroup
	for user := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(user), 5))
			for range 25 {
				c := sized(20+10*r.IntN(4), []string{"bm25", "hybrid"}[r.IntN(2)])
				index, release, err := indexes.Get(context.Background(), c, corpus, providers)
				if err != nil {
					t.Error(err)
					return
				}
				for range 3 {
					if hits, err := index.search(context.Background(), fmt.Sprintf("医療費控除 refund %d", r.IntN(1000)), 3); err != nil ||
						len(hits) == 0 {
						t.Errorf("%d hits, %v", len(hits), err)
					}
				}
				release()
			}
		})
	}
	wg.Wait()
	if len(indexes.order) != 1 {
		t.Errorf("%d indexes are kept, want 1", len(indexes.order))
	}
	for _, e := range indexes.items {
		if e.users != 0 && !e.layer {
			t.Errorf("%d users are left over", e.users)
		}
	}
}

// The same corpus gives the same ranking and scores whenever it is built, and whatever was asked before.
func TestSearchDoesNotDependOnHistory(t *testing.T) {
	t.Parallel()
	texts, query := twins()
	docs := make([]Document, len(texts))
	for i, s := range texts {
		docs[i] = Document{ID: strconv.Itoa(i), Text: s}
	}
	corpus := NewCorpus("test", docs)
	for _, mode := range []string{"dense", "bm25", "hybrid"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			search := func(depths ...int) []Hit {
				index, release, err := NewIndexes(0).Get(t.Context(), sized(1000, mode), corpus, offlineOnly())
				if err != nil {
					t.Fatal(err)
				}
				defer release()
				var hits []Hit
				for _, n := range depths {
					if hits, err = index.search(t.Context(), query, n); err != nil || len(hits) != n {
						t.Fatalf("%d hits, want %d: %v", len(hits), n, err)
					}
				}
				return hits
			}
			long := search(100)
			for _, n := range []int{1, 3, 4, 16, 17, 64, 65, 99} {
				if diff := cmp.Diff(long[:n], search(n)); diff != "" {
					t.Errorf("the best %d are not the first of the best 100 (-want +got):\n%s", n, diff)
				}
				if diff := cmp.Diff(long[:n], search(100, 2, n)); diff != "" {
					t.Errorf("the best %d depend on what was asked before (-want +got):\n%s", n, diff)
				}
			}
		})
	}
}

func TestEmptyCorpus(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"dense", "bm25", "hybrid"} {
		index, release, err := NewIndexes(0).Get(t.Context(), sized(100, mode), NewCorpus("test", []Document{{ID: "a"}}), offlineOnly())
		if err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		if hits, err := index.search(t.Context(), "anything", 3); err != nil || len(hits) != 0 || index.Chunks() != 0 {
			t.Errorf("%s: %d chunks, hits %v, %v", mode, index.Chunks(), hits, err)
		}
		release()
	}
}

// Small indexes stay together: asked in turn, each is built once. Where they hold too much only the last used ones do.
func TestSmallIndexesStay(t *testing.T) {
	t.Parallel()
	corpus := NewCorpus("test", manual())
	for _, c := range []struct {
		bytes  int64
		builds int64
	}{{0, 6}, {1, 6}, {64 << 20, 3}} {
		provider := &counted{Provider: offlineProvider()}
		providers := namedProviders{"offline": provider}
		indexes := NewIndexes(2).Roomy(c.bytes)
		for range 2 {
			for _, size := range []int{20, 30, 40} {
				_, release, err := indexes.Get(t.Context(), sized(size, "dense"), corpus, providers)
				if err != nil {
					t.Fatal(err)
				}
				release()
			}
		}
		if n := provider.batches.Load(); n != c.builds {
			t.Errorf("with room for %d bytes: %d builds, want %d", c.bytes, n, c.builds)
		}
	}
}

// What is done with one index says so before it builds the next: only what is in use, and what is small enough, stays.
func TestIndexesShrink(t *testing.T) {
	t.Parallel()
	corpus, indexes := NewCorpus("test", manual()), NewIndexes(3)
	var releases []func()
	for _, size := range []int{20, 30, 40} {
		_, release, err := indexes.Get(t.Context(), sized(size, "hybrid"), corpus, offlineOnly())
		if err != nil {
			t.Fatal(err)
		}
		releases = append(releases, release)
	}
	releases[0]()
	releases[1]()
	all := indexes.bytes()
	if indexes.Shrink(all); len(indexes.order) != 3 {
		t.Errorf("%d indexes are left where all may stay", len(indexes.order))
	}
	if indexes.Shrink(all - 1); len(indexes.order) != 2 {
		t.Errorf("%d indexes are left, want the oldest one to go and no other", len(indexes.order))
	}
	indexes.Shrink(0)
	if left := indexes.bytes(); len(indexes.order) != 1 || left == 0 || left >= all {
		t.Errorf("%d indexes of %d bytes are left, want the one in use", len(indexes.order), left)
	}
	releases[2]()
}

// Texts of an index that is held need not be read again; nothing holds them for that.
func TestCorpusOfAHeldIndex(t *testing.T) {
	t.Parallel()
	corpus, indexes := NewCorpus("test", manual()), NewIndexes(0)
	corpus.Version = 3
	name, digest := corpus.Name, corpus.Digest
	_, release, err := indexes.Get(t.Context(), sized(20, "bm25"), corpus, offlineOnly())
	if err != nil {
		t.Fatal(err)
	}
	if held := indexes.Corpus(name, 3, digest); held != corpus {
		t.Errorf("held is %p, want %p", held, corpus)
	}
	for _, other := range []*Corpus{indexes.Corpus(name, 2, digest), indexes.Corpus("other", 3, digest), indexes.Corpus(name, 3, "other")} {
		if other != nil {
			t.Errorf("%s@%d is taken for another version", other.Name, other.Version)
		}
	}
	release()
	corpus = nil
	runtime.GC()
	if held := indexes.Corpus(name, 3, digest); held != nil {
		t.Error("its texts are held though no index is")
	}
}
