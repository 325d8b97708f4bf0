package llm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/outbound"
)

func (e *Endpoint) send(ctx context.Context, ask EndpointRequest) exchange {
	var sent atomic.Bool
	trace := &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }}
	var body io.Reader
	if ask.Body != "" {
		body = strings.NewReader(ask.Body)
	}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), ask.Method, ask.URL, body)
	if err != nil {
		return exchange{err: err, at: e.cfg.Now()}
	}
	if ask.Body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "rag-workbench")
	for name, value := range e.cfg.Headers {
		req.Header.Set(name, value)
	}
	// net/http repeats some requests by itself when a kept connection turns out closed, behind the ledger's back. A connection
	// that is used once is never such.
	req.Close = e.cfg.AtMostOnce || ask.Method == http.MethodGet
	return exchanged(e.client, req, &sent, e.cfg.Now)
}

// raw is an exchange as the ledger keeps it, see [openAI.raw].
func (e *Endpoint) raw(x exchange) Raw {
	r := Raw{Status: x.status, At: x.at}
	switch {
	case !succeeded(x.status):
		r.Body = cut(e.clean(x.body, true), messageCap)
	case x.err != nil:
		r.Body, r.Status = cut(e.clean(x.body, true), errorBodyCap), 0
	default:
		r.Body = e.clean(x.body, false)
	}
	return r
}

// examine finds out what an exchange gave. It is the only place that looks into a body.
func (e *Endpoint) examine(x exchange) (Reply, *fault) {
	var reply Reply
	var f *fault
	switch {
	case x.status != 0 && !succeeded(x.status):
		f = e.faultOfStatus(x)
	case x.err != nil:
		f = e.faultOfExchange(x)
	default:
		text, version, wrong := e.cfg.Map(e.clean(x.body, false))
		if wrong == nil {
			reply.Text, reply.Model, reply.FinishReason = text, replies.CleanText(version), "stop"
			return reply, nil
		}
		f = &fault{err: wrong}
		if wrong.Cause == CauseEndpointEnvelope {
			f.retry = again
		}
	}
	f.err = &Error{Cause: f.err.Cause, Message: e.text(f.err.Message), HTTPStatus: x.status, Err: e.error(f.err.Err)}
	return reply, f
}

// faultOfStatus explains a reply whose status is not a success. What the endpoint says about it is shown, cut.
func (e *Endpoint) faultOfStatus(x exchange) *fault {
	f := &fault{free: true}
	cause := CauseEndpointRequest
	switch {
	case x.status == http.StatusUnauthorized || x.status == http.StatusForbidden:
		cause = CauseEndpointAuth
	case x.status == http.StatusTooManyRequests:
		cause, f.retry = CauseEndpointRateLimited, limited
	case x.status == http.StatusNotImplemented:
		cause = CauseEndpointServer
	case x.status == http.StatusRequestTimeout || x.status >= 500:
		cause, f.retry = CauseEndpointServer, network
	case x.status >= 300 && x.status < 400:
		return &fault{free: true, err: &Error{Cause: CauseEndpointRedirect, Message: redirectOf(x).Error()}}
	}
	f.wait = waitNamed(x.header, x.at, f.retry)
	message := fmt.Sprintf("the endpoint answered %d", x.status)
	if said := strings.Join(strings.Fields(replies.CleanText(string(cut(e.clean(x.body, true), messageCap)))), " "); said != "" {
		message += ": " + said
	}
	f.err = &Error{Cause: cause, Message: message}
	return f
}

// faultOfExchange explains an exchange that broke before its end.
func (e *Endpoint) faultOfExchange(x exchange) *fault {
	f := &fault{retry: network, free: !x.sent, broken: x.sent}
	refused := x.err
	if u, ok := errors.AsType[*url.Error](x.err); ok {
		refused = u.Err // without the address, whose query holds the question
	}
	f.err = &Error{Cause: CauseEndpointUnreachable, Message: "the exchange with the endpoint broke off", Err: refused}
	switch {
	case !x.sent && timedOut(x.err):
		f.err.Message = "no connection to the endpoint came about in time"
	case !x.sent:
		f.err.Message = "the endpoint cannot be reached"
	}
	_, badName := errors.AsType[*tls.CertificateVerificationError](x.err)
	_, badAuthority := errors.AsType[x509.UnknownAuthorityError](x.err)
	switch {
	case errors.Is(x.err, outbound.ErrTooLarge):
		return &fault{err: &Error{Cause: CauseEndpointTooLarge, Message: "the reply was thrown away", Err: x.err}}
	case x.sent && timedOut(x.err):
		f.retry = never
		f.err = &Error{Cause: CauseEndpointTimeout, Message: fmt.Sprintf("the endpoint gave no whole reply within %s", e.cfg.Timeout)}
	case badName || badAuthority || errors.Is(x.err, outbound.ErrAddressRefused):
		f.retry = never
	}
	return f
}

// clean removes every key, see [redactor.bytes].
func (e *Endpoint) clean(b []byte, failed bool) []byte {
	for _, s := range e.secrets {
		b = s.bytes(b, failed)
	}
	return b
}

func (e *Endpoint) text(s string) string {
	return redactor{}.text(string(e.clean([]byte(s), true)))
}

func (e *Endpoint) error(err error) error {
	for _, s := range e.secrets {
		err = s.error(err)
	}
	return err
}

// Trial is what one call outside any run brought.
type Trial struct {
	Status  int
	Body    []byte // as received, without keys; at most the cap of the transport
	Latency time.Duration
}

// Try makes one call, without repetition and without a row in the ledger. An error says why there is no reply to read.
func (e *Endpoint) Try(ctx context.Context, ask EndpointRequest) (Trial, *Error) {
	began := e.cfg.Now()
	x := e.send(ctx, ask)
	t := Trial{Status: x.status, Latency: x.at.Sub(began)}
	var f *fault
	switch {
	case x.status != 0 && !succeeded(x.status):
		f = e.faultOfStatus(x)
	case x.err != nil:
		f = e.faultOfExchange(x)
	default:
		t.Body = e.clean(x.body, false)
		return t, nil
	}
	return t, &Error{Cause: f.err.Cause, Message: e.text(f.err.Message), HTTPStatus: x.status, Err: e.error(f.err.Err)}
}
