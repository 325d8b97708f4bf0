// Package frontend holds the built user interface.
//
// The interface is written in TypeScript below src and built by `npm ci && npm run build` into dist, which is not kept in
// the repository. The package compiles without it, so that nobody needs Node to build the program; [Assets] then says that
// there is nothing to serve.
package frontend

import (
	"embed"
	"io/fs"
)

// dist holds at least .gitkeep: all: takes files whose names start with a dot, so the pattern matches before a build too.
//
//go:embed all:dist
var dist embed.FS

// Assets returns the files of the built user interface with index.html at their root, and whether it was built when the
// program was compiled. Files that shrink are compressed by the build and have the suffix .gz behind their names; only index.html is
// there in both forms. Names below assets/ carry a hash of their content and may be cached for ever.
func Assets() (fs.FS, bool) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, false
	}
	if _, err := fs.Stat(files, "index.html"); err != nil {
		return nil, false
	}
	return files, true
}
