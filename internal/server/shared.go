package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/rag-workbench/workbench/internal/app/sharing"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// shared shows the page of a link to whoever has it: the bytes that were kept when the link was made. It asks for nobody's role and no
// cookie. A link that never was, one that has expired and one that was revoked are answered alike.
func (s *Server) shared(w http.ResponseWriter, r *http.Request) {
	lang, now := readerLanguage(r), s.Now()
	address := requests.VisitorAddress(r, s.TrustedProxies)
	where := "address " + requests.Network(address)
	wait := s.access.Limits.Shares.Take(where, now) // given back when the link opens a page
	if wait == 0 && s.SignIn {
		wait = s.access.Limits.Requests.Take(where, now)
	}
	if wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		s.sharedPage(w, http.StatusTooManyRequests, said(lang, "slow"))
		return
	}
	var body []byte
	var ok bool
	var err error
	if s.resources.MayShare() {
		body, ok, err = s.sharing.Open(r.Context(), chi.URLParam(r, "secret"), lang, address)
	}
	switch {
	case err != nil && !ok:
		s.Log("a shared page was not opened", "error", err)
		s.sharedPage(w, http.StatusServiceUnavailable, said(lang, "later"))
	case !ok:
		s.sharedPage(w, http.StatusNotFound, said(lang, "gone"))
	default:
		if err != nil {
			s.Log("the audit log was not written", "action", "share.open", "error", err)
		}
		s.access.Limits.Shares.Back(where)
		s.sharedPage(w, http.StatusOK, body)
	}
}

// sharedPage sends a page that may do nothing at all: no script, no address, no form, no frame; it is kept by nobody on the way and
// found by no search engine.
func (s *Server) sharedPage(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Security-Policy", pagePolicy(body))
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Robots-Tag", "noindex, nofollow, noarchive")
	h.Set("Vary", "Accept-Language")
	send(w, status, htmlText, body)
}

// pagePolicy lets a page show the one style element that it has, and do nothing else.
func pagePolicy(body []byte) string {
	style := "'none'"
	if _, after, ok := bytes.Cut(body, []byte("<style>")); ok {
		text, _, _ := bytes.Cut(after, []byte("</style>"))
		sum := sha256.Sum256(text)
		style = "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; style-src " + style + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
}

// readerLanguage is the one that a page is asked for in, or the first of ours that the browser likes; English where it likes neither.
func readerLanguage(r *http.Request) string {
	if lang := r.URL.Query().Get("lang"); lang == "en" || lang == "ja" {
		return lang
	}
	return requests.LanguageOf(r.Header.Get("Accept-Language"))
}

// sayings are the pages of links that open nothing.
var sayings = map[string]map[string][3]string{
	"en": {
		"gone": {"This link opens nothing", "It may have expired or been revoked, or a part of it is missing.",
			"Ask whoever sent it for a new one."},
		"slow":  {"Too many tries", "Too many links that open nothing were tried from your network.", "Wait a minute and try again."},
		"later": {"The page cannot be shown at this moment", "Something went wrong on the server.", "Try again later."},
	},
	"ja": {
		"gone": {"このリンクではページを開けません", "期限切れか取り消し済み、またはリンクの一部が欠けている可能性があります。",
			"送信元に新しいリンクを依頼してください。"},
		"slow":  {"試行回数が多すぎます", "同じネットワークから、開けないリンクが何度も試されました。", "1分ほど待ってから、もう一度お試しください。"},
		"later": {"今はページを表示できません", "サーバーで問題が発生しました。", "しばらくしてから、もう一度お試しください。"},
	},
}

const sayingStyle = `:root{color-scheme:light dark}` +
	`body{font:16px/1.6 "Noto Sans","Noto Sans JP","Hiragino Sans","Yu Gothic",system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1.2rem}` +
	`h1{font-size:1.4rem}a{color:inherit;display:inline-block;padding:.4rem 0}`

var sayingPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("saying").Parse(`<!doctype html>
<html lang="{{.Lang}}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex,nofollow"><title>{{index .Words 0}}</title><style>{{.Style}}</style></head>
<body><main><h1>{{index .Words 0}}</h1><p>{{index .Words 1}}</p><p>{{index .Words 2}}</p>
<p><a href="?lang={{.Other}}" hreflang="{{.Other}}" lang="{{.Other}}">{{.Name}}</a></p></main></body></html>
`))
})

// said is one of the sayings as a page.
func said(lang, what string) []byte {
	other, name := "ja", "日本語"
	if lang == "ja" {
		other, name = "en", "English"
	}
	var out bytes.Buffer
	_ = sayingPage().Execute(&out, map[string]any{ // our own words into memory
		"Lang": lang, "Words": sayings[lang][what], "Style": template.CSS(sayingStyle), "Other": other, "Name": name, //nolint:gosec // ours
	})
	return out.Bytes()
}

// loggedPath is a path without the secret of a shared page.
func loggedPath(path string) string {
	if strings.HasPrefix(path, sharing.PathPrefix) {
		return sharing.PathPrefix + "…"
	}
	return path
}
