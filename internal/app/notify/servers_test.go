package notify

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	bigint "math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
)

// smtpServer is a small mail server on the loopback: it speaks the dialogue, TLS from the start or after STARTTLS where it has a
// certificate, and AUTH PLAIN where it wants a password, and keeps what it took over.
type smtpServer struct {
	port     int
	tls      *tls.Config
	whole    bool   // TLS from the first byte
	password string // wanted of user "bench"; "" wants none
	refuse   string // reply to RCPT instead of 250

	mu      sync.Mutex
	mails   []apptest.Mail
	talks   int  // connections
	secured bool // the last mail came encrypted
}

func newSMTP(t *testing.T, s *smtpServer) *smtpServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if s.whole {
		l = tls.NewListener(l, s.tls)
	}
	s.port = l.Addr().(*net.TCPAddr).Port
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { s.talk(conn) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); wg.Wait() })
	return s
}

func (s *smtpServer) took() []apptest.Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]apptest.Mail{}, s.mails...)
}

func (s *smtpServer) talk(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(2 * time.Minute))
	s.mu.Lock()
	s.talks++
	s.mu.Unlock()
	in, secured, known := bufio.NewReader(conn), s.whole, s.password == ""
	say := func(lines ...string) { _, _ = io.WriteString(conn, strings.Join(lines, "\r\n")+"\r\n") }
	say("220 test ESMTP")
	var m apptest.Mail
	for {
		text, err := in.ReadString('\n')
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(strings.TrimRight(text, "\r\n"), " ")
		switch strings.ToUpper(verb) {
		case "EHLO":
			lines := []string{"250-test", "250-8BITMIME"}
			if s.tls != nil && !secured {
				lines = append(lines, "250-STARTTLS")
			}
			if s.password != "" {
				lines = append(lines, "250-AUTH PLAIN")
			}
			say(append(lines, "250 SIZE 20000000")...)
		case "STARTTLS":
			say("220 go ahead")
			upgraded := tls.Server(conn, s.tls)
			if upgraded.Handshake() != nil {
				return
			}
			conn, secured = upgraded, true
			in = bufio.NewReader(conn)
		case "AUTH":
			reply, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(rest, "PLAIN "))
			if known = string(reply) == "\x00bench\x00"+s.password; !known {
				say("535 no")
				continue
			}
			say("235 yes")
		case "MAIL":
			if !known {
				say("530 who are you")
				continue
			}
			m = apptest.Mail{From: between(rest)}
			say("250 ok")
		case "RCPT":
			if s.refuse != "" {
				say(s.refuse)
				continue
			}
			m.To = append(m.To, between(rest))
			say("250 ok")
		case "DATA":
			say("354 go on")
			m.Raw = readData(in)
			s.mu.Lock()
			s.mails, s.secured = append(s.mails, m), secured
			s.mu.Unlock()
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func between(s string) string {
	_, s, _ = strings.Cut(s, "<")
	s, _, _ = strings.Cut(s, ">")
	return s
}

func readData(in *bufio.Reader) string {
	var b strings.Builder
	for {
		text, err := in.ReadString('\n')
		if err != nil || text == ".\r\n" {
			return b.String()
		}
		b.WriteString(strings.TrimPrefix(text, "."))
	}
}

// hook is a receiver of webhooks on the loopback.
type hook struct {
	*httptest.Server
	mu      sync.Mutex
	replies []int // statuses of the next requests; 204 when there are none left
	got     []hookRequest
}

type hookRequest struct {
	header http.Header
	body   []byte
	path   string
}

func newHook(t *testing.T, replies ...int) *hook {
	t.Helper()
	h := &hook{replies: replies}
	h.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h.mu.Lock()
		defer h.mu.Unlock()
		h.got = append(h.got, hookRequest{r.Header.Clone(), body, r.URL.RequestURI()})
		status := http.StatusNoContent
		if len(h.replies) > 0 {
			status, h.replies = h.replies[0], h.replies[1:]
		}
		if status >= 300 && status < 400 {
			rw.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
		}
		rw.WriteHeader(status)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hook) requests() []hookRequest {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]hookRequest{}, h.got...)
}

// certificate makes a certificate for 127.0.0.1 and localhost, and the PEM file that trusts it.
func certificate(t *testing.T) (conf *tls.Config, file string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	cert := &x509.Certificate{
		SerialNumber: bigint.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().
				Add(time.Hour), DNSNames: []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, cert, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}, file
}

// notified is a world with a configuration file and a clock of its own.
type notified struct {
	*apptest.World
	mu   sync.Mutex
	at   time.Time
	logs strings.Builder
}

func newNotified(t *testing.T, config string, env map[string]string) *notified {
	t.Helper()
	n := &notified{World: apptest.NewWorld(t, ""), at: time.Date(2026, 11, 2, 6, 30, 0, 0, time.UTC)}
	for name, value := range env {
		n.Env[name] = value
	}
	n.reopen(t, config)
	return n
}

// reopen opens the data directory a second time, as another server would.
func (n *notified) reopen(t *testing.T, config string) {
	t.Helper()
	n.Workbench = n.open2(t, config)
}

func (n *notified) open2(t *testing.T, config string) *app.Workbench {
	t.Helper()
	w, err := app.Open(t.Context(), app.Options{
		DataDir: filepath.Join(n.Dir, "data"), ConfigPath: n.Write(t, "workbench.yaml", config), Concurrency: 2,
		Getenv: func(name string) string { return n.Env[name] }, Now: n.now,
		Sleep: func(context.Context, time.Duration) error { return nil },
		Log: func(message string, args ...any) {
			n.mu.Lock()
			defer n.mu.Unlock()
			fmt.Fprintln(&n.logs, message, args)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func (n *notified) now() time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.at
}

func (n *notified) set(at time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.at = at
}

func (n *notified) log() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.logs.String()
}
