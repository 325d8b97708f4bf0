package requests

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/text"
)

// StudyType is the type of the file of a study.
const StudyType = "application/zip"

// The types of the files that tables and reports are written as.
var FileTypes = map[string]string{
	"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson", "md": "text/markdown; charset=utf-8",
	"html": "text/html; charset=utf-8",
	"zip":  StudyType, "ragsnap": StudyType, "ipynb": "application/x-ipynb+json",
	"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// Table registers one route for each format of a table.
func Table[I any](r *Router, path string, need Permission, summary string, h func(context.Context, *I) (spreadsheet.Table, string, error)) {
	for _, format := range spreadsheet.Formats() {
		Stream(r, path+"."+format, need, summary+" ("+format+")", FileTypes[format],
			func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
				t, name, err := h(ctx, in)
				if err != nil {
					return nil, err
				}
				return r.log.File(name, format, func(w huma.Context) error { return t.Write(w.BodyWriter(), format) }), nil
			})
	}
}

// File is a download that is written while it is sent. When writing fails the connection is broken off, so that nobody takes half a
// file for a whole one.
func (log Journal) File(name, format string, write func(huma.Context) error) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		ctx.SetHeader("Content-Type", FileTypes[format])
		ctx.SetHeader("Content-Disposition", `attachment; filename="`+FileName(name)+"."+format+`"`)
		ctx.SetHeader("Content-Security-Policy", FilePolicy)
		ctx.SetStatus(http.StatusOK)
		if err := write(ctx); err != nil {
			log("download failed", "name", name, "error", err)
			panic(http.ErrAbortHandler)
		}
	}}
}

var notInFileName = text.Lazy(`[^A-Za-z0-9._-]+`)

// FileName keeps of a name what is harmless in a header and in every file system.
func FileName(name string) string {
	name = notInFileName.ReplaceAllString(name, "_")
	return name[:min(len(name), 100)]
}

// FilePolicy is for downloads: even one that a browser shows may do nothing.
const FilePolicy = "default-src 'none'; sandbox"
