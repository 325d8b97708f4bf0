package apptest

import (
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
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
	Text    string   // its plain text
	HTML    string
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
	out.add(t, textproto.MIMEHeader(msg.Header), msg.Body)
	return out
}

// add reads a part, and the parts within it.
func (o *Opened) add(t *testing.T, header textproto.MIMEHeader, r io.Reader) {
	t.Helper()
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(r, params["boundary"])
		for {
			p, err := parts.NextRawPart()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			o.add(t, p.Header, p)
		}
	}
	o.Kinds = append(o.Kinds, kind)
	body := decoded(t, header.Get("Content-Transfer-Encoding"), r)
	_, named, _ := mime.ParseMediaType(header.Get("Content-Disposition"))
	switch {
	case named["filename"] != "" && strings.HasPrefix(header.Get("Content-Disposition"), "attachment"):
		o.Files[named["filename"]] = body
	case kind == "text/html":
		o.HTML += string(body)
	case kind == "text/plain":
		o.Text += string(body)
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
