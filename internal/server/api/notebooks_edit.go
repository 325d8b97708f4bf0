package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

type createNotebookInput struct {
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"200"`
		From string `json:"from,omitempty" maxLength:"100" doc:"id of a template"`
		Text string `json:"text,omitempty" maxLength:"262144"`
		FilledInput
	}
}

// FilledInput says what fills the slots of a template.
type FilledInput struct {
	Corpus  string            `json:"corpus,omitempty" maxLength:"200" doc:"the slot corpus; with dataset, default those of the demo"`
	Dataset string            `json:"dataset,omitempty" maxLength:"200" doc:"the slot dataset"`
	Slots   map[string]string `json:"slots,omitempty" doc:"the other slots of the template, by name"`
	Lang    string            `json:"lang,omitempty" enum:"en,ja" doc:"to begin with; default en"`
}

// gallery is a template with what fills it.
func (in FilledInput) gallery(from string) studies.Gallery {
	g := studies.Gallery{From: from, Slots: map[string]string{}, Lang: in.Lang}
	for name, v := range map[string]string{"corpus": in.Corpus, "dataset": in.Dataset} {
		if v != "" {
			g.Slots[name] = v
		}
	}
	for name, v := range in.Slots {
		g.Slots[name] = v
	}
	return g
}

func (s *notebooksAPI) createNotebook(ctx context.Context, in *createNotebookInput) (studies.NotebookSaved, error) {
	b := in.Body
	return s.books.Create(ctx, studies.NewNotebook{Name: b.Name, Text: b.Text, By: requests.VisitorOf(ctx).Name,
		Gallery: b.gallery(b.From)})
}

type quoteTemplateInput struct {
	Body struct {
		From string `json:"from" minLength:"1" maxLength:"100" doc:"id of a template"`
		FilledInput
	}
}

// quoteTemplate says what a notebook of a template would make and cost. It writes nothing.
func (s *notebooksAPI) quoteTemplate(ctx context.Context, in *quoteTemplateInput) (studies.Quote, error) {
	return s.books.Quote(ctx, in.Body.gallery(in.Body.From))
}

type saveTemplateInput struct {
	Body struct {
		Notebook string `json:"notebook" minLength:"1" maxLength:"200"`
		Name     string `json:"name" minLength:"1" maxLength:"200" doc:"of the template"`
	}
}

func (s *notebooksAPI) saveTemplate(_ context.Context, in *saveTemplateInput) (studies.GalleryEntry, error) {
	return s.books.SaveTemplate(in.Body.Notebook, in.Body.Name)
}

type saveNotebookInput struct {
	NotebookPath
	Body struct {
		Text   string `json:"text" maxLength:"262144"`
		Digest string `json:"digest" minLength:"1" maxLength:"100" doc:"of the text that was changed, as it was read or saved last"`
	}
}

func (s *notebooksAPI) saveNotebook(ctx context.Context, in *saveNotebookInput) (studies.NotebookSaved, error) {
	return s.books.Save(ctx, in.Name, in.Body.Text, in.Body.Digest, requests.VisitorOf(ctx).Name)
}

func (s *notebooksAPI) deleteNotebook(_ context.Context, in *NotebookPath) error {
	return s.books.Delete(in.Name)
}

func (s *notebooksAPI) restoreNotebook(_ context.Context, in *NotebookPath) (studies.NotebookSaved, error) {
	return s.books.Restore(in.Name)
}

type renameNotebookInput struct {
	NotebookPath
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"200"`
	}
}

func (s *notebooksAPI) renameNotebook(ctx context.Context, in *renameNotebookInput) (studies.NotebookSaved, error) {
	return s.books.Rename(ctx, in.Name, in.Body.Name)
}

type addCellInput struct {
	NotebookPath
	Body struct {
		Type   string         `json:"type" minLength:"1" maxLength:"40"`
		Name   string         `json:"name,omitempty" maxLength:"100" doc:"a free name is made of it"`
		Body   string         `json:"body,omitempty" maxLength:"100000" doc:"YAML"`
		Fields map[string]any `json:"fields,omitempty" doc:"in the place of the body, or beside it"`
		After  string         `json:"after,omitempty" maxLength:"200" doc:"cell behind which it stands; default behind the last one"`
	}
}

func (s *notebooksAPI) addCell(ctx context.Context, in *addCellInput) (studies.NotebookCellAdded, error) {
	b := in.Body
	return s.books.AddCell(ctx, in.Name, studies.NotebookCellSent{Type: b.Type, Name: b.Name, Body: b.Body, Fields: b.Fields,
		After: b.After, By: requests.VisitorOf(ctx).Name})
}

type editNotebookInput struct {
	Body struct {
		Text      string         `json:"text" maxLength:"262144"`
		Operation string         `json:"operation" enum:"insert,body,fields,prose,remove,move,rename,front"`
		Block     int            `json:"block,omitempty" minimum:"0" doc:"index of a block; of insert: before which"`
		Cell      string         `json:"cell,omitempty" maxLength:"200" doc:"in the place of block"`
		Type      string         `json:"type,omitempty" maxLength:"40" doc:"of a cell to insert"`
		Name      string         `json:"name,omitempty" maxLength:"200" doc:"of insert and rename"`
		Body      *string        `json:"body,omitempty" maxLength:"262144"`
		Prose     *string        `json:"prose,omitempty" maxLength:"262144"`
		Fields    map[string]any `json:"fields,omitempty" doc:"of fields and front; null takes a field away"`
		Down      bool           `json:"down,omitempty"`
	}
}

// editNotebook changes a text and saves nothing.
func (s *notebooksAPI) editNotebook(_ context.Context, in *editNotebookInput) (studies.NotebookEdited, error) {
	b := in.Body
	return studies.EditNotebook(b.Text, studies.NotebookEdit{
		Operation: b.Operation, Block: b.Block, Cell: b.Cell, Type: b.Type, Name: b.Name, Body: b.Body, Prose: b.Prose,
		Fields: b.Fields, Down: b.Down,
	})
}
