package requests

import (
	"context"
	"maps"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
)

// Register registers all routes of a server, and keeps of their contract what requests are checked against. What it says of replies is
// four fifths of it, and nobody needs that while the server works; see [Router.Whole].
func (r *Router) Register(routes func(*Router)) {
	r.register = routes
	routes(r)
	r.lighten()
}

// Whole is the contract: every route with all that is said of requests and replies. It is made anew, because nobody asks for it often.
func (r *Router) Whole() (*huma.OpenAPI, error) {
	whole := NewRouter(chi.NewRouter(), r.access, r.bodyTime, r.log)
	r.register(whole)
	whole.complete()
	return whole.Api.OpenAPI(), whole.Err
}

// Contract answers with the OpenAPI document.
func (r *Router) Contract(context.Context, *Nothing) (*huma.StreamResponse, error) {
	whole, err := r.Whole()
	if err != nil {
		return nil, err
	}
	body, err := Indented(whole)
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		ctx.SetHeader("Content-Type", "application/json")
		_, _ = ctx.BodyWriter().Write(body) // the client is gone: nothing more can be said
	}}, err
}

// complete adds to the contract what types say with methods, which reflection does not see.
func (r *Router) complete() {
	if note, ok := r.Api.OpenAPI().Components.Schemas.Map()["Note"]; ok {
		note.Properties["message"] = &huma.Schema{Type: huma.TypeString, Description: "the note in English"}
		note.Properties["message_ja"] = &huma.Schema{Type: huma.TypeString, Description: "the note in Japanese"}
		note.Required = append(note.Required, "message", "message_ja")
		note.PrecomputeMessages()
	}
}

// lighten forgets what the contract says of replies.
func (r *Router) lighten() {
	contract := r.Api.OpenAPI()
	needed := map[string]bool{}
	for _, path := range contract.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Patch, path.Delete} {
			if op == nil {
				continue
			}
			op.Responses = nil
			for _, p := range op.Parameters {
				need(needed, contract.Components.Schemas, p.Schema)
			}
			if op.RequestBody == nil {
				continue
			}
			for _, content := range op.RequestBody.Content {
				need(needed, contract.Components.Schemas, content.Schema)
			}
		}
	}
	maps.DeleteFunc(contract.Components.Schemas.Map(), func(name string, _ *huma.Schema) bool { return !needed[name] })
	contract.Paths = nil
}

// need marks the schemas that a schema refers to, and those that they refer to.
func need(needed map[string]bool, all huma.Registry, s *huma.Schema) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		if !needed[name] {
			needed[name] = true
			need(needed, all, all.SchemaFromRef(s.Ref))
		}
	}
	for _, property := range s.Properties {
		need(needed, all, property)
	}
	further, _ := s.AdditionalProperties.(*huma.Schema) // or a boolean
	need(needed, all, further)
	need(needed, all, s.Items)
	need(needed, all, s.Not)
	for _, some := range [][]*huma.Schema{s.OneOf, s.AnyOf, s.AllOf} {
		for _, one := range some {
			need(needed, all, one)
		}
	}
}
