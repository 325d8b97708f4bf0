package requests

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Problem is an error as clients see it (RFC 9457).
type Problem struct { //nolint:errname // the word of the glossary, as in package problem
	Type   string         `json:"type" doc:"urn:workbench:problem: and the code"`
	Title  string         `json:"title" doc:"name of the status"`
	Status int            `json:"status"`
	Code   string         `json:"code" doc:"stable name of what was wrong"`
	Detail string         `json:"detail" doc:"one sentence: what was wrong, and where; in the language asked for with Accept-Language"`
	Hint   string         `json:"hint,omitempty" doc:"what to do next; in the same language"`
	Field  string         `json:"field,omitempty" doc:"the parameter or field that is to blame"`
	Params map[string]any `json:"params,omitempty" doc:"the variable parts of detail, for translation"`

	of *problem.Problem // that it was made of: it knows its own words in other languages
}

// Spoken implements [problem.Speaking].
func (p Problem) Spoken(lang string) any {
	said := p.of
	if said == nil || said.Message != p.Detail || said.Hint != p.Hint { // of the server itself, or changed since
		said = &problem.Problem{Message: p.Detail, Hint: p.Hint}
	}
	said = said.In(lang)
	p.Detail, p.Hint = said.Message, said.Hint
	return p
}

// Error makes a Problem an error.
func (p *Problem) Error() string { return p.Detail }

// GetStatus is the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements huma's content type filter.
func (*Problem) ContentType(string) string { return ProblemType }

// ProblemType is the content type of problems.
const ProblemType = "application/problem+json"

// statuses of the kinds of problems.
var statuses = map[problem.Kind]int{
	problem.Invalid: http.StatusUnprocessableEntity, problem.NotFound: http.StatusNotFound, problem.Conflict: http.StatusConflict,
	problem.NotComparable: http.StatusConflict, problem.Incomplete: http.StatusConflict, problem.Unavailable: http.StatusServiceUnavailable,
	problem.Internal: http.StatusInternalServerError,
}

// NewProblem is a problem that arises here and not below.
func NewProblem(status int, code, detail, hint string) *Problem {
	return &Problem{Type: "urn:workbench:problem:" + code, Title: http.StatusText(status), Status: status, Code: code,
		Detail: detail, Hint: hint}
}

// FromProblem is what clients see of a Problem. The cause of it is never shown.
func FromProblem(p *problem.Problem) *Problem {
	out := NewProblem(statuses[p.Kind], p.Code, p.Message, p.Hint)
	if out.Status == 0 {
		out.Status, out.Title = http.StatusInternalServerError, http.StatusText(http.StatusInternalServerError)
	}
	out.Params, out.of = p.Params, p
	if field, ok := p.Params["field"].(string); ok {
		out.Field = field
	}
	return out
}

// codeOf is the code of an error, whether it is a client's Problem already or not.
func codeOf(err error) string {
	if own, ok := errors.AsType[*Problem](err); ok {
		return own.Code
	}
	return problem.CodeOf(err)
}

// Journal is where the server says what went wrong inside, and what becomes of the client then.
type Journal func(message string, args ...any)

// Failed turns an error of a use case into what the client sees, and writes to the log what the client must not see.
func (log Journal) Failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if own, ok := errors.AsType[*Problem](err); ok {
		return own
	}
	p := problem.From(err)
	if p.Kind == problem.Internal && ctx.Err() == nil {
		log("request failed", "code", p.Code, "error", err)
	}
	if ctx.Err() != nil {
		return NewProblem(http.StatusServiceUnavailable, "interrupted", "the request was broken off", "send it again")
	}
	return FromProblem(p)
}

// Invalid is a problem with one parameter.
func Invalid(code, field, detail, hint string) *Problem {
	p := NewProblem(http.StatusUnprocessableEntity, code, detail, hint)
	p.Field = field
	return p
}

// MethodUnknown is the problem of a path that is served with other methods.
func MethodUnknown(r *http.Request) *Problem {
	return NewProblem(http.StatusMethodNotAllowed, "method", r.Method+" is not served at this path", "see "+Prefix+"/openapi.json")
}

// WriteProblem answers a request with a problem outside the API's machinery.
func WriteProblem(w http.ResponseWriter, r *http.Request, p *Problem) {
	w.Header().Set("Content-Type", ProblemType)
	if !slices.Contains(w.Header().Values("Vary"), languageHeader) {
		w.Header().Add("Vary", languageHeader)
	}
	w.WriteHeader(p.Status)
	writeJSON(w, problem.Spoken(LanguageOf(r.Header.Get(languageHeader)), p))
}

// The API's machinery reports mistakes in requests in its own form; ours replaces it for every API of this process.
func init() {
	huma.ValidateStrictCasing = true // a field in other capitals is another field, not the same one twice
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return fromRequest(status, message, errs, sentFields{})
	}
}

// requestCodes name the mistakes that the API's machinery finds.
var requestCodes = map[int]string{
	http.StatusUnprocessableEntity: "request_invalid", http.StatusBadRequest: "request_invalid",
	http.StatusRequestEntityTooLarge: "too_large",
	http.StatusUnsupportedMediaType:  "content_type", http.StatusRequestTimeout: "timeout", http.StatusNotAcceptable: "not_acceptable",
}

// mistake is one that the API's machinery found in a request.
type mistake struct {
	Field   string `json:"field"`
	In      string `json:"in"` // body, path, query or header
	Message string `json:"message"`
}

// Spoken implements [problem.Speaking].
func (m mistake) Spoken(string) any {
	m.Message, _ = problem.Japanese(m.Message)
	return m
}

// fromRequest describes a request that does not fit the contract, by its first mistake; all are in the parameters.
func fromRequest(status int, message string, errs []error, known sentFields) *Problem {
	code, ok := requestCodes[status]
	if !ok {
		code = "internal"
	}
	if status >= http.StatusInternalServerError {
		message = "something went wrong"
	}
	p := NewProblem(status, code, message, "")
	var mistakes []mistake
	var value any // that the first of them is about
	for _, err := range errs {
		detail, ok := errors.AsType[*huma.ErrorDetail](err)
		if !ok {
			continue
		}
		where, field, _ := strings.Cut(detail.Location, ".")
		if len(mistakes) == 0 {
			value = sentValue(detail)
		}
		mistakes = append(mistakes, mistake{Field: field, In: where, Message: plain(detail.Message)})
	}
	if len(mistakes) > 0 {
		first := mistakes[0]
		of := problem.New(problem.Invalid, code, "%s (%s): %s", first.Field, first.In, first.Message)
		if first.Field == "" {
			of = problem.New(problem.Invalid, code, "(%s): %s", first.In, first.Message)
		}
		of = known.hintFor(status, of, first, value)
		p.Field, p.Detail, p.Hint, p.of = first.Field, of.Message, of.Hint, of
		p.Params = map[string]any{"mistakes": mistakes}
	}
	return p
}
