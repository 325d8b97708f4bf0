package templates

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

//go:embed gallery/*.rag.md
var galleryFiles embed.FS

// galleryOrder is the order in which people meet the templates: from a first look to what is done every week.
var galleryOrder = []string{"compare", "sweep", "why", "hard", "cost", "judge", "release", "weekly", "endpoint", "languages",
	"airline-study", "founding"}

// Gallery lists the templates that ship with the program.
func Gallery() []string { return slices.Clone(galleryOrder) }

// GalleryTemplate is a template that ships with the program.
func GalleryTemplate(name string) (Template, error) {
	body, err := fs.ReadFile(galleryFiles, path.Join("gallery", name+".rag.md"))
	if err != nil {
		return Template{}, Unknown(name, Gallery())
	}
	return Parse(name, body)
}

// Unknown says that there is no template of a name, which is near, and which there are.
func Unknown(name string, names []string) *problem.Problem {
	return problem.New(problem.NotFound, "gallery_unknown", "there is no template %q%s", name, text.Meant(name, names)).
		WithHint("templates: %s", strings.Join(names, ", "))
}

// FromGallery is the text of a notebook of the gallery on the data of workbench demo, in English first.
func FromGallery(name string) ([]byte, error) {
	t, err := GalleryTemplate(name)
	if err != nil {
		return nil, err
	}
	return t.Fill(t.OnDemo("en"))
}

// OnDemo are the values with which a template works on the data of workbench demo, in "en" or "ja" first.
func (t *Template) OnDemo(lang string) map[string]string {
	out := LanguageFacts(lang)
	for name, v := range map[string]string{"demo": "yes", "themes": "yes", "before": "airline-" + lang + "-stale", "pinned": "yes"} {
		out[name] = v
	}
	for _, s := range t.Slots {
		out[s.Name] = s.Default
	}
	return out
}

// Shown are the values with which a template is shown before anything is chosen: the data of workbench demo where it works on them.
func (t *Template) Shown() map[string]string {
	for _, s := range t.Slots {
		if s.Default == "" && !s.Optional {
			return t.Sample()
		}
	}
	return t.OnDemo("en")
}

// LanguageFacts are those of [TemplateFacts] that follow from the language to begin with.
func LanguageFacts(lang string) map[string]string {
	if lang == "ja" {
		return map[string]string{"lang": "ja", "langs": "[ja, en]"}
	}
	return map[string]string{"lang": "en", "langs": "[en, ja]"}
}
