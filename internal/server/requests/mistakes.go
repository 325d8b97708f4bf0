package requests

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// plainWords are the sentences of the API's machinery in words of who sends a request. A test holds that none is left out. They stand
// before any route is registered, because schemas keep the sentences that they may need.
var plainWords = map[*string]string{
	&validation.MsgUnexpectedProperty:                 "there is no field of this name",
	&validation.MsgExpectedRFC3339DateTime:            "write a date and a time, like 2026-11-20T09:00:00Z",
	&validation.MsgExpectedRFC1123DateTime:            "write a date and a time, like Fri, 20 Nov 2026 09:00:00 GMT",
	&validation.MsgExpectedRFC3339Date:                "write a date, like 2026-11-20",
	&validation.MsgExpectedRFC3339Time:                "write a time, like 09:00:00Z",
	&validation.MsgExpectedRFC5322Email:               "write an address of mail, like me@example.com (%v)",
	&validation.MsgExpectedRFC5890Hostname:            "write the name of a host, like example.com",
	&validation.MsgExpectedRFC2673IPv4:                "write an IPv4 address, like 192.0.2.1",
	&validation.MsgExpectedRFC2373IPv6:                "write an IPv6 address, like 2001:db8::1",
	&validation.MsgExpectedRFCIPAddr:                  "write an IP address, like 192.0.2.1",
	&validation.MsgExpectedRFC3986URI:                 "write an address, like https://example.com/ (%v)",
	&validation.MsgExpectedRFC4122UUID:                "write an id of 32 hexadecimal digits with hyphens (%v)",
	&validation.MsgExpectedRFC6570URITemplate:         "write a template of an address, like /runs/{id}",
	&validation.MsgExpectedRFC6901JSONPointer:         "write a path, like /a/b",
	&validation.MsgExpectedRFC6901RelativeJSONPointer: "write a relative path, like 1/a",
	&validation.MsgExpectedRegexp:                     "write a regular expression (%v)",
	&validation.MsgExpectedMatchAtLeastOneSchema:      "it has none of the forms that it may have",
	&validation.MsgExpectedMatchExactlyOneSchema:      "it does not have exactly one of the forms that it may have",
	&validation.MsgExpectedNotMatchSchema:             "it has a form that it may not have",
	&validation.MsgExpectedPropertyNameInObject:       "the field that tells its form is missing",
	&validation.MsgExpectedBoolean:                    "write true or false, without quotation marks",
	&validation.MsgExpectedDuration:                   "write a duration, like 30s or 2m (%v)",
	&validation.MsgExpectedNumber:                     "write a number, without quotation marks or a percent sign",
	&validation.MsgExpectedInteger:                    "write a whole number, without quotation marks",
	&validation.MsgExpectedString:                     "write a text, in quotation marks",
	&validation.MsgExpectedBase64String:               "write a text in base64",
	&validation.MsgExpectedArray:                      "write a list, like [\"a\", \"b\"]",
	&validation.MsgExpectedObject:                     "write fields with their values in braces, like {\"name\": \"value\"}",
	&validation.MsgExpectedArrayItemsUnique:           "an entry of the list stands there twice",
	&validation.MsgExpectedOneOf:                      "write one of \"%s\"",
	&validation.MsgExpectedMinimumNumber:              "write a number of %v or more",
	&validation.MsgExpectedExclusiveMinimumNumber:     "write a number greater than %v",
	&validation.MsgExpectedMaximumNumber:              "write a number of %v or less",
	&validation.MsgExpectedExclusiveMaximumNumber:     "write a number less than %v",
	&validation.MsgExpectedNumberBeMultipleOf:         "write a multiple of %v",
	&validation.MsgExpectedMinLength:                  "write at least %d characters",
	&validation.MsgExpectedMaxLength:                  "write at most %d characters",
	&validation.MsgExpectedBePattern:                  "write a text of this form: %s",
	&validation.MsgExpectedMatchPattern:               "write a text that fits %s",
	&validation.MsgExpectedMinItems:                   "the list needs at least %d entries",
	&validation.MsgExpectedMaxItems:                   "the list takes at most %d entries",
	&validation.MsgExpectedMinProperties:              "at least %d fields are needed",
	&validation.MsgExpectedMaxProperties:              "at most %d fields are taken",
	&validation.MsgExpectedRequiredProperty:           "the field %s is missing",
	&validation.MsgExpectedDependentRequiredProperty:  "the field %s is missing, which %s needs",
}

// plainStarts are further sentences, which the machinery does not let anybody change, by their beginnings.
var plainStarts = []struct{ theirs, ours string }{
	{"unknown query parameter", "there is no query parameter of this name"},
	{"invalid integer", "write a whole number"},
	{"invalid float", "write a number, such as 0.05 for 5%"},
	{"invalid boolean", "write true or false"},
	{"expected at most one value", "write it once"},
	{"expected value to match exactly one schema but matched multiple", "it has more than one of the forms that it may have"},
	{"write only property is non-zero", "this field cannot be sent"},
	{"request body is required", "the body is missing"},
	{"unexpected end of JSON input", "the JSON ends too early: a bracket or a quotation mark is not closed"},
	{"unknown content type", "the body is of a type that is not read"},
	{"cannot read multipart form", "the form cannot be read"},
}

func init() {
	for theirs, ours := range plainWords {
		*theirs = ours
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		var known sentFields
		if ctx != nil && ctx.Operation() != nil {
			known, _ = ctx.Operation().Metadata[sentFieldsKey].(sentFields)
		}
		return fromRequest(status, message, errs, known)
	}
}

// plain is a sentence of the machinery in plain words.
func plain(message string) string {
	for _, s := range plainStarts {
		if strings.HasPrefix(message, s.theirs) {
			return s.ours
		}
	}
	switch {
	case strings.HasPrefix(message, "required ") && strings.HasSuffix(message, " parameter is missing"):
		return "it is missing"
	case strings.HasPrefix(message, "invalid character "), strings.HasPrefix(message, "json: "):
		return "the body is no JSON: check commas, colons, brackets and quotation marks"
	case strings.HasPrefix(message, "parsing time "), strings.HasPrefix(message, "time: "):
		return plainWords[&validation.MsgExpectedRFC3339DateTime]
	}
	return message
}

// sentFields are the names that a request to a route may send.
type sentFields struct{ body, query []string }

const sentFieldsKey = "sent fields"

// fieldsSent are those of a type of requests.
func fieldsSent(t reflect.Type) (out sentFields) {
	if t.Kind() != reflect.Struct {
		return out
	}
	for f := range t.Fields() {
		inner := f.Type
		for inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if name, _, _ := strings.Cut(f.Tag.Get("query"), ","); name != "" {
			out.query = append(out.query, name)
		}
		switch {
		case f.Name == "Body":
			out.body = append(out.body, jsonNames(inner)...)
		case f.Anonymous:
			below := fieldsSent(inner)
			out.body, out.query = append(out.body, below.body...), append(out.query, below.query...)
		}
	}
	return out
}

func jsonNames(t reflect.Type) (names []string) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			names = append(names, jsonNames(f.Type)...)
		case name != "" && name != "-":
			names = append(names, name)
		}
	}
	return names
}

// hintFor says what to send instead.
func (k sentFields) hintFor(status int, of *problem.Problem, m mistake, value any) *problem.Problem {
	names := k.body
	if m.In != "body" {
		names = k.query
	}
	share, isShare := text.ReadShare(fmt.Sprint(value))
	switch {
	case status == http.StatusUnsupportedMediaType:
		return of.WithHint("send JSON with the header Content-Type: application/json")
	case strings.HasSuffix(fmt.Sprint(value), "%") && isShare:
		return of.WithHint("write the share as %v", share)
	case len(names) > 0 && !strings.ContainsAny(m.Field, ".[") && !slices.Contains(names, m.Field) && m.In != "path" && m.In != "header":
		if near := text.Nearest(m.Field, names); near != "" {
			return of.WithHint("did you mean %s? Fields: %s", near, strings.Join(names, ", "))
		}
		return of.WithHint("fields: %s", strings.Join(names, ", "))
	case len(names) > 0:
		return of.WithHint("fields: %s", strings.Join(names, ", "))
	}
	return of.WithHint("the contract is at %s/openapi.json", Prefix)
}

// sentValue is the value of a field that was sent, as it was written.
func sentValue(detail *huma.ErrorDetail) any {
	if raw, ok := detail.Value.(json.Number); ok {
		return raw.String()
	}
	return detail.Value
}
