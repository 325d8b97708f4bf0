package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// ListInput is what a list takes that has no filter of its own: a page, an order, and a text to look for.
type ListInput struct {
	Paging
	Search
}

type listExperimentsInput struct {
	ListInput
	Archived bool `query:"archived" doc:"archived ones too"`
}

func (s *experimentsAPI) listExperiments(ctx context.Context, in *listExperimentsInput) (listing.Listed[views.ExperimentRow], error) {
	return s.views.Experiments(ctx, in.Archived, in.Q, in.page())
}

type namePath struct {
	Name string `path:"name" maxLength:"200"`
}

func (s *experimentsAPI) getExperiment(ctx context.Context, in *namePath) (views.ExperimentDetail, error) {
	return s.views.ExperimentNamed(ctx, in.Name)
}

func (s *datasetsAPI) listDatasets(ctx context.Context, in *ListInput) (listing.Listed[views.LibraryRow], error) {
	return s.views.Datasets(ctx, in.Q, in.page())
}

func (s *corporaAPI) listCorpora(ctx context.Context, in *ListInput) (listing.Listed[views.LibraryRow], error) {
	return s.views.Corpora(ctx, in.Q, in.page())
}

// RefPath names a version of a dataset or corpus.
type RefPath struct {
	Ref string `path:"ref" maxLength:"200" doc:"name for the newest version, or name@version"`
}

func (s *datasetsAPI) getDataset(ctx context.Context, in *RefPath) (ItemsOf[experiments.Listing], error) {
	return items(s.views.Versions(ctx, "dataset", in.Ref))
}

func (s *corporaAPI) getCorpus(ctx context.Context, in *RefPath) (views.CorpusVersions, error) {
	return s.views.Corpus(ctx, in.Ref)
}

func (s *corporaAPI) detachIndex(ctx context.Context, in *RefPath) error {
	_, err := app.DetachMapping(ctx, s.workbench, in.Ref)
	return err
}

// DatasetFilter are the filters on the questions of a dataset.
type DatasetFilter struct {
	Search
	Tag       []string `query:"tag" doc:"all of them"`
	Reference string   `query:"has_reference" enum:"true,false"`
	Draft     string   `query:"draft" enum:"true,false" doc:"drafts that nobody has reviewed"`
}

func (f DatasetFilter) query(page listing.Page) views.DatasetQuery {
	return views.DatasetQuery{Page: page, Text: f.Q, Tag: f.Tag, Reference: choice(f.Reference), Draft: choice(f.Draft)}
}

type listDatasetQuestionsInput struct {
	RefPath
	Paging
	DatasetFilter
}

func (s *datasetsAPI) listDatasetQuestions(ctx context.Context, in *listDatasetQuestionsInput) (listing.Listed[views.DatasetQuestion],
	error) {
	out, _, err := s.views.DatasetQuestions(ctx, in.Ref, in.query(in.page()))
	return out, err
}

type datasetQuestionPath struct {
	RefPath
	Question string `path:"question" maxLength:"1000"`
}

func (s *datasetsAPI) getDatasetQuestion(ctx context.Context, in *datasetQuestionPath) (views.DatasetQuestion, error) {
	return s.views.DatasetQuestion(ctx, in.Ref, in.Question)
}

type listDocumentsInput struct {
	RefPath
	ListInput
}

func (s *corporaAPI) listDocuments(ctx context.Context, in *listDocumentsInput) (listing.Listed[views.DocumentRow], error) {
	return s.views.Documents(ctx, in.Ref, in.Q, in.page())
}

type documentInput struct {
	RefPath
	Document string `path:"document" maxLength:"2000" doc:"document id; a slash in it is sent as %2F"`
	Dataset  string `query:"dataset" maxLength:"200" doc:"whose evidence to mark"`
}

func (s *corporaAPI) getDocument(ctx context.Context, in *documentInput) (views.DocumentView, error) {
	return s.views.Document(ctx, in.Ref, in.Document, in.Dataset)
}

type chunksInput struct {
	RefPath
	Doc     string    `query:"doc" required:"true" maxLength:"2000"`
	By      chunkUnit `query:"by" default:"chars"`
	Size    int       `query:"size" minimum:"1" maximum:"1000000" default:"1000"`
	Overlap int       `query:"overlap" minimum:"0" maximum:"999999"`
	Chunk   string    `query:"chunk" maxLength:"5000" doc:"more of a chunking, as an experiment file says it, over by, size and overlap"`
	Dataset string    `query:"dataset" maxLength:"200" doc:"whose evidence to count"`
}

// chunkUnit is a code of [rag.ChunkUnits]: the contract lists what the chunker knows.
type chunkUnit string

// Schema is what the contract says of it.
func (chunkUnit) Schema(huma.Registry) *huma.Schema {
	schema := &huma.Schema{Type: huma.TypeString}
	for _, name := range rag.ChunkUnitNames() {
		schema.Enum = append(schema.Enum, name)
	}
	return schema
}

func (s *corporaAPI) getChunks(ctx context.Context, in *chunksInput) (views.ChunkPreview, error) {
	config := rag.DefaultConfig()
	config.Chunk = rag.Chunking{By: string(in.By), Size: in.Size, Overlap: in.Overlap}
	config, err := experiments.WithParts(config, experiments.Said{Name: "chunk", Text: in.Chunk})
	if err != nil {
		return views.ChunkPreview{}, err
	}
	return s.views.Chunks(ctx, in.Ref, in.Doc, config.Chunk, in.Dataset)
}

func (s *machineAPI) listEndpoints(ctx context.Context, _ *requests.Nothing) (ItemsOf[views.EndpointRow], error) {
	return items(s.views.Endpoints(ctx))
}

func (s *machineAPI) listJudgeCards(ctx context.Context, _ *requests.Nothing) (ItemsOf[views.JudgeCardView], error) {
	return items(s.views.JudgeCards(ctx))
}

type judgePath struct {
	Judge string `path:"judge" maxLength:"300" doc:"provider/model; the slash is sent as %2F"`
}

func (s *machineAPI) getJudgeCard(ctx context.Context, in *judgePath) (ItemsOf[views.JudgeCardView], error) {
	return items(s.views.JudgeCard(ctx, in.Judge))
}

func (s *machineAPI) getSettings(ctx context.Context, _ *requests.Nothing) (views.Settings, error) {
	return s.views.Settings(ctx)
}
