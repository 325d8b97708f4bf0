package rag

// Chunk is one piece of a document as an index holds it.
type Chunk struct {
	Span
}

// Chunks returns the chunks of every document in order.
func (c Chunking) Chunks(corpus *Corpus) ([]Chunk, error) {
	spans, err := c.Cut(corpus)
	if err != nil {
		return nil, err
	}
	chunks := make([]Chunk, len(spans))
	for i, s := range spans {
		chunks[i] = Chunk{Span: s}
	}
	return chunks, nil
}

func (c Chunk) searched(corpus *Corpus) string { return corpus.Text(c.Span) }

func (c Chunking) plain() bool { return true }

func (c Chunking) effective() Chunking { return c }
