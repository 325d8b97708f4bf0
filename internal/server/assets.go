package server

import (
	"compress/gzip"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/rag-workbench/workbench/internal/server/requests"
)

const htmlText = "text/html; charset=utf-8"

// notBuilt is what a server without a user interface shows.
const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>RAG Workbench</title>
<h1>RAG Workbench</h1>
<p>The server runs, but this program was built without the user interface.</p>
<p>Build it with <code>make frontend</code> and build the program again. The API is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>
`

// page serves the user interface: its files, and its one page for every other path, because the page itself reads the address.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	switch {
	case requests.OfAPI(r.URL.Path):
		requests.WriteProblem(w, r, requests.NewProblem(http.StatusNotFound, "route_unknown", "there is nothing at this path",
			"see "+requests.Prefix+"/openapi.json"))
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		requests.WriteProblem(w, r, requests.MethodUnknown(r))
	case s.Assets == nil:
		send(w, http.StatusOK, htmlText, []byte(notBuilt))
	case name != "" && s.asset(w, r, name):
	case strings.HasPrefix(name, "assets/"):
		send(w, http.StatusNotFound, plainText, []byte("404 page not found"))
	default:
		s.asset(w, r, "index.html")
	}
}

// asset sends a file of the user interface. Most are compressed since they were built, which all browsers take; for what does not, the
// file is unpacked on its way. Names of files under assets/ change with their contents, so that they may be kept for ever.
func (s *Server) asset(w http.ResponseWriter, r *http.Request, name string) bool {
	f, packed := openFile(s.Assets, name+".gz"), true
	if f == nil {
		f, packed = openFile(s.Assets, name), false
	}
	if f == nil {
		return false
	}
	defer f.Close()
	body := io.Reader(f)
	if packed && !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		unpacked, err := gzip.NewReader(f)
		if err != nil {
			return false
		}
		body, packed = unpacked, false
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if packed {
		h.Set("Content-Encoding", "gzip")
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = io.Copy(w, body) // the client is gone: nothing more can be said
	}
	return true
}

// openFile opens a file, nil where there is none of this name.
func openFile(files fs.FS, name string) fs.File {
	f, err := files.Open(name)
	if err != nil {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.IsDir() {
		_ = f.Close()
		return nil
	}
	return f
}
