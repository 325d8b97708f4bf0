package requests

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
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

// Router registers routes. The first mistake stays in err.
type Router struct {
	access   *Access
	bodyTime func(path string) time.Duration
	log      Journal
	Api      huma.API
	Routes   []Route
	Err      error
	register func(*Router) // all that was registered, for [Router.Whole]
}

// NewRouter registers routes in a mux. bodyTime is how long the body of a request to a path may take to arrive.
func NewRouter(mux chi.Router, a *Access, bodyTime func(path string) time.Duration, log Journal) *Router {
	config := huma.DefaultConfig("RAG Workbench", "1")
	config.OpenAPIPath, config.DocsPath, config.SchemasPath, config.CreateHooks = "", "", "", nil
	config.RejectUnknownQueryParameters = true
	config.Servers = []*huma.Server{{URL: Prefix}}
	config.Info.Description = "Everything that the command line does. Errors are application/problem+json with a code, a hint and, where one is to blame, a field. " +
		"Problems, in replies too, are said in English or Japanese, as Accept-Language prefers; codes and parameters are the same in both."
	config.Transformers = append(config.Transformers, speaking)
	config.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaNames())
	r := &Router{access: a, bodyTime: bodyTime, log: log}
	api := chi.NewRouter()
	mux.Mount(Prefix, api)
	r.Api = humachi.New(api, config)
	return r
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

// reply is what a handler of any type returns as JSON.
type reply struct {
	Body any
}

// answering documents what a route replies with, and makes its handler one that the machinery knows. That is compiled anew for each pair
// of types: with all replies of one type 2 MB of the program are gone, and a fifth of the work of compiling the server.
func answering[I, O any](r *Router, op *huma.Operation, h handler[I, O]) func(context.Context, *I) (*reply, error) {
	schema := r.Api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[O](), true, op.OperationID+"Response")
	op.Responses = map[string]*huma.Response{
		strconv.Itoa(op.DefaultStatus): {Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}},
	}
	return func(ctx context.Context, in *I) (*reply, error) {
		out, err := h(ctx, in)
		if err != nil {
			return nil, r.log.Failed(ctx, err)
		}
		return &reply{out}, nil
	}
}

// Nothing is the input of a route without parameters.
type Nothing struct{}

// Done is the reply of a route that has nothing to say.
type Done struct{}

// handler answers a request with a value.
type handler[I, O any] func(context.Context, *I) (O, error)

// Get registers a route that reads.
func Get[I, O any](r *Router, path string, need Permission, summary string, h handler[I, O]) {
	add(r, http.MethodGet, path, http.StatusOK, need, summary, h)
}

// Post registers a route that changes something and answers when that is done.
func Post[I, O any](r *Router, path string, need Permission, summary string, h handler[I, O]) {
	add(r, http.MethodPost, path, http.StatusOK, need, summary, h)
}

// Start is post for what goes on after the reply.
func Start[I, O any](r *Router, path string, need Permission, summary string, h handler[I, O]) {
	add(r, http.MethodPost, path, http.StatusAccepted, need, summary, h)
}

// Put registers a route that makes or replaces what its path names.
func Put[I, O any](r *Router, path string, need Permission, summary string, h handler[I, O]) {
	add(r, http.MethodPut, path, http.StatusOK, need, summary, h)
}

// Patch registers a route that changes a part of what its path names.
func Patch[I, O any](r *Router, path string, need Permission, summary string, h handler[I, O]) {
	add(r, http.MethodPatch, path, http.StatusOK, need, summary, h)
}

// Remove registers a route that takes away what its path names.
func Remove[I any](r *Router, path string, need Permission, summary string, h func(context.Context, *I) error) {
	op := r.operation(http.MethodDelete, path, http.StatusNoContent, need, summary)
	huma.Register(r.Api, op, func(ctx context.Context, in *I) (*Done, error) { return nil, r.log.Failed(ctx, h(ctx, in)) })
}

// Form is post for forms with files, which the handler reads while they arrive.
func Form[I, O any](r *Router, path string, need Permission, summary string, h handler[I, O]) {
	op := r.operation(http.MethodPost, path, http.StatusOK, need, summary)
	answer := answering(r, &op, h)
	huma.Register(r.Api, op, answer)
	text, file := &huma.Schema{Type: huma.TypeString}, &huma.Schema{Type: huma.TypeString, Format: "binary"}
	// Only now: the machinery reads what it knows the form of.
	r.Api.OpenAPI().Paths[path].Post.RequestBody = &huma.RequestBody{Required: true,
		Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
			Type: huma.TypeObject, Properties: map[string]*huma.Schema{
				"file": file, "files": {Type: huma.TypeArray, Items: file}, "name": text, "corpus": text,
				"columns": {Type: huma.TypeString, Description: "JSON object: column of the file → field"},
			},
		}}}}
}

// Stream is get for replies that are no JSON document: events and files.
func Stream[I any](r *Router, path string, need Permission, summary, contentType string,
	h func(context.Context, *I) (*huma.StreamResponse, error)) {
	op := r.operation(http.MethodGet, path, http.StatusOK, need, summary)
	op.Responses = map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{contentType: {}}}}
	huma.Register(r.Api, op, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		out, err := h(ctx, in)
		return out, r.log.Failed(ctx, err)
	})
}

func add[I, O any](r *Router, method, path string, status int, need Permission, summary string, h handler[I, O]) {
	op := r.operation(method, path, status, need, summary)
	op.Metadata = map[string]any{sentFieldsKey: fieldsSent(reflect.TypeFor[I]())}
	answer := answering(r, &op, h)
	huma.Register(r.Api, op, answer)
}

// operation describes a route and puts the check of its permission before it.
func (r *Router) operation(method, path string, status int, need Permission, summary string) huma.Operation {
	if !need.known() {
		r.Err = errors.Join(r.Err, fmt.Errorf("server: %s %s has no permission", method, path))
	}
	route := Route{Method: method, Path: path, Permission: need, Summary: summary, Status: status}
	r.Routes = append(r.Routes, route)
	return huma.Operation{
		OperationID: operationID(method, path), Method: method, Path: path, Summary: summary, Tags: []string{tagOf(path)},
		DefaultStatus: status,
		Description:   "Needs the permission " + string(need) + ".", MaxBodyBytes: MaxBodyBytes,
		BodyReadTimeout: r.bodyTime(path), // a negative one would clear the deadline that the guard has set
		Errors:          []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		Middlewares:     huma.Middlewares{r.access.permits(route)},
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
