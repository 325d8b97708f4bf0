package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"
)

// Prefix is the path under which the API lies.
const Prefix = "/api/v1"

// Route is one route of the API.
type Route struct {
	Method     string
	Path       string // with {parameters}, without [Prefix]
	Permission Permission
	Summary    string
	Status     int // of success
}

// router registers routes. The first mistake stays in err.
type router struct {
	server *Server
	log    journal
	api    huma.API
	routes []Route
	err    error
}

func newRouter(s *Server, engine *gin.Engine) *router {
	config := huma.DefaultConfig("RAG Workbench", "1")
	config.OpenAPIPath, config.DocsPath, config.SchemasPath, config.CreateHooks = "", "", "", nil
	config.RejectUnknownQueryParameters = true
	config.Servers = []*huma.Server{{URL: Prefix}}
	config.Info.Description = "Everything that the command line does. Errors are application/problem+json with a code, a hint and, where one is to blame, a field."
	config.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaNames())
	r := &router{server: s, log: journal(s.Log)}
	r.api = humagin.NewWithGroup(engine, engine.Group(Prefix), config)
	return r
}

// complete adds to the contract what types say with methods, which reflection does not see.
func (r *router) complete() {
	if note, ok := r.api.OpenAPI().Components.Schemas.Map()["Note"]; ok {
		note.Properties["message"] = &huma.Schema{Type: huma.TypeString, Description: "the note in English"}
		note.Required = append(note.Required, "message")
		note.PrecomputeMessages()
	}
}

// hallOf is the package below internal that a type belongs to, whichever of its rooms it is in: moving it from room to room
// does not change the contract.
func hallOf(pkgPath string) string {
	_, inside, ours := strings.Cut(pkgPath, "/internal/")
	if !ours {
		return path.Base(pkgPath)
	}
	hall, _, _ := strings.Cut(inside, "/")
	return hall
}

// schemaNames names the types of the contract by their Go names, and with their hall in front where a name is taken.
func schemaNames() func(reflect.Type, string) string {
	taken := map[string]reflect.Type{}
	return func(t reflect.Type, hint string) string {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		name := huma.DefaultSchemaNamer(t, hint)
		if other, ok := taken[name]; ok && other != t && t.PkgPath() != "" {
			hall := hallOf(t.PkgPath())
			name = strings.ToUpper(hall[:1]) + hall[1:] + name
		}
		if _, ok := taken[name]; !ok {
			taken[name] = t
		}
		return name
	}
}

// reply is what a handler returns as JSON.
type reply[T any] struct {
	Body T
}

// nothing is the input of a route without parameters.
type nothing struct{}

// done is the reply of a route that has nothing to say.
type done struct{}

// handler answers a request with a value.
type handler[I, O any] func(context.Context, *I) (O, error)

func get[I, O any](r *router, path string, need Permission, summary string, h handler[I, O]) {
	add(r, http.MethodGet, path, http.StatusOK, need, summary, h)
}

func post[I, O any](r *router, path string, need Permission, summary string, h handler[I, O]) {
	add(r, http.MethodPost, path, http.StatusOK, need, summary, h)
}

// start is post for what goes on after the reply.
func start[I, O any](r *router, path string, need Permission, summary string, h handler[I, O]) {
	add(r, http.MethodPost, path, http.StatusAccepted, need, summary, h)
}

func put[I, O any](r *router, path string, need Permission, summary string, h handler[I, O]) {
	add(r, http.MethodPut, path, http.StatusOK, need, summary, h)
}

func patch[I, O any](r *router, path string, need Permission, summary string, h handler[I, O]) {
	add(r, http.MethodPatch, path, http.StatusOK, need, summary, h)
}

func remove[I any](r *router, path string, need Permission, summary string, h func(context.Context, *I) error) {
	op := r.operation(http.MethodDelete, path, http.StatusNoContent, need, summary)
	huma.Register(r.api, op, func(ctx context.Context, in *I) (*done, error) { return nil, r.log.failed(ctx, h(ctx, in)) })
}

// form is post for forms with files, which the handler reads while they arrive.
func form[I, O any](r *router, path string, need Permission, summary string, h handler[I, O]) {
	op := r.operation(http.MethodPost, path, http.StatusOK, need, summary)
	huma.Register(r.api, op, func(ctx context.Context, in *I) (*reply[O], error) {
		out, err := h(ctx, in)
		if err != nil {
			return nil, r.log.failed(ctx, err)
		}
		return &reply[O]{out}, nil
	})
	text, file := &huma.Schema{Type: huma.TypeString}, &huma.Schema{Type: huma.TypeString, Format: "binary"}
	// Only now: the machinery reads what it knows the form of.
	r.api.OpenAPI().Paths[path].Post.RequestBody = &huma.RequestBody{Required: true,
		Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
			Type: huma.TypeObject, Properties: map[string]*huma.Schema{
				"file": file, "files": {Type: huma.TypeArray, Items: file}, "name": text, "corpus": text,
				"columns": {Type: huma.TypeString, Description: "JSON object: column of the file → field"},
			},
		}}}}
}

// stream is get for replies that are no JSON document: events and files.
func stream[I any](r *router, path string, need Permission, summary, contentType string,
	h func(context.Context, *I) (*huma.StreamResponse, error)) {
	op := r.operation(http.MethodGet, path, http.StatusOK, need, summary)
	op.Responses = map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{contentType: {}}}}
	huma.Register(r.api, op, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		out, err := h(ctx, in)
		return out, r.log.failed(ctx, err)
	})
}

func add[I, O any](r *router, method, path string, status int, need Permission, summary string, h handler[I, O]) {
	huma.Register(r.api, r.operation(method, path, status, need, summary), func(ctx context.Context, in *I) (*reply[O], error) {
		out, err := h(ctx, in)
		if err != nil {
			return nil, r.log.failed(ctx, err)
		}
		return &reply[O]{out}, nil
	})
}

// operation describes a route and puts the check of its permission before it.
func (r *router) operation(method, path string, status int, need Permission, summary string) huma.Operation {
	if !need.known() {
		r.err = errors.Join(r.err, fmt.Errorf("server: %s %s has no permission", method, path))
	}
	route := Route{Method: method, Path: path, Permission: need, Summary: summary, Status: status}
	r.routes = append(r.routes, route)
	return huma.Operation{
		OperationID: operationID(method, path), Method: method, Path: path, Summary: summary, Tags: []string{tagOf(path)},
		DefaultStatus: status,
		Description:   "Needs the permission " + string(need) + ".", MaxBodyBytes: maxBodyBytes,
		BodyReadTimeout: r.server.bodyTime(path), // a negative one would clear the deadline that the guard has set
		Errors:          []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		Middlewares:     huma.Middlewares{r.server.access.permits(route)},
	}
}

func tagOf(path string) string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '.' })[0]
}

// operationID is get-runs-id-questions for GET /runs/{id}/questions.
func operationID(method, path string) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("/.{}", r) })
	return strings.Join(append([]string{strings.ToLower(method)}, parts...), "-")
}
