package studies

import (
	"cmp"
	"context"
	"maps"
	"os"
	"slices"
	"time"
)

// NotebookSeen says who looks at a notebook now.
type NotebookSeen struct {
	People []NotebookReader `json:"people"`
}

// NotebookReader is one open page with a notebook.
type NotebookReader struct {
	Tab  string `json:"tab" doc:"that the page gave itself"`
	By   string `json:"by" doc:"name of whoever has it open"`
	Cell string `json:"cell,omitempty" doc:"that is chosen there"`
}

// NotebookTextEvent says that the file of a notebook is another one.
type NotebookTextEvent struct {
	Digest string `json:"digest"`
	By     string `json:"by,omitempty" doc:"name of whoever saved it; absent when another program did"`
}

// NotebookCommentEvent says that what is said about a cell is another thing than before.
type NotebookCommentEvent struct {
	Cell string `json:"cell"`
}

// stillThere is how long a page counts as open after its stream was served last.
const stillThere = 5 * time.Second

// presence is who looks at a notebook, guarded by the lock of its feed.
type presence struct {
	readers map[string]reader // by tab
	savers  map[string]string // digest of a text → who saved it; the newest few
	order   []string          // of the digests

	comments  int    // how often something was said, resolved or removed
	commentOn string // the cell of the last one
}

type reader struct {
	NotebookReader
	at time.Time
}

// mostSavers bounds how many texts a feed remembers the authors of.
const mostSavers = 20

// savedBy notes who saved a text.
func (f *notebookFeed) savedBy(digest, by string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.savers == nil {
		f.savers = map[string]string{}
	}
	f.savers[digest] = by
	if f.order = append(f.order, digest); len(f.order) > mostSavers {
		if gone := f.order[0]; !slices.Contains(f.order[1:], gone) {
			delete(f.savers, gone)
		}
		f.order = f.order[1:]
	}
}

// commented notes that somebody said something about a cell, resolved or removed it.
func (f *notebookFeed) commented(cell string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.comments, f.commentOn = f.comments+1, cell
}

// said is how often something was said, and about which cell last.
func (f *notebookFeed) said() (times int, cell string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.comments, f.commentOn
}

// see notes that a page is open; cell nil leaves the chosen one as it is.
func (f *notebookFeed) see(tab, by string, cell *string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.readers == nil {
		f.readers = map[string]reader{}
	}
	now := f.now()
	maps.DeleteFunc(f.readers, func(_ string, r reader) bool { return now.Sub(r.at) > stillThere })
	if len(f.readers) >= mostReaders && f.readers[tab].Tab == "" {
		return
	}
	r := reader{NotebookReader{Tab: tab, By: by, Cell: f.readers[tab].Cell}, now}
	if cell != nil {
		r.Cell = *cell
	}
	f.readers[tab] = r
}

// mostReaders bounds how many pages a feed knows of.
const mostReaders = 50

// others are the other pages that are open, by tab.
func (f *notebookFeed) others(tab string) []NotebookReader {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := []NotebookReader{}
	for _, r := range f.readers {
		if r.Tab != tab && f.now().Sub(r.at) <= stillThere {
			out = append(out, r.NotebookReader)
		}
	}
	slices.SortFunc(out, func(a, b NotebookReader) int { return cmp.Compare(a.Tab, b.Tab) })
	return out
}

// number is that of the next event.
func (f *notebookFeed) number() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seq = max(f.seq+1, f.now().UnixMilli())
	return f.seq
}

// Choose notes which cell is chosen on an open page, and says who else has the notebook open.
func (s *Notebooks) Choose(name, tab, by, cell string) (NotebookSeen, error) {
	if _, err := s.file(name); err != nil {
		return NotebookSeen{}, err
	}
	s.feed(name).see(tab, by, &cell)
	return NotebookSeen{s.feed(name).others(tab)}, nil
}

// NotebookFollow follows a notebook from an open page: what a [NotebookWatch] tells, who else has it open, and when its file becomes
// another one, whoever changed it. It does not end. One goroutine uses it at a time.
type NotebookFollow struct {
	watch   *NotebookWatch
	path    string
	tab, by string
	people  []NotebookReader
	size    int64
	changed time.Time
	digest  string
	said    int
}

// Follow begins behind event number after for the page that calls itself tab.
func (s *Notebooks) Follow(name, tab, by string, after int64) (*NotebookFollow, error) {
	watch, err := s.Watch(name, after)
	if err != nil {
		return nil, err
	}
	path, err := s.path(name)
	said, _ := watch.feed.said()
	return &NotebookFollow{watch: watch, path: path, tab: tab, by: by, size: -1, said: said}, err
}

// Next returns what happened since.
func (w *NotebookFollow) Next(ctx context.Context) ([]NotebookEvent, error) {
	feed := w.watch.feed
	feed.see(w.tab, w.by, nil)
	out, _, err := w.watch.Next(ctx)
	if err != nil {
		return nil, err
	}
	if others := feed.others(w.tab); !slices.Equal(others, w.people) || w.people == nil {
		w.people = others
		out = append(out, NotebookEvent{Seq: feed.number(), Kind: "seen", Seen: &NotebookSeen{others}})
	}
	if said, cell := feed.said(); said != w.said {
		w.said = said
		out = append(out, NotebookEvent{Seq: feed.number(), Kind: "comment", Comment: &NotebookCommentEvent{cell}})
	}
	info, err := os.Stat(w.path)
	if err != nil || info.Size() == w.size && info.ModTime().Equal(w.changed) {
		return out, nil //nolint:nilerr // it was moved or deleted: whoever asks for it hears of it
	}
	body, modified, err := onDisk(w.path)
	if err != nil {
		return out, nil //nolint:nilerr // as above
	}
	w.size, w.changed = int64(len(body)), modified
	if digest := notebookDigest(body); digest != w.digest {
		w.digest = digest
		feed.mu.Lock()
		by := feed.savers[digest]
		feed.mu.Unlock()
		out = append(out, NotebookEvent{Seq: feed.number(), Kind: "saved", Saved: &NotebookTextEvent{digest, by}})
	}
	return out, nil
}
