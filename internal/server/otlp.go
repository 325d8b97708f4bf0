package server

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/rag-workbench/workbench/internal/app/traces"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// otlpPath is where programs send traces. The protocol says what it is called, what it takes and what it replies, so that it is no route
// of the API and stands in no contract of ours.
const otlpPath = "/v1/traces"

// The bounds of one request with traces.
const (
	maxTraceBytes    = 4 << 20  // on the wire
	maxUnpackedBytes = 16 << 20 // after gzip
	tracesAtOnce     = 2        // requests that are read at the same time; others wait
	retryTraces      = 60 * time.Second
)

const (
	protobufType = "application/x-protobuf"
	jsonType     = "application/json"
)

// otlp takes traces that programs send.
type otlp struct {
	s      *Server
	intake *traces.Intake
	seats  chan struct{}
}

func newOTLP(s *Server) (*otlp, error) {
	intake, err := traces.NewIntake(s.Workbench)
	return &otlp{s, intake, make(chan struct{}, tracesAtOnce)}, err
}

// post answers a request of an exporter: OTLP/HTTP with protobuf or JSON, plain or packed by gzip.
func (o *otlp) post(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	protobuf := kind != jsonType
	w.Header().Set("Cache-Control", "no-store")
	got, err := o.take(r, kind)
	if err != nil {
		o.refuse(w, r, protobuf, err)
		return
	}
	if protobuf {
		send(w, http.StatusOK, protobufType, partialSuccess(got))
		return
	}
	reply := map[string]any{}
	if got.Rejected > 0 {
		reply["partialSuccess"] = map[string]any{"rejectedSpans": strconv.Itoa(got.Rejected), "errorMessage": got.Why}
	}
	body, _ := json.Marshal(reply) // texts
	send(w, http.StatusOK, jsonType, body)
}

func (o *otlp) take(r *http.Request, kind string) (traces.Received, error) {
	none := traces.Received{}
	if err := o.allowed(r); err != nil {
		return none, err
	}
	if !o.s.Workbench.Config.Traces.Accept {
		return none, requests.NewProblem(http.StatusForbidden, "traces_off", "nobody has allowed traces here",
			"who looks after this server allows them in workbench.yaml: traces: {accept: true}")
	}
	if kind != protobufType && kind != jsonType {
		return none, requests.NewProblem(http.StatusUnsupportedMediaType, "traces_type", "the content type is not one of OTLP/HTTP",
			"send "+protobufType+" or "+jsonType)
	}
	select { // what is read is large in memory
	case o.seats <- struct{}{}:
		defer func() { <-o.seats }()
	case <-r.Context().Done():
		return none, r.Context().Err()
	}
	body, err := unpackedBody(r)
	if err != nil {
		return none, err
	}
	return o.intake.Accept(r.Context(), body, kind == protobufType)
}

// allowed lets those send traces who may edit, and whoever has the token of the traces, which opens nothing else.
func (o *otlp) allowed(r *http.Request) error {
	header := r.Header.Get("Authorization")
	if carries(header, o.s.TracesToken) {
		return nil
	}
	missing := requests.NewProblem(http.StatusUnauthorized, "token_missing", "this needs a token",
		"send a token of an editor, or WORKBENCH_TRACES_TOKEN, as Authorization: Bearer")
	a := o.s.access
	if a.SignIn && header == "" { // browsers that signed in send no traces
		return missing
	}
	v, err := a.Visit(r.Context(), r)
	if err != nil {
		a.Log("who is asking could not be found out", "error", err)
		return requests.NewProblem(http.StatusServiceUnavailable, "access", "who is asking cannot be found out at this moment", "try again")
	}
	if wait := a.Wait(v); wait > 0 {
		return requests.TooMany("request_limit", "too many requests", wait)
	}
	switch {
	case requests.May(v.Role, requests.Edit):
		return nil
	case v.Role == requests.Anonymous:
		return missing
	}
	a.Record(r.Context(), v, experiments.AuditEntry{Action: "traces.send", Target: otlpPath, Outcome: experiments.AuditRefused})
	return requests.NewProblem(http.StatusForbidden, "permission", "the role "+string(v.Role)+" may not do this",
		"use a token of an editor, or WORKBENCH_TRACES_TOKEN")
}

// unpackedBody is the body of a request, within its bounds.
func unpackedBody(r *http.Request) ([]byte, error) {
	var in io.Reader = r.Body
	switch encoding := strings.ToLower(r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
	case "gzip":
		packed, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, bodyProblem(err)
		}
		in = packed
	default:
		return nil, requests.NewProblem(http.StatusUnsupportedMediaType, "traces_encoding", "the content encoding is not one that is read",
			"send it plain or packed by gzip")
	}
	body, err := io.ReadAll(io.LimitReader(in, maxUnpackedBytes+1))
	switch {
	case err != nil:
		return nil, bodyProblem(err)
	case len(body) > maxUnpackedBytes:
		return nil, requests.TooLarge(maxUnpackedBytes)
	}
	return body, nil
}

// bodyProblem says why a body could not be read.
func bodyProblem(err error) error {
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return requests.TooLarge(large.Limit)
	}
	return requests.NewProblem(http.StatusBadRequest, "traces_unreadable", "the body could not be read to its end",
		"send it whole; with Content-Encoding: gzip it must be packed by gzip")
}

// partialSuccess is an ExportTraceServiceResponse: empty, or with its field 1, which has rejected_spans (1) and error_message (2).
func partialSuccess(got traces.Received) []byte {
	if got.Rejected == 0 {
		return []byte{}
	}
	inner := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(got.Rejected)) //nolint:gosec // not below 0
	inner = protowire.AppendString(protowire.AppendTag(inner, 2, protowire.BytesType), got.Why)
	return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), inner)
}

// refuse replies with a google.rpc.Status, as OTLP has it. Exporters send again what got 429 or 503, and throw away the rest.
func (o *otlp) refuse(w http.ResponseWriter, r *http.Request, protobuf bool, err error) {
	p, ok := errors.AsType[*requests.Problem](requests.Journal(o.s.Log).Failed(r.Context(), err))
	if !ok {
		p = requests.NewProblem(http.StatusInternalServerError, "internal", "something went wrong", "the log of the server says more")
	}
	switch {
	case problem.Is(err, problem.Invalid):
		p.Status = http.StatusBadRequest
	case errors.Is(err, context.Canceled):
		p.Status = http.StatusServiceUnavailable
	}
	for name, values := range p.GetHeaders() {
		w.Header().Set(name, values[0])
	}
	switch p.Status {
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", strconv.Itoa(int(retryTraces.Seconds())))
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	code, message := rpcCode(p.Status), p.Detail
	if p.Hint != "" {
		message = fmt.Sprintf("%s: %s", p.Detail, p.Hint)
	}
	if protobuf {
		body := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), code)
		send(w, p.Status, protobufType, protowire.AppendString(protowire.AppendTag(body, 2, protowire.BytesType), message))
		return
	}
	body, _ := json.Marshal(map[string]any{"code": code, "message": message}) // texts and a number
	send(w, p.Status, jsonType, body)
}

// rpcCode is the code of gRPC for a status of HTTP.
func rpcCode(status int) uint64 {
	code, known := map[int]uint64{
		http.StatusBadRequest: 3, http.StatusRequestEntityTooLarge: 3, http.StatusUnsupportedMediaType: 3, http.StatusForbidden: 7,
		http.StatusTooManyRequests: 8, http.StatusInternalServerError: 13, http.StatusServiceUnavailable: 14, http.StatusUnauthorized: 16,
	}[status]
	if !known {
		return 2
	}
	return code
}
