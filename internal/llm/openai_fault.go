package llm

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/rag-workbench/workbench/internal/outbound"
)

// class says how a fault is repeated.
type class int

const (
	never   class = iota // at once final
	network              // full jitter, a bounded number of attempts
	limited              // after the time that the provider names; attempts are not consumed
	again                // the reply was paid but is of no use: at most two more
	longer               // as again, once, with more tokens
	respell              // the same request in another spelling, at once
)

// fault is why an attempt gave nothing usable.
type fault struct {
	err    *Error
	retry  class
	wait   time.Duration // what the provider asks us to wait; 0 when it names nothing
	free   bool          // the provider said no, so nothing was billed
	broken bool          // the reply did not arrive whole, so nobody knows whether it was billed
	adapt  func()        // of a respell fault: change the spelling
}

func faultOf(cause string, retry class, message string) *fault {
	return &fault{err: &Error{Cause: cause, Message: message}, retry: retry}
}

// refusal is what a server says about a request it did not serve.
type refusal struct {
	message string
	code    string // code and type of the protocol, lower case, separated by a space
	param   string
	status  int           // the status named inside the body, which gateways send with 200; 0 when there is none
	wait    time.Duration // what the body asks us to wait; 0 when it names nothing
}

// refusalOf reads an error body: the protocol's own form or, failing that, the forms of the servers that imitate it.
func refusalOf(body []byte) refusal {
	var wire openai.ErrorResponse
	if json.Unmarshal(body, &wire) == nil && wire.Error != nil {
		return refusalFrom(wire.Error)
	}
	var loose struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Type    string          `json:"type"`
	}
	_ = json.Unmarshal(body, &loose) // what it could read before an error is still worth showing
	r := refusal{message: loose.Message, code: strings.ToLower(loose.Type)}
	var text string
	switch {
	case json.Unmarshal(loose.Error, &text) == nil && text != "":
		r.message = text
	case len(loose.Error) > 0:
		r.message = string(loose.Error)
	case r.message == "" && len(loose.Detail) > 0:
		r.message = string(loose.Detail)
	case r.message == "":
		r.message = string(body)
	}
	return r
}

func refusalFrom(e *openai.APIError) refusal {
	r := refusal{message: e.Message}
	switch code := e.Code.(type) {
	case string:
		r.code = code
	case int:
		r.status = code
	}
	if n, err := strconv.Atoi(r.code); err == nil {
		r.code, r.status = "", n
	}
	r.code = strings.ToLower(strings.TrimSpace(r.code + " " + e.Type))
	if e.Param != nil {
		r.param = *e.Param
	}
	return r
}

func (r refusal) says(words ...string) bool {
	for _, w := range words {
		if strings.Contains(r.code, w) {
			return true
		}
	}
	return false
}

// unreadByServer is what llama.cpp says, with status 500, when it cannot read what its model wrote: it works, and the reply was of no use.
const unreadByServer = "produced output that does not match the expected"

// classify decides what a refusal with this status means.
func classify(status int, r refusal) (cause string, retry class) {
	switch {
	case r.says("insufficient_quota", "billing", "insufficient_balance"), status == http.StatusPaymentRequired:
		return CauseQuota, never
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == 498, // Cohere: the token is invalid
		r.says("invalid_api_key", "no_db_connection"): // LiteLLM without a database, asked with a key that is not its own
		return CauseAuth, never
	case status == http.StatusInternalServerError && strings.Contains(r.message, unreadByServer):
		return CauseSchema, again
	case status == http.StatusFailedDependency: // the model behind the server failed
		return CauseServer, network
	case status == http.StatusTooManyRequests:
		return CauseRateLimited, limited
	case status == http.StatusRequestTimeout:
		return CauseServer, network
	case status == http.StatusNotImplemented:
		return CauseServer, never
	case status >= 500:
		return CauseServer, network
	case r.says("content_filter", "content_policy"):
		return CauseRefusal, never
	case status == http.StatusNotFound, r.says("model_not_found"):
		return CauseUnsupported, never
	case status >= 300 && status < 400:
		return CauseRedirect, never
	}
	return CauseRequest, never
}

// errorInside reads the error object of a reply with status 200 as the status it should have had.
func errorInside(raw json.RawMessage) *fault {
	if len(raw) == 0 || string(raw) == "null" || string(raw) == `""` {
		return nil
	}
	r := refusalOf([]byte(`{"error":` + string(raw) + `}`))
	status := r.status
	switch {
	case status >= 400:
	case r.says("rate_limit", "too_many_requests"):
		status = http.StatusTooManyRequests
	case r.says("authentication", "invalid_api_key", "permission"):
		status = http.StatusUnauthorized
	case r.says("invalid_request", "not_found", "content_filter"):
		status = http.StatusBadRequest
	default:
		status = http.StatusInternalServerError
	}
	cause, retry := classify(status, r)
	return &fault{retry: retry, free: true, err: &Error{Cause: cause, Message: "the server sent an error as a success: " + r.message}}
}

// faultOfStatus explains a reply whose status is not a success.
func (p *openAI) faultOfStatus(model string, x exchange, used spelling) *fault {
	r := refusalOf(x.body)
	if p.dialect.refine != nil {
		p.dialect.refine(x.body, &r)
	}
	cause, retry := classify(x.status, r)
	f := &fault{retry: retry, free: retry != again, wait: max(r.wait, waitNamed(x.header, x.at, retry))}
	message := fmt.Sprintf("the server answered %d", x.status)
	if r.message != "" {
		message += ": " + r.message
	}
	if cause == CauseRedirect {
		message = redirectOf(x).Error()
	}
	f.err = &Error{Cause: cause, Message: message}
	if cause == CauseRequest {
		if f.adapt = p.otherSpelling(model, x.status, r, used); f.adapt != nil {
			f.retry = respell
		}
	}
	return f
}

// redirectOf takes the target from our transport's error, or from the header when a client with another transport is used.
func redirectOf(x exchange) *outbound.RedirectError {
	if r, ok := errors.AsType[*outbound.RedirectError](x.err); ok {
		return r
	}
	r := &outbound.RedirectError{Status: x.status}
	if u, err := (&http.Response{Header: x.header}).Location(); err == nil {
		r.Host = u.Host
	}
	return r
}

// timedOut reports whether an exchange broke because its time was up.
func timedOut(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

// faultOfTransport explains an exchange that broke before its end.
func faultOfTransport(x exchange) *fault {
	f := &fault{retry: network, free: !x.sent, broken: x.sent,
		err: &Error{Cause: CauseUnreachable, Message: "the exchange with the server broke off", Err: x.err}}
	switch {
	case !x.sent && timedOut(x.err):
		f.err.Message = "no connection to the server came about in time"
	case !x.sent:
		f.err.Message = "the server cannot be reached"
	}
	if errors.Is(x.err, outbound.ErrTooLarge) {
		return &fault{err: &Error{Cause: CauseTooLarge, Message: "the reply was thrown away", Err: x.err}}
	}
	_, badName := errors.AsType[*tls.CertificateVerificationError](x.err)
	_, badAuthority := errors.AsType[x509.UnknownAuthorityError](x.err)
	if badName || badAuthority || errors.Is(x.err, outbound.ErrAddressRefused) {
		f.retry = never
	}
	return f
}
