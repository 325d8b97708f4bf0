package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// notebookCommentRoutes are the routes about what people say about notebooks.
func (s *Resources) notebookCommentRoutes(r *requests.Router) {
	requests.Get(r, "/notebooks/{name}/comments", requests.Read, "What people say about the cells of a notebook, the oldest first", s.notebooks.listComments)
	requests.Post(r, "/notebooks/{name}/comments", requests.Edit, "Say something about a cell, or about a row of it", s.notebooks.addComment)
	requests.Post(r, "/notebooks/{name}/comments/{id}/resolve", requests.Edit, "Resolve a comment, or open it again",
		s.notebooks.resolveComment)
	requests.Remove(r, "/notebooks/{name}/comments/{id}", requests.Edit, "Take a comment away; its author may, or an administrator", s.notebooks.removeComment)
}

func (s *notebooksAPI) listComments(ctx context.Context, in *NotebookPath) (ItemsOf[studies.Comment], error) {
	c, err := s.books.Comments(in.Name)
	if err != nil {
		return ItemsOf[studies.Comment]{}, err
	}
	return items(c.List(ctx))
}

type addCommentInput struct {
	NotebookPath
	Body struct {
		Cell     string `json:"cell" maxLength:"200"`
		Run      string `json:"run,omitempty" maxLength:"100" doc:"of the row, with its question"`
		Question string `json:"question,omitempty" maxLength:"1000" doc:"of the row, with its run"`
		Text     string `json:"text" maxLength:"20000" doc:"Markdown, at most 10,000 characters"`
	}
}

func (s *notebooksAPI) addComment(ctx context.Context, in *addCommentInput) (studies.Comment, error) {
	c, err := s.books.Comments(in.Name)
	if err != nil {
		return studies.Comment{}, err
	}
	return c.Add(ctx, studies.CommentOn{Cell: in.Body.Cell, Run: in.Body.Run, Question: in.Body.Question, Text: in.Body.Text,
		By: requests.VisitorOf(ctx).Name, Account: requests.VisitorOf(ctx).Account})
}

// CommentPath names a comment.
type CommentPath struct {
	NotebookPath
	ID string `path:"id" maxLength:"100" doc:"of the comment"`
}

type resolveCommentInput struct {
	CommentPath
	Body struct {
		Resolved bool `json:"resolved" doc:"false opens it again"`
	}
}

func (s *notebooksAPI) resolveComment(ctx context.Context, in *resolveCommentInput) (studies.Comment, error) {
	c, err := s.books.Comments(in.Name)
	if err != nil {
		return studies.Comment{}, err
	}
	return c.Settle(ctx, in.ID, requests.VisitorOf(ctx).Name, in.Body.Resolved)
}

func (s *notebooksAPI) removeComment(ctx context.Context, in *CommentPath) error {
	c, err := s.books.Comments(in.Name)
	if err != nil {
		return err
	}
	return c.Forget(ctx, in.ID, requests.VisitorOf(ctx).Actor)
}
