package views

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// MaxUploadBytes is the largest upload over HTTP.
const MaxUploadBytes = 100 << 20

// LibraryRow is a dataset or corpus in a list: its newest version.
type LibraryRow struct {
	Name      string    `json:"name"`
	Version   int       `json:"version"`
	Versions  int       `json:"versions"`
	Items     int       `json:"items"` // questions or documents
	Chars     int       `json:"chars"` // code points
	CreatedAt time.Time `json:"created_at"`
	Baseline  string    `json:"baseline,omitempty"` // run id, of a dataset that has one
	// of a corpus that stands for an index of the team's: which, as "handbook (chroma)"
	Index string `json:"index,omitempty"`
}

var libraryOrder = listing.Order[LibraryRow]{
	First: "name",
	ID:    func(r LibraryRow) string { return r.Name },
	Keys: map[string]func(LibraryRow) listing.SortKey{
		"name":       func(r LibraryRow) listing.SortKey { return listing.TextKey(r.Name) },
		"created_at": func(r LibraryRow) listing.SortKey { return listing.TimeKey(r.CreatedAt) },
		"items":      func(r LibraryRow) listing.SortKey { return listing.NumberKey(float64(r.Items)) },
	},
}

func newestOf(listings []experiments.Listing, q string) []LibraryRow {
	at := map[string]int{}
	var rows []LibraryRow
	for _, l := range listings {
		if !listing.Contains(q, l.Name) {
			continue
		}
		i, ok := at[l.Name]
		if !ok {
			i = len(rows)
			at[l.Name] = i
			rows = append(rows, LibraryRow{Name: l.Name})
		}
		r := &rows[i]
		r.Versions++
		if l.Version > r.Version {
			r.Version, r.Items, r.Chars, r.CreatedAt = l.Version, l.Items, l.Chars, l.CreatedAt
		}
	}
	return rows
}

// Datasets lists the datasets by their newest version.
func (v *libraryViews) Datasets(ctx context.Context, q string, page listing.Page) (listing.Listed[LibraryRow], error) {
	listings, err := v.w.Store.Datasets(ctx)
	if err != nil {
		return listing.Listed[LibraryRow]{}, err
	}
	pinned, err := v.w.Store.Baselines(ctx)
	if err != nil {
		return listing.Listed[LibraryRow]{}, err
	}
	rows := newestOf(listings, q)
	for i := range rows {
		for _, b := range pinned {
			if b.Dataset == rows[i].Name {
				rows[i].Baseline = b.RunID
			}
		}
	}
	return listing.List(rows, libraryOrder, page)
}

// Corpora lists the corpora by their newest version.
func (v *libraryViews) Corpora(ctx context.Context, q string, page listing.Page) (listing.Listed[LibraryRow], error) {
	listings, err := v.w.Store.Corpora(ctx)
	if err != nil {
		return listing.Listed[LibraryRow]{}, err
	}
	rows := newestOf(listings, q)
	indexes, err := v.w.Store.Indexes(ctx)
	if err != nil {
		return listing.Listed[LibraryRow]{}, err
	}
	for i := range rows {
		for _, s := range indexes {
			if s.Corpus == rows[i].Name {
				rows[i].Index = s.Table + " (" + s.Engine + ")"
			}
		}
	}
	return listing.List(rows, libraryOrder, page)
}

// Versions returns the versions of one dataset or corpus, the newest first.
func (v *libraryViews) Versions(ctx context.Context, what, name string) ([]experiments.Listing, error) {
	all, err := v.w.Store.Datasets(ctx)
	if what == "corpus" {
		all, err = v.w.Store.Corpora(ctx)
	}
	if err != nil {
		return nil, err
	}
	out := []experiments.Listing{}
	for _, l := range slices.Backward(all) {
		if l.Name == name {
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return nil, problem.New(problem.NotFound, what+"_unknown", "there is no %s %q", what, name).With("name", name).
			WithHint("import it first")
	}
	return out, nil
}

// CorpusVersions are the versions of a corpus, and the index of a team that it is searched in.
type CorpusVersions struct {
	Items []experiments.Listing `json:"items"`
	Index *CorpusIndex          `json:"index,omitempty"` // of every version; none: the workbench searches the documents itself
}

// CorpusIndex is an index of a team as people see it. How it is reached is not shown: an address is nobody's business but the
// installation's.
type CorpusIndex struct {
	Engine   string           `json:"engine"`
	Table    string           `json:"table"`
	Fields   rag.MappedFields `json:"fields"`
	Offsets  string           `json:"offsets" enum:"fields,locate,none"`
	Distance string           `json:"distance" enum:"cosine,dot,l2"`
	Version  string           `json:"version,omitempty"` // what the team calls the contents
	Check    rag.MappingCheck `json:"check"`
}

// Corpus returns the versions of a corpus, the newest first.
func (v *libraryViews) Corpus(ctx context.Context, name string) (CorpusVersions, error) {
	list, err := v.Versions(ctx, "corpus", name)
	if err != nil {
		return CorpusVersions{}, err
	}
	out := CorpusVersions{Items: list}
	s, found, err := v.w.Store.Index(ctx, name)
	if found {
		out.Index = &CorpusIndex{Engine: s.Engine, Table: s.Table, Fields: s.Fields, Offsets: s.Offset, Distance: s.Distance,
			Version: s.Version, Check: s.Check}
	}
	return out, err
}

// DatasetQuestion is a question of a dataset in a list.
type DatasetQuestion struct {
	experiments.Question
	Row int `json:"row"` // its place in the dataset, from 1
}

// DatasetQuery narrows the questions of a dataset.
type DatasetQuery struct {
	listing.Page
	Text      string
	Tag       []string
	Reference *bool // has one
	Draft     *bool // is one that nobody has reviewed
}

var datasetOrder = listing.Order[DatasetQuestion]{
	First: "row",
	ID:    func(q DatasetQuestion) string { return q.ID },
	Keys: map[string]func(DatasetQuestion) listing.SortKey{
		"row": func(q DatasetQuestion) listing.SortKey { return listing.NumberKey(float64(q.Row)) },
		"id":  func(q DatasetQuestion) listing.SortKey { return listing.TextKey(q.ID) },
	},
}

// DatasetQuestions lists the questions of a dataset version.
func (v *libraryViews) DatasetQuestions(ctx context.Context, ref string, q DatasetQuery) (listing.Listed[DatasetQuestion],
	experiments.Ref, error) {
	d, err := v.w.Store.Dataset(ctx, ref)
	if err != nil {
		return listing.Listed[DatasetQuestion]{}, experiments.Ref{}, err
	}
	var rows []DatasetQuestion
	for i, question := range d.Questions {
		draft := slices.Contains(question.Tags, "draft")
		if !listing.Contains(q.Text, question.ID, question.Text, question.Reference) || q.Reference != nil &&
			*q.Reference != (question.Reference != "") ||
			q.Draft != nil && *q.Draft != draft ||
			slices.ContainsFunc(q.Tag, func(t string) bool { return !slices.Contains(question.Tags, t) }) {
			continue
		}
		rows = append(rows, DatasetQuestion{question, i + 1})
	}
	out, err := listing.List(rows, datasetOrder, q.Page)
	return out, experiments.Ref{Name: d.Name, Version: d.Version, Digest: d.Digest}, err
}

// DatasetQuestion returns one question of a dataset version.
func (v *libraryViews) DatasetQuestion(ctx context.Context, ref, id string) (DatasetQuestion, error) {
	d, err := v.w.Store.Dataset(ctx, ref)
	if err != nil {
		return DatasetQuestion{}, err
	}
	for i, q := range d.Questions {
		if q.ID == id {
			return DatasetQuestion{q, i + 1}, nil
		}
	}
	return DatasetQuestion{}, problem.New(problem.NotFound, "question_unknown", "dataset %s has no question %q", ref, id).
		With("question_id", id)
}

// QuestionEdit changes a question. Nil fields stay.
type QuestionEdit struct {
	Text       *string
	Reference  *string
	References *[]string
	Answerable *bool
	Critical   *bool
	Tags       *[]string
}

// EditQuestion changes one question and stores the dataset as its next version. The version that was edited must be the newest.
func (v *libraryViews) EditQuestion(ctx context.Context, ref, id string, edit QuestionEdit) (experiments.Ref, error) {
	d, err := v.w.Store.Dataset(ctx, ref)
	if err != nil {
		return experiments.Ref{}, err
	}
	newest, err := v.w.Store.Dataset(ctx, d.Name)
	if err != nil {
		return experiments.Ref{}, err
	}
	if newest.Version != d.Version {
		return experiments.Ref{}, problem.New(problem.Conflict, "dataset_version", "%s has version %d by now; version %d cannot be edited",
			d.Name, newest.Version, d.Version).
			With("newest", newest.Version).WithHint("open the newest version and edit that")
	}
	questions := slices.Clone(d.Questions)
	at := slices.IndexFunc(questions, func(q experiments.Question) bool { return q.ID == id })
	if at < 0 {
		return experiments.Ref{}, problem.New(problem.NotFound, "question_unknown", "dataset %s has no question %q", ref, id).
			With("question_id", id)
	}
	if err := edit.apply(&questions[at]); err != nil {
		return experiments.Ref{}, err
	}
	stored, _, err := v.w.Store.PutDataset(ctx, experiments.NewDataset(d.Name, questions), v.w.Options.Now())
	return stored, err
}

func (e QuestionEdit) apply(q *experiments.Question) error {
	set(&q.Text, e.Text)
	set(&q.Reference, e.Reference)
	set(&q.References, e.References)
	set(&q.Answerable, e.Answerable)
	set(&q.Critical, e.Critical)
	set(&q.Tags, e.Tags)
	for field, s := range map[string]string{"question": q.Text, "reference": q.Reference, "references": strings.Join(q.References, ""),
		"tags": strings.Join(q.Tags, "")} {
		if len(s) > experiments.MaxCellBytes || strings.ContainsRune(s, 0) || !utf8.ValidString(s) {
			return problem.New(problem.Invalid, "question_field", "%s is longer than 1 MiB or holds characters that cannot be stored",
				field).With("field", field)
		}
	}
	if strings.TrimSpace(q.Text) == "" {
		return problem.New(problem.Invalid, "question_field", "a question cannot be empty").With("field", "question")
	}
	return nil
}

func set[T any](field *T, to *T) {
	if to != nil {
		*field = *to
	}
}

// DocumentRow is a document in a list, without its text.
type DocumentRow struct {
	ID     string `json:"doc_id"`
	Title  string `json:"title,omitempty"`
	Lang   string `json:"lang,omitempty"`
	Source string `json:"source,omitempty"`
	Chars  int    `json:"chars"`
}

var documentOrder = listing.Order[DocumentRow]{
	First: "id",
	ID:    func(d DocumentRow) string { return d.ID },
	Keys: map[string]func(DocumentRow) listing.SortKey{
		"id":    func(d DocumentRow) listing.SortKey { return listing.TextKey(d.ID) },
		"title": func(d DocumentRow) listing.SortKey { return listing.TextKey(d.Title) },
		"chars": func(d DocumentRow) listing.SortKey { return listing.NumberKey(float64(d.Chars)) },
	},
}

// corpusByRef finds a corpus version; what it returns is kept in memory.
func (v *core) corpusByRef(ctx context.Context, ref string) (*rag.Corpus, error) {
	name, version, _ := strings.Cut(ref, "@")
	listings, err := v.library().Versions(ctx, "corpus", name)
	if err != nil {
		return nil, err
	}
	for _, l := range listings {
		if version == "" || l.String() == ref {
			return v.corpus(ctx, l.Ref)
		}
	}
	return v.w.Store.Corpus(ctx, ref) // which says that there is no such version
}

// Documents lists the documents of a corpus version.
func (v *libraryViews) Documents(ctx context.Context, ref, q string, page listing.Page) (listing.Listed[DocumentRow], error) {
	c, err := v.corpusByRef(ctx, ref)
	if err != nil {
		return listing.Listed[DocumentRow]{}, err
	}
	var rows []DocumentRow
	for _, d := range c.Documents {
		if listing.Contains(q, d.ID, d.Title, d.Text) {
			rows = append(rows, DocumentRow{d.ID, d.Title, d.Lang, d.Source, c.Index(d.ID).Len()})
		}
	}
	return listing.List(rows, documentOrder, page)
}

// DocumentView is a document with the evidence that a dataset marks in it.
type DocumentView struct {
	rag.Document
	Corpus   experiments.Ref `json:"corpus"`
	Chars    int             `json:"chars"`
	Evidence []EvidenceMark  `json:"evidence"`
}

// EvidenceMark is a place that answers a question.
type EvidenceMark struct {
	Mark
	QuestionID string `json:"question_id"`
	Question   string `json:"question"`
}

// Document returns a document; dataset, which may be "", names the questions whose evidence is marked in it.
func (v *libraryViews) Document(ctx context.Context, ref, id, dataset string) (DocumentView, error) {
	c, err := v.corpusByRef(ctx, ref)
	if err != nil {
		return DocumentView{}, err
	}
	doc, ok := c.Document(id)
	if !ok {
		return DocumentView{}, noDocument(ref, id)
	}
	view := DocumentView{Document: doc, Corpus: experiments.Ref{Name: c.Name, Version: c.Version, Digest: c.Digest}, Chars: c.Index(id).
		Len(), Evidence: []EvidenceMark{}}
	if dataset == "" {
		return view, nil
	}
	d, err := v.w.Store.Dataset(ctx, dataset)
	if err != nil {
		return view, err
	}
	for _, q := range d.Questions {
		for _, span := range q.EvidenceIn(c) {
			if span.DocID == id {
				view.Evidence = append(view.Evidence, EvidenceMark{Mark{Start: span.Start, End: span.End}, q.ID, q.Text})
			}
		}
	}
	return view, nil
}

func noDocument(ref, id string) error {
	return problem.New(problem.NotFound, "document_unknown", "corpus %s has no document %q", ref, id).With("doc_id", id)
}

// ChunkPreview is how a document would be cut.
type ChunkPreview struct {
	Chunking rag.Chunking `json:"chunk"`
	Total    int          `json:"total"` // chunks of the document
	Chunks   []ChunkView  `json:"chunks"`
	Cut      int          `json:"evidence_cut"` // marked places that no chunk holds whole
	Whole    int          `json:"evidence_whole"`
}

// ChunkView is one chunk.
type ChunkView struct {
	rag.Span
	Text   string     `json:"text"`
	Header string     `json:"header,omitempty"` // what is put before the text when it is embedded and searched
	Path   []string   `json:"path,omitempty"`   // headings that it stands under, the outermost first
	Parent *text.Span `json:"parent,omitempty"` // the larger piece that is handed on in its place
}

// previewChunks bounds how many chunks a preview shows; it counts all.
const previewChunks = 500

// Chunks cuts a document and says how much of the evidence of a dataset, which may be "", is cut with it.
func (v *libraryViews) Chunks(ctx context.Context, ref, id string, chunking rag.Chunking, dataset string) (ChunkPreview, error) {
	config := rag.DefaultConfig()
	config.Chunk = chunking
	if err := config.Validate(); err != nil {
		return ChunkPreview{}, err
	}
	doc, err := v.Document(ctx, ref, id, dataset)
	if err != nil {
		return ChunkPreview{}, err
	}
	one := rag.NewCorpus(doc.Corpus.Name, []rag.Document{doc.Document})
	chunks := chunking.Chunks(one)
	p := ChunkPreview{Chunking: chunking, Total: len(chunks), Chunks: []ChunkView{}}
	for i, x := range app.PiecesOf(one, chunking, chunks[:min(len(chunks), previewChunks)]) {
		p.Chunks = append(p.Chunks, ChunkView{Span: chunks[i].Span, Text: x.Text, Header: x.Header, Path: x.Path, Parent: x.Parent})
	}
	for _, e := range doc.Evidence {
		if slices.ContainsFunc(chunks, func(s rag.Chunk) bool { return s.Start <= e.Start && e.End <= s.End }) {
			p.Whole++
		} else {
			p.Cut++
		}
	}
	return p, nil
}
