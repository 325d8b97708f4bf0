package apptest

import (
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"
)

// Mail is a mail as a server took it over.
type Mail struct {
	From string
	To   []string
	Raw  string
}

// Opened is a mail taken apart: its headers, its text and its attachments by name.
type Opened struct {
	Headers mail.Header
	Subject string
	Kinds   []string // media types of its parts
	Text    string
	Files   map[string][]byte
}

// Open takes a mail apart; one that cannot be read fails the test.
func (m Mail) Open(t *testing.T) Opened {
	t.Helper()
	msg, err := mail.ReadMessage(strings.NewReader(m.Raw))
	if err != nil {
		t.Fatalf("the mail cannot be read: %v\n%s", err, m.Raw)
	}
	out := Opened{Headers: msg.Header, Files: map[string][]byte{}}
	if out.Subject, err = (&mime.WordDecoder{}).DecodeHeader(msg.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	kind, params, err := mime.ParseMediaType(msg.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		out.Kinds = []string{kind}
		out.Text = string(decoded(t, msg.Header.Get("Content-Transfer-Encoding"), msg.Body))
		return out
	}
	parts := multipart.NewReader(msg.Body, params["boundary"])
	for {
		p, err := parts.NextRawPart()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := mime.ParseMediaType(p.Header.Get("Content-Type"))
		out.Kinds = append(out.Kinds, kind)
		body := decoded(t, p.Header.Get("Content-Transfer-Encoding"), p)
		if name := p.FileName(); name != "" {
			out.Files[name] = body
		} else {
			out.Text += string(body)
		}
	}
}

func decoded(t *testing.T, encoding string, r io.Reader) []byte {
	t.Helper()
	switch strings.ToLower(encoding) {
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, r)
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
