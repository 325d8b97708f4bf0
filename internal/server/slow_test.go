package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
)

// TestSlowBodiesAreCutOff opens connections that announce a body and never send it whole: each is closed when its time is over, on a
// route of the contract, without a right to be there and with one.
func TestSlowBodiesAreCutOff(t *testing.T) {
	t.Parallel()
	w := bare(t)
	for name, o := range map[string]Options{"open": {Workbench: w, BodyTime: 200 * time.Millisecond},
		"sign-in": {Workbench: w, BodyTime: 200 * time.Millisecond, SignIn: true}} {
		c := serve(t, o)
		web := httptest.NewUnstartedServer(c.server.Handler())
		web.Config.IdleTimeout = 200 * time.Millisecond // as the real one has a longer one, for requests that nobody reads
		web.Start()
		t.Cleanup(web.Close)
		c.url = web.URL
		for range 5 {
			conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(conn,
				"POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
			_ = conn.SetReadDeadline(time.Now().Add(2 * time.Minute))
			if _, err := io.Copy(io.Discard, conn); err != nil {
				t.Errorf("%s: a connection stays open: %v", name, err)
			}
			_ = conn.Close()
		}
	}
}

// TestAnnouncedLengthBeyondTheCapIsRefusedUnread sends only the head of a request that is too large.
func TestAnnouncedLengthBeyondTheCapIsRefusedUnread(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: bare(t)})
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	fmt.Fprintf(conn, "POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		100<<20)
	_ = conn.SetReadDeadline(time.Now().Add(2 * time.Minute))
	reply, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || reply.StatusCode != http.StatusRequestEntityTooLarge {
		t.Fatalf("reply = %v, %v", reply, err)
	}
	_ = reply.Body.Close()
}

func TestHealthAnswersHead(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: bare(t)})
	for _, path := range []string{alivePath, readyPath} {
		if status, _, _ := c.do(http.MethodHead, path, ""); status != http.StatusOK {
			t.Errorf("HEAD %s: %d", path, status)
		}
	}
}

// bare is a workbench on an empty folder.
func bare(t *testing.T) *app.Workbench {
	t.Helper()
	w, err := app.Open(t.Context(), app.Options{DataDir: t.TempDir(), Getenv: func(string) string { return "" }, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}
