package server

import (
	"compress/gzip"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rag-workbench/workbench/internal/server/requests"
)

// notBuilt is what a server without a user interface shows.
const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>RAG Workbench</title>
<h1>RAG Workbench</h1>
<p>The server runs, but this program was built without the user interface.</p>
<p>Build it with <code>make frontend</code> and build the program again. The API is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>
`

// page serves the user interface: its files, and its one page for every other path, because the page itself reads the address.
func (s *Server) page(c *gin.Context) {
	name := strings.TrimPrefix(path.Clean(c.Request.URL.Path), "/")
	switch {
	case requests.OfAPI(c.Request.URL.Path):
		requests.WriteProblem(c.Writer, requests.NewProblem(http.StatusNotFound, "route_unknown", "there is nothing at this path",
			"see "+requests.Prefix+"/openapi.json"))
	case c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead:
		requests.WriteProblem(c.Writer, requests.MethodUnknown(c.Request))
	case s.Assets == nil:
		c.Data(http.StatusOK, "text/html; charset=utf-8", []byte(notBuilt))
	case name != "" && s.asset(c, name):
	case strings.HasPrefix(name, "assets/"):
		c.Status(http.StatusNotFound)
	default:
		s.asset(c, "index.html")
	}
}

// asset sends a file of the user interface. Most are compressed since they were built, which all browsers take; for what does not, the
// file is unpacked on its way. Names of files under assets/ change with their contents, so that they may be kept for ever.
func (s *Server) asset(c *gin.Context, name string) bool {
	f, packed := openFile(s.Assets, name+".gz"), true
	if f == nil {
		f, packed = openFile(s.Assets, name), false
	}
	if f == nil {
		return false
	}
	defer f.Close()
	body := io.Reader(f)
	if packed && !strings.Contains(c.GetHeader("Accept-Encoding"), "gzip") {
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
	h := c.Writer.Header()
	h.Set("Content-Type", kind)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if packed {
		h.Set("Content-Encoding", "gzip")
	}
	c.Writer.WriteHeader(http.StatusOK)
	if c.Request.Method == http.MethodGet {
		_, _ = io.Copy(c.Writer, body) // the client is gone: nothing more can be said
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
