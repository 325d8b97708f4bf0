package notebooks

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

//go:embed gallery/*.rag.md
var galleryFiles embed.FS

// Gallery lists the notebooks that ship with the program, for the demo's data.
func Gallery() []string {
	entries, err := fs.ReadDir(galleryFiles, "gallery")
	if err != nil {
		panic(err) // embedded at build time: cannot be missing in a program that starts
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".rag.md"))
	}
	slices.Sort(out)
	return out
}

// FromGallery is the text of a notebook of the gallery.
func FromGallery(name string) ([]byte, error) {
	body, err := galleryFiles.ReadFile(path.Join("gallery", name+".rag.md"))
	if err != nil {
		return nil, problem.New(problem.NotFound, "gallery_unknown", "there is no notebook %q%s", name, nearest(name, Gallery())).
			WithHint("notebooks: %s", strings.Join(Gallery(), ", "))
	}
	return body, nil
}
