package experiments

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// counting is a library that counts how often it is read.
type counting struct {
	Library
	reads atomic.Int64
}

func (c *counting) Corpus(_ context.Context, ref string) (*rag.Corpus, error) {
	c.reads.Add(1)
	return &rag.Corpus{Name: ref}, nil
}

func (c *counting) Dataset(_ context.Context, ref string) (*Dataset, error) {
	c.reads.Add(1)
	return &Dataset{Name: ref}, nil
}

// TestAShelfReadsEachVersionOnce: also where evaluations are loaded side by side.
func TestAShelfReadsEachVersionOnce(t *testing.T) {
	t.Parallel()
	library := &counting{}
	shelf := NewShelf(library)
	var readers sync.WaitGroup
	for i := range 40 {
		readers.Go(func() {
			ref := fmt.Sprint("docs@", i%4)
			corpus, err := shelf.Corpus(t.Context(), ref)
			if err != nil || corpus.Name != ref {
				t.Errorf("the corpus %s is %v, %v", ref, corpus, err)
			}
			if dataset, err := shelf.Dataset(t.Context(), ref); err != nil || dataset.Name != ref {
				t.Errorf("the dataset %s is %v, %v", ref, dataset, err)
			}
		})
	}
	readers.Wait()
	if n := library.reads.Load(); n != 8 {
		t.Errorf("4 corpora and 4 datasets were read %d times", n)
	}
}
