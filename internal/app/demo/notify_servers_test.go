package demo

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

type smtpMail struct {
	from string
	to   []string
	raw  string
}

// opened is a mail taken apart: its headers, its text and its attachments by name.
type opened struct {
	headers mail.Header
	subject string
	kinds   []string // media types of its parts
	text    string
	files   map[string][]byte
}

func (m smtpMail) open(t *testing.T) opened {
	t.Helper()
	msg, err := mail.ReadMessage(strings.NewReader(m.raw))
	if err != nil {
		t.Fatalf("the mail cannot be read: %v\n%s", err, m.raw)
	}
	out := opened{headers: msg.Header, files: map[string][]byte{}}
	if out.subject, err = (&mime.WordDecoder{}).DecodeHeader(msg.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	kind, params, err := mime.ParseMediaType(msg.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		out.kinds = []string{kind}
		out.text = string(decoded(t, msg.Header.Get("Content-Transfer-Encoding"), msg.Body))
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
		out.kinds = append(out.kinds, kind)
		body := decoded(t, p.Header.Get("Content-Transfer-Encoding"), p)
		if name := p.FileName(); name != "" {
			out.files[name] = body
		} else {
			out.text += string(body)
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
