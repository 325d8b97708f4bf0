// Package outbound is the only way out of the process: a guarded HTTP transport.
//
// Every exchange has five time-outs (connect, TLS, first byte, silence between bytes, total), a cap on the size of the
// reply, and no redirects: a redirect would send a prompt, and perhaps a key, to a host nobody chose. No proxy is taken
// from the environment; one is used only when it is given. An optional [Guard] judges the address of each connection at
// the moment it is dialled, after name resolution, so a name that resolves differently the second time gains nothing.
// Addresses that the user of the machine writes need no guard; addresses that arrive over HTTP get [PublicOnly].
//
// Failures that a caller treats differently are typed: [ErrTooLarge], [ErrAddressRefused], [*RedirectError] and
// [*TimeoutError]. All other errors are those of net/http.
package outbound

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"syscall"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Defaults of [Options]. A model that does not stream sends its first byte when the whole reply is ready, so the
// first-byte time-out is long.
const (
	DefaultConnect   = 10 * time.Second
	DefaultTLS       = 10 * time.Second
	DefaultFirstByte = 240 * time.Second
	DefaultIdle      = 60 * time.Second
	DefaultTotal     = 300 * time.Second
	DefaultMaxBody   = 8 << 20
	DefaultIdleConns = 64
)

// Options configure a transport. A zero field takes its default.
type Options struct {
	Connect   time.Duration // until the connection stands
	TLS       time.Duration // until the TLS handshake is done
	FirstByte time.Duration // from the request being written to the reply's header
	Idle      time.Duration // longest silence while the body is read
	Total     time.Duration // the whole exchange, body included

	MaxBody int64 // bytes of a reply body after decompression; one more is ErrTooLarge

	Proxy               string // explicit http, https or socks5 proxy URL; the environment is never consulted
	CAFile              string // PEM file of certificates trusted in addition to the system's
	MaxIdleConnsPerHost int
	Guard               Guard // nil allows every address; cannot be combined with Proxy, which would hide the target
}

// New returns a client over [NewTransport] that follows no redirects and keeps no cookies.
func New(o Options) (*http.Client, error) {
	t, err := NewTransport(o)
	if err != nil {
		return nil, err
	}
	return &http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

// NewTransport returns the guarded transport, or a Problem when the proxy or the CA file cannot be used.
func NewTransport(o Options) (http.RoundTripper, error) {
	o = o.withDefaults()
	dialer := &net.Dialer{Timeout: o.Connect}
	if o.Guard != nil {
		dialer.ControlContext = guardDial(o.Guard)
	}
	base := &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    o.TLS,
		ResponseHeaderTimeout:  o.FirstByte,
		MaxIdleConns:           4 * o.MaxIdleConnsPerHost,
		MaxIdleConnsPerHost:    o.MaxIdleConnsPerHost,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		WriteBufferSize:        32 << 10, // a prompt leaves in one piece
		ForceAttemptHTTP2:      true,
	}
	if o.Proxy != "" {
		u, err := proxyURL(o)
		if err != nil {
			return nil, err
		}
		base.Proxy = http.ProxyURL(u)
	}
	if o.CAFile != "" {
		pool, err := certificates(o.CAFile)
		if err != nil {
			return nil, err
		}
		base.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	return &transport{base: base, idle: o.Idle, total: o.Total, maxBody: o.MaxBody}, nil
}

func (o Options) withDefaults() Options {
	duration := func(d *time.Duration, otherwise time.Duration) {
		if *d <= 0 {
			*d = otherwise
		}
	}
	duration(&o.Connect, DefaultConnect)
	duration(&o.TLS, DefaultTLS)
	duration(&o.FirstByte, DefaultFirstByte)
	duration(&o.Idle, DefaultIdle)
	duration(&o.Total, DefaultTotal)
	if o.MaxBody <= 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.MaxIdleConnsPerHost <= 0 {
		o.MaxIdleConnsPerHost = DefaultIdleConns
	}
	return o
}

// guardDial judges the resolved address just before the connection is made, which is the only moment that cannot be
// tricked by a second name lookup.
func guardDial(g Guard) func(context.Context, string, string, syscall.RawConn) error {
	return func(_ context.Context, _, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil {
			return &addressError{reason: "is not an IP address and port"}
		}
		return g(ap.Addr())
	}
}

func proxyURL(o Options) (*url.URL, error) {
	if o.Guard != nil {
		return nil, problem.New(problem.Invalid, "outbound_guarded_proxy",
			"an address guard cannot be used together with a proxy, because the proxy hides which address is reached").
			WithHint("Remove the proxy for guarded addresses, or let the user of the machine configure the address.")
	}
	u, err := url.Parse(o.Proxy)
	known := err == nil && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "socks5")
	if !known || u.Host == "" {
		// The text may hold a password, so it is not repeated.
		return nil, problem.New(problem.Invalid, "outbound_proxy", "the proxy is not an http, https or socks5 URL with a host").
			WithHint("Write it like http://proxy.example:8080.")
	}
	return u, nil
}

func certificates(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, problem.New(problem.Invalid, "outbound_ca_file", "the certificate file %s cannot be read", file).
			With("file", file).Because(err).WithHint("Check the path and its permissions.")
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, problem.New(problem.Invalid, "outbound_ca_file", "the certificate file %s holds no PEM certificate", file).
			With("file", file).WithHint("It must contain at least one block that begins with -----BEGIN CERTIFICATE-----.")
	}
	return pool, nil
}
