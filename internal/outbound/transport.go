package outbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"
)

// ErrTooLarge says that a reply body was longer than the cap. What was read before it is valid but incomplete.
var ErrTooLarge = errors.New("the reply is larger than the limit")

// RedirectError says that the server pointed elsewhere. Nothing was sent there.
type RedirectError struct {
	Status int    // 301, 302, 303, 307, 308, …
	Host   string // the host pointed at, with its port if it names one; empty when the target is missing or unreadable
}

// Error names the target host, never the rest of the target, which may hold a token.
func (e *RedirectError) Error() string {
	host := e.Host
	if host == "" {
		host = "an unreadable address"
	}
	return fmt.Sprintf("the server answered %d and points to %s; redirects are not followed", e.Status, host)
}

// TimeoutError says which wait was too long.
type TimeoutError struct {
	Phase string        // "idle" or "total"; connect, TLS and first byte come as errors of net/http
	After time.Duration // the limit that was passed
}

// Error says what was waited for and how long.
func (e *TimeoutError) Error() string {
	if e.Phase == "idle" {
		return fmt.Sprintf("the server sent nothing for %s in the middle of its reply", e.After)
	}
	return fmt.Sprintf("the exchange took longer than %s", e.After)
}

// Timeout marks the error as a time-out for net.Error.
func (e *TimeoutError) Timeout() bool { return true }

// Temporary is true: trying again can help.
func (e *TimeoutError) Temporary() bool { return true }

type transport struct {
	base    *http.Transport
	idle    time.Duration
	total   time.Duration
	maxBody int64
}

// RoundTrip sends one request. The body of the reply carries the remaining time-outs and the cap.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	timeout := &TimeoutError{Phase: "total", After: t.total}
	total := time.AfterFunc(t.total, func() { cancel(timeout) })
	stop := func() { total.Stop(); cancel(nil) }

	resp, err := t.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		err = because(ctx, err)
		stop()
		return nil, err
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		_ = resp.Body.Close()
		stop()
		return nil, &RedirectError{Status: resp.StatusCode, Host: targetHost(req.URL, resp.Header.Get("Location"))}
	}
	resp.Body = &body{ctx: ctx, cancel: cancel, stop: stop, inner: resp.Body, idle: t.idle, left: t.maxBody, limit: t.maxBody}
	return resp, nil
}

// CloseIdleConnections lets http.Client.CloseIdleConnections reach the connections.
func (t *transport) CloseIdleConnections() { t.base.CloseIdleConnections() }

// because replaces the error of a cancelled exchange by our reason for cancelling it, when it was ours.
func because(ctx context.Context, err error) error {
	if t, ok := errors.AsType[*TimeoutError](context.Cause(ctx)); ok {
		return t
	}
	return err
}

func targetHost(from *url.URL, location string) string {
	if location == "" {
		return ""
	}
	u, err := from.Parse(location)
	if err != nil {
		return ""
	}
	return u.Host
}

// body bounds the reading of a reply by size and by silence.
type body struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	stop   func()
	inner  io.ReadCloser
	idle   time.Duration
	left   int64
	limit  int64
	closed atomic.Bool
}

// Read counts silence only while somebody waits for bytes: a slow reader is not the server's fault.
func (b *body) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if b.left < 0 {
		return 0, b.tooLarge()
	}
	// One byte more than is left tells a body of exactly the limit from a longer one.
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	timer := time.AfterFunc(b.idle, func() { b.cancel(&TimeoutError{Phase: "idle", After: b.idle}) })
	n, err := b.inner.Read(p)
	timer.Stop()
	b.left -= int64(n)
	if b.left < 0 {
		return n - 1, b.tooLarge()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = because(b.ctx, err)
	}
	return n, err
}

func (b *body) tooLarge() error { return fmt.Errorf("%w of %d bytes", ErrTooLarge, b.limit) }

// Close ends the exchange and its timers.
func (b *body) Close() error {
	if b.closed.Swap(true) {
		return nil
	}
	// Cancelling first keeps Close from waiting for the rest of an endless body.
	b.stop()
	return b.inner.Close()
}
