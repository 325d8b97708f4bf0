package notebooks

import "errors"

// GalleryData is what a notebook of the gallery is to work on instead of the demo's data.
type GalleryData struct {
	Corpus, Dataset string // registered, as NAME or NAME@VERSION
	Before          string // an earlier version of the documents; "" for none: what rests on one is then left out, and a note says so
	Pinned          bool   // the dataset has a baseline; without one a first run takes its place
}

// FromGalleryOn is the text of a notebook of the gallery on other data than the demo's. What speaks of the demo is left out.
func FromGalleryOn(name string, data GalleryData) ([]byte, error) {
	body, err := FromGallery(name)
	if err != nil {
		return nil, err
	}
	d, err := Parse(name, body)
	if err != nil {
		return nil, err
	}
	e := &ownData{d: d}
	if e.has("demo") {
		e.remove("demo")
		e.front(map[string]any{"title": map[string]any{"en": "What a change of chunks did", "ja": "チャンク変更の効果"}})
		e.fields("goals", map[string]any{"targets": []any{
			map[string]any{"metric": "low_score_share", "target": 0.25}, map[string]any{"metric": "correctness", "target": 3.5},
		}})
	}
	e.fields("pages", map[string]any{"source": data.Corpus})
	e.fields("qa", map[string]any{"source": data.Dataset})
	e.fields("p", map[string]any{"lang": nil})
	if p := e.d.Cell("p"); p != nil && len(p.Resolved()) == 0 {
		e.remove("p")
	}
	if e.has("stale") {
		e.earlier(data.Before)
	}
	if !data.Pinned && e.has("week") {
		e.firstWeek()
	}
	if e.err != nil {
		return nil, e.err
	}
	return e.d.Bytes(), nil
}

// ownData edits a notebook of the gallery. After an error it changes nothing more.
type ownData struct {
	d   *Document
	err error
}

func (e *ownData) has(cell string) bool { return e.d.Cell(cell) != nil }

func (e *ownData) took(d *Document, err error) {
	if e.err = errors.Join(e.err, err); e.err == nil {
		e.d = d
	}
}

func (e *ownData) fields(cell string, changes map[string]any) {
	d, _, err := e.d.WithFields(cell, changes)
	e.took(d, err)
}

func (e *ownData) front(changes map[string]any) {
	d, _, err := e.d.WithFront(changes)
	e.took(d, err)
}

func (e *ownData) remove(cells ...string) {
	for _, cell := range cells {
		d, _, err := e.d.Remove(cell)
		e.took(d, err)
	}
}

func (e *ownData) insert(before, cellType, name, body string) {
	d, _, _, err := e.d.InsertCell(e.d.Block(before), cellType, name, body)
	e.took(d, err)
}

// earlier sets an earlier version of the documents beside the newest, or takes out what rests on one.
func (e *ownData) earlier(version string) {
	if version != "" {
		e.fields("stale", map[string]any{"source": version})
		return
	}
	e.remove("stale", "outdated", "old", "result_old")
	e.fields("r", map[string]any{"configs": []any{"good", "blind"}})
	e.insert("p", "note", "lacks", lacksEarlier)
}

// lacksEarlier says what a notebook lacks where a corpus has one version.
const lacksEarlier = `en: |
  The second test is left out: it needs an earlier version of the documents, and this corpus has one version only. Import a changed version
  and create the notebook again.
ja: |
  二つ目の確認は省いた。文書の以前の版が必要だが、このコーパスには版が一つしかない。変更した文書を取り込み、ノートブックを作り直すこと。
`

// firstWeek compares with the system as it is now, where nobody pinned a baseline.
func (e *ownData) firstWeek() {
	first := e.d.Cell("production").Body
	e.insert("week", "note", "no_baseline", noBaseline)
	e.insert("week", "config", "first", first)
	e.insert("week", "run", "start", "configs: first\ndataset: qa\n")
	e.fields("c", map[string]any{"baseline": "start"})
	e.fields("monday", map[string]any{"baseline": "start"})
}

// noBaseline says what takes the place of the baseline.
const noBaseline = `en: |
  No baseline is pinned for this dataset, so the first configuration stands in for it: change ` + "`production`" + ` and leave ` + "`first`" + ` as it is. When a
  baseline is pinned, write ` + "`pinned`" + ` in its place.
ja: |
  このデータセットには比較の基準が設定されていないため、最初の設定で代える。変更するのは ` + "`production`" + ` だけで、` + "`first`" + ` はそのまま残す。
  比較の基準を設定したら、` + "`baseline`" + ` に ` + "`pinned`" + ` と書く。
`
