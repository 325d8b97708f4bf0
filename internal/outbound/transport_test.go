package outbound

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

func client(t *testing.T, o Options) *http.Client {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// fetch returns the whole body and the first error of request or reading.
func fetch(c *http.Client, url string) ([]byte, error) {
	resp, err := c.Get(url)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	return io.ReadAll(resp.Body)
}

func TestBodyCap(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		size int
		zip  bool
		want error
	}{
		{name: "empty", size: 0},
		{name: "exactly the limit", size: 1000},
		{name: "one more", size: 1001, want: ErrTooLarge},
		{name: "far more", size: 1 << 20, want: ErrTooLarge},
		{name: "small on the wire, large when unpacked", size: 1 << 20, zip: true, want: ErrTooLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				payload := bytes.Repeat([]byte("x"), test.size)
				if !test.zip {
					_, _ = w.Write(payload)
					return
				}
				w.Header().Set("Content-Encoding", "gzip")
				z := gzip.NewWriter(w)
				_, _ = z.Write(payload)
				_ = z.Close()
			})
			got, err := fetch(client(t, Options{MaxBody: 1000}), s.URL)
			if !errors.Is(err, test.want) {
				t.Fatalf("error = %v, want %v", err, test.want)
			}
			if want := min(test.size, 1000); len(got) != want {
				t.Fatalf("read %d bytes, want %d", len(got), want)
			}
		})
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	trap := serve(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, trap.URL+"/take?token=secret", status)
		})
		_, err := fetch(client(t, Options{}), s.URL)
		got, ok := errors.AsType[*RedirectError](err)
		if !ok || got.Status != status || "http://"+got.Host != trap.URL {
			t.Fatalf("status %d: error = %v, want a RedirectError to %s", status, err, trap.URL)
		}
		if strings.Contains(got.Error(), "secret") {
			t.Fatalf("the error repeats the query of the target: %v", got)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Fatalf("the redirect target was reached %d times", n)
	}
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	halfThenSilence := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	drip := func(w http.ResponseWriter, r *http.Request) {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-r.Context().Done():
				return
			case <-tick.C:
				_, _ = io.WriteString(w, "x")
				_ = http.NewResponseController(w).Flush()
			}
		}
	}
	never := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for _, test := range []struct {
		name  string
		serve http.HandlerFunc
		o     Options
		phase string
	}{
		{"silence in the body", halfThenSilence, Options{Idle: 50 * time.Millisecond}, "idle"},
		{"drip for ever", drip, Options{Idle: 10 * time.Second, Total: 100 * time.Millisecond}, "total"},
		{"no reply within the total", never, Options{Total: 50 * time.Millisecond}, "total"},
		{"no first byte", never, Options{FirstByte: 50 * time.Millisecond}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := fetch(client(t, test.o), serve(t, test.serve).URL)
			var net interface{ Timeout() bool }
			if !errors.As(err, &net) || !net.Timeout() {
				t.Fatalf("error = %v, want a time-out", err)
			}
			if got, _ := errors.AsType[*TimeoutError](err); test.phase != "" && (got == nil || got.Phase != test.phase) {
				t.Fatalf("error = %v, want phase %s", err, test.phase)
			}
		})
	}
}

func TestCallerCancellationStaysCancellation(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client(t, Options{}).Do(req)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error = %v, want context.Canceled", err)
	}
}

func TestGuardJudgesTheDialledAddress(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	s := serve(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	guarded := client(t, Options{Guard: PublicOnly})
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
		if _, err := fetch(guarded, "http://"+host+":"+port); !errors.Is(err, ErrAddressRefused) {
			t.Errorf("%s: error = %v, want a refusal", host, err)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Fatalf("a refused address was reached %d times", n)
	}
	var seen atomic.Value
	open := client(t, Options{Guard: func(a netip.Addr) error { seen.Store(a.Unmap()); return nil }})
	if _, err := fetch(open, "http://127.0.0.1:"+port); err != nil {
		t.Fatal(err)
	}
	if seen.Load() != netip.MustParseAddr("127.0.0.1") {
		t.Fatalf("the guard saw %v, want 127.0.0.1", seen.Load())
	}
}

// Not parallel: it sets the environment that must be ignored.
func TestProxyIsOnlyTheExplicitOne(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	direct := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "direct") })
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "proxied "+r.URL.Host) })
	if got, err := fetch(client(t, Options{}), direct.URL); err != nil || string(got) != "direct" {
		t.Fatalf("without a proxy: %q, %v", got, err)
	}
	got, err := fetch(client(t, Options{Proxy: proxy.URL}), "http://model.example/v1")
	if err != nil || string(got) != "proxied model.example" {
		t.Fatalf("with a proxy: %q, %v", got, err)
	}
}

func TestCAFile(t *testing.T) {
	t.Parallel()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
	t.Cleanup(s.Close)
	if _, err := fetch(client(t, Options{}), s.URL); err == nil {
		t.Fatal("an unknown certificate was accepted")
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(file, block, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := fetch(client(t, Options{CAFile: file}), s.URL); err != nil || string(got) != "ok" {
		t.Fatalf("with the CA file: %q, %v", got, err)
	}
}

func TestOptionsThatCannotWork(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		o    Options
		code string
	}{
		"proxy without scheme": {Options{Proxy: "proxy.example:8080"}, "outbound_proxy"},
		"proxy without host":   {Options{Proxy: "http://"}, "outbound_proxy"},
		"proxy of odd scheme":  {Options{Proxy: "ftp://user:hunter2@proxy.example"}, "outbound_proxy"},
		"proxy with guard":     {Options{Proxy: "http://proxy.example", Guard: PublicOnly}, "outbound_guarded_proxy"},
		"CA file missing":      {Options{CAFile: filepath.Join(t.TempDir(), "none.pem")}, "outbound_ca_file"},
		"CA file empty":        {Options{CAFile: empty}, "outbound_ca_file"},
	} {
		_, err := New(test.o)
		if problem.CodeOf(err) != test.code || problem.From(err).Hint == "" {
			t.Errorf("%s: error = %v, want code %s with a hint", name, err, test.code)
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the error repeats the proxy's password: %v", name, err)
		}
	}
}
