// Engines measures the engine pgvector on chunks of real texts, beside exact search in memory:
//
//	scripts/with-pgvector.sh scripts/with-postgres.sh go run ./bench/retrieval/engines [-chunks 100000] [-questions 100] FOLDER…
//
// A folder holds corpus.jsonl and questions.jsonl. The documents of all folders are cut into windows that overlap by four fifths, up to
// as many as are asked for. Embeddings of real models cannot be had without a network: the vectors are those of the offline embedder
// ngram, projected onto 384 random directions, which keeps their angles nearly. Printed are, each with its time for a question: whether
// exact search in PostgreSQL gives the hits of memory in their order, and recall@10 of HNSW with our settings, with pgvector's own
// ef_search of 40, with 16-bit numbers, and with a filter that leaves 1% of the documents.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/bench/jsonlines"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/pgvector"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
)

const (
	dimensions = 384
	k          = 10
)

func main() {
	most := flag.Int("chunks", 100_000, "most chunks")
	asked := flag.Int("questions", 100, "questions")
	flag.Parse()
	if err := measure(flag.Args(), *most, *asked); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// projected is the offline provider with shorter vectors.
type projected struct {
	llm.Provider
	rows [][dimensions]float32 // where each dimension of the long ones points to
}

func newProjected() *projected {
	random := rand.New(rand.NewPCG(384, 2048))
	p := &projected{Provider: llm.NewOffline(offline.Handlers(), offline.Embedders()), rows: make([][dimensions]float32, 2048)}
	for i := range p.rows {
		for j := range p.rows[i] {
			p.rows[i][j] = float32(random.NormFloat64())
		}
	}
	return p
}

// only is the one provider there is.
type only struct{ provider llm.Provider }

// Provider returns it, whatever the name.
func (o only) Provider(string) (llm.Provider, error) { return o.provider, nil }

// Embed projects what the offline embedder gives.
func (p *projected) Embed(ctx context.Context, want llm.Embedding, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for from := 0; from < len(texts); from += 1000 { // the long ones of all would take a gigabyte
		long, err := p.Provider.Embed(ctx, want, texts[from:min(from+1000, len(texts))])
		if err != nil {
			return nil, err
		}
		for _, v := range long {
			out = append(out, p.short(v))
		}
	}
	return out, nil
}

func (p *projected) short(long []float32) []float32 {
	v, sum := make([]float32, dimensions), 0.0
	for i, x := range long {
		if x != 0 {
			for j, d := range p.rows[i] {
				v[j] += x * d
			}
		}
	}
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for j := range v {
		if sum > 0 {
			v[j] = float32(float64(v[j]) / math.Sqrt(sum))
		}
	}
	return v
}

type database struct{ server *pgvector.Server }

func (d database) Server(context.Context, string) (*pgvector.Server, error) { return d.server, nil }

// bench is what every measurement is made with.
type bench struct {
	corpus    *rag.Corpus
	providers only
	indexes   *rag.Indexes
	questions []string
}

func measure(folders []string, most, asked int) error {
	ctx := context.Background()
	server, err := pgvector.Connect(ctx, "test", os.Getenv("WORKBENCH_TEST_POSTGRES"), true)
	if err != nil {
		return err
	}
	defer server.Close()
	b := &bench{providers: only{newProjected()}, indexes: rag.NewIndexes(8)}
	b.indexes.Databases = database{server}
	if err := b.read(folders, most, asked); err != nil {
		return err
	}
	fmt.Printf("pgvector %s, %d documents, %d questions, %d dimensions, recall@%d\n", server.Version(), len(b.corpus.Documents),
		len(b.questions), dimensions, k)
	memory, err := b.run(ctx, "memory", rag.Retrieve{})
	if err != nil {
		return err
	}
	exact, err := b.run(ctx, "pgvector, exact", rag.Retrieve{Engine: rag.EnginePGVector})
	if err != nil {
		return err
	}
	compare(memory, exact)
	hnsw := rag.Retrieve{Engine: rag.EnginePGVector, PGVector: rag.PGVector{Index: rag.IndexHNSW}}
	narrow, wide, wider, half, filtered := hnsw, hnsw, hnsw, hnsw, hnsw
	narrow.PGVector.EFSearch, wide.PGVector.EFSearch, wider.PGVector.EFSearch = 40, 100, 400
	half.PGVector.HalfVec, filtered.Filter = true, rag.Filter{"part": "7"}
	graph := filtered
	graph.PGVector.EFSearch = 400
	for _, w := range []struct {
		name     string
		retrieve rag.Retrieve
	}{
		{"hnsw", hnsw}, {"hnsw, ef_search 40", narrow}, {"hnsw, ef_search 100", wide}, {"hnsw, ef_search 400", wider},
		{"hnsw, filter of 1%", filtered}, {"same, ef_search 400", graph}, {"hnsw, halfvec", half},
	} {
		if _, err := b.run(ctx, w.name, w.retrieve); err != nil {
			return err
		}
	}
	return nil
}

const window, step = 200, 40

func (b *bench) read(folders []string, most, asked int) error {
	var docs []rag.Document
	chunks := 0
	for _, folder := range folders {
		read, err := jsonlines.Read[rag.Document](filepath.Join(folder, "corpus.jsonl"))
		if err != nil {
			return err
		}
		for _, d := range read {
			if chunks >= most {
				break
			}
			d.ID, d.Text = filepath.Base(folder)+"/"+d.ID, norm.NFC.String(d.Text)
			d.Metadata = map[string]string{"part": fmt.Sprint(len(docs) % 100)}
			docs, chunks = append(docs, d), chunks+len([]rune(d.Text))/step
		}
		questions, err := jsonlines.Read[struct {
			Question string `json:"question"`
		}](filepath.Join(folder, "questions.jsonl"))
		if err != nil {
			return err
		}
		for i, q := range questions {
			if i < (asked+len(folders)-1)/len(folders) && len(b.questions) < asked {
				b.questions = append(b.questions, q.Question)
			}
		}
	}
	b.corpus = rag.NewCorpus("bench", docs)
	return nil
}

// run searches with every question, after the index is built, and says how long that took and what it found.
func (b *bench) run(ctx context.Context, name string, r rag.Retrieve) ([]rag.Retrieval, error) {
	c := rag.DefaultConfig()
	c.Embedding.Name, c.Chunk = "ngram", rag.Chunking{By: "chars", Size: window, Overlap: window - step}
	r.Mode, r.K = "dense", k
	c.Retrieve = r
	begun := time.Now()
	system, err := rag.Open(ctx, c, b.corpus, b.providers, b.indexes, &rag.MemoryStages{})
	if err != nil {
		return nil, err
	}
	defer system.Close()
	built, found := time.Since(begun), make([]rag.Retrieval, len(b.questions))
	begun = time.Now()
	for i, q := range b.questions {
		if found[i], _, err = system.Retrieve(ctx, q); err != nil {
			return nil, err
		}
	}
	each := time.Since(begun) / time.Duration(max(1, len(found)))
	fmt.Printf("%-22s opened in %.1f s, %.1f ms a question", name, built.Seconds(), float64(each.Microseconds())/1000)
	if found[0].Approximate != nil {
		mean, worst, short := 0.0, 1.0, 0
		for _, f := range found {
			mean += f.Approximate.Recall / float64(len(found))
			worst, short = min(worst, f.Approximate.Recall), short+f.Approximate.Short
		}
		fmt.Printf(" (with the exact search that it is measured by), recall %.3f, worst %.2f, %d hits short", mean, worst, short)
	}
	fmt.Println()
	return found, nil
}

// compare says of how many questions the hits and their order are equal, and how far scores are apart.
func compare(a, b []rag.Retrieval) {
	equal, apart := 0, 0.0
	for i := range a {
		same := len(a[i].Hits) == len(b[i].Hits)
		for j := 0; same && j < len(a[i].Hits); j++ {
			same = a[i].Hits[j].Span == b[i].Hits[j].Span
			apart = max(apart, math.Abs(a[i].Hits[j].Score-b[i].Hits[j].Score))
		}
		if same {
			equal++
		}
	}
	fmt.Printf("memory and pgvector exact: equal hits in equal order of %d of %d questions, scores at most %g apart\n", equal, len(a),
		apart)
}
