package llm

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/text"
	"net/url"
	"strings"
)

// messageCap bounds what a person or the ledger sees of a foreign error, in bytes.
const messageCap = 2 << 10

// redactor removes the API key, in the spellings in which a server may echo it.
type redactor struct {
	spellings [][]byte
	length    int // of the key
}

const redacted = "[API key removed]"

func newRedactor(key string) redactor {
	// Keys below 8 characters are the placeholders of local servers ("none", "ollama"): words, not secrets.
	if len(key) < 8 {
		return redactor{}
	}
	quoted, _ := json.Marshal(key)
	r := redactor{length: len(key)}
	for _, s := range []string{
		key, strings.Trim(string(quoted), `"`), strings.ReplaceAll(key, "/", `\/`), url.QueryEscape(key),
		base64.StdEncoding.EncodeToString([]byte(key)), base64.StdEncoding.EncodeToString([]byte("Bearer " + key)),
	} {
		r.spellings = append(r.spellings, []byte(s))
	}
	return r
}

// bytes returns b without the key. In a successful reply (failed false) only a key of 16 characters or more is looked for,
// because a shorter one may be a word that the model wrote.
func (r redactor) bytes(b []byte, failed bool) []byte {
	if !failed && r.length < 16 {
		return b
	}
	for _, s := range r.spellings {
		if bytes.Contains(b, s) {
			b = bytes.ReplaceAll(b, s, []byte(redacted))
		}
	}
	return b
}

// text is a foreign text made fit for a message: no key, no line noise, at most 2 KB.
func (r redactor) text(s string) string {
	s = strings.TrimSpace(replies.CleanText(string(r.bytes([]byte(s), true))))
	return text.CutBytes(s, messageCap)
}

// error keeps err as it is unless its text holds the key.
func (r redactor) error(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if len(text) <= messageCap && string(r.bytes([]byte(text), true)) == text {
		return err
	}
	return plainError(r.text(text))
}

type plainError string

func (e plainError) Error() string { return string(e) }
