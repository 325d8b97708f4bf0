package server

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// The paths that take large bodies.
const (
	uploadPath = "/datasets/preview"
	corpusPath = "/corpora"
)

// Parser reads what somebody uploaded, in another process with limits. dir is the working directory of that process; the paths of
// the request are relative to it.
type Parser func(ctx context.Context, dir string, request uploads.Request) (uploads.Upload, error)

// The limits of uploads, beside [views.MaxUploadBytes].
const (
	maxParts     = 200
	maxFieldSize = 64 << 10
	maxWaiting   = 20        // files that wait to be committed
	waitFor      = time.Hour // that they do so
	uploadTime   = 10 * time.Minute
)

// inbox holds files that wait to be committed.
type inbox struct {
	dir string
	now func() time.Time

	mu      sync.Mutex
	waiting map[string]*upload // by token
}

// upload is one received form: its files in a folder of its own, its other fields as texts.
type upload struct {
	dir    string // holds the folder files
	files  []string
	fields map[string]string
	at     time.Time

	most  int64    // bytes of all files
	apart []string // fields whose files lie in folders of that name, so that two may have one name; nil: all lie together
}

// filesFolder is the folder of the files in the folder of an upload.
const filesFolder = "files"

func newInbox(o Options) *inbox {
	dir := o.TempDir
	if dir == "" {
		dir = views.UploadDir(o.Workbench)
	}
	return &inbox{dir: dir, now: o.Now, waiting: map[string]*upload{}}
}

// receive streams a form into files. Names come from the client: of each only its last part is kept, and files are made through an
// os.Root, so that none can be made elsewhere.
func (u *inbox) receive(w http.ResponseWriter, r *http.Request) (*upload, error) {
	return u.receiveUpTo(w, r, views.MaxUploadBytes)
}

// receiveUpTo is receive with another limit, and perhaps fields whose files lie apart.
func (u *inbox) receiveUpTo(w http.ResponseWriter, r *http.Request, most int64, apart ...string) (*upload, error) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().
		Add(uploadTime)) //nolint:forbidigo // a deadline of the network is the system's clock; a test's recorder has none
	r.Body = http.MaxBytesReader(w, r.Body, most+maxFieldSize)
	form, err := r.MultipartReader()
	if err != nil {
		return nil, invalid("upload_form", "", "an upload is a form of type multipart/form-data", "send the file in a field called file")
	}
	if err := os.MkdirAll(u.dir, 0o700); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(u.dir, "upload-")
	if err != nil {
		return nil, err
	}
	got := &upload{dir: dir, fields: map[string]string{}, at: u.now(), most: most, apart: apart}
	if err := got.read(form); err != nil {
		got.remove()
		return nil, err
	}
	return got, nil
}

func (u *upload) read(form *multipart.Reader) error {
	if err := os.Mkdir(filepath.Join(u.dir, filesFolder), 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Join(u.dir, filesFolder))
	if err != nil {
		return err
	}
	defer root.Close()
	left := u.most
	for n := 0; ; n++ {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return u.broken(err)
		}
		if n == maxParts {
			return newProblem(http.StatusRequestEntityTooLarge, "too_many_parts", "a form may have 200 parts",
				"upload the files in several steps, or import the folder with `workbench corpus import`")
		}
		if part.FileName() == "" {
			if err := u.field(part); err != nil {
				return err
			}
			continue
		}
		size, err := u.file(root, part, left)
		if err != nil {
			return err
		}
		left -= size
	}
}

// broken is what went wrong while a form arrived.
func (u *upload) broken(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(u.most)
	}
	return newProblem(http.StatusBadRequest, "upload_form", "the form cannot be read to its end", "send it again")
}

func (u *upload) field(part *multipart.Part) error {
	value, err := io.ReadAll(io.LimitReader(part, maxFieldSize+1))
	if err != nil {
		return u.broken(err)
	}
	if len(value) > maxFieldSize {
		return tooLarge(maxFieldSize)
	}
	u.fields[part.FormName()] = string(value)
	return nil
}

func (u *upload) file(root *os.Root, part *multipart.Part, left int64) (int64, error) {
	name, err := cleanName(part.FileName())
	if err != nil {
		return 0, err
	}
	if u.apart != nil {
		field := part.FormName()
		if !slices.Contains(u.apart, field) {
			return 0, invalid("upload_field", "", "the form has no file of this name", "it takes the files "+strings.Join(u.apart, ", "))
		}
		if err := root.Mkdir(field, 0o700); err != nil {
			return 0, invalid("upload_files", field, "there are two files for "+field, "send one")
		}
		name = field + "/" + name
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return 0, invalid("upload_name", "file", "two files are called "+name, "give them different names")
	}
	if err != nil {
		return 0, err
	}
	size, err := io.Copy(f, io.LimitReader(part, left+1))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return size, u.broken(err)
	}
	if size > left {
		return size, tooLarge(u.most)
	}
	u.files = append(u.files, name)
	return size, nil
}

// cleanName is the last part of a name, and a Problem where that is no name of a file that people would recognise.
func cleanName(s string) (string, error) {
	name := s[strings.LastIndexAny(s, `/\`)+1:]
	bad := func(r rune) bool {
		return unicode.IsControl(r) || strings.ContainsRune(`<>:"|?*`, r) || r == utf8.RuneError
	}
	if name == "" || len(name) > 200 || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~$") || strings.ContainsFunc(name, bad) ||
		name != strings.TrimSpace(name) {
		return "", invalid("upload_name", "file", "the name of the file cannot be used",
			"give it a plain name with its usual ending, of at most 200 bytes")
	}
	return name, nil
}

func (u *upload) remove() { _ = os.RemoveAll(u.dir) }

// wait keeps an upload until it is committed, and returns the token that names it.
func (u *inbox) wait(up *upload) (string, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.waiting) >= maxWaiting {
		return "", problem.New(problem.Conflict, "uploads_waiting", "%d uploads wait to be committed already", maxWaiting).
			WithHint("commit one of them, or wait an hour")
	}
	token := rand.Text()
	u.waiting[token] = up
	return token, nil
}

// waited returns an upload that waits.
func (u *inbox) waited(token string) (*upload, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if up, ok := u.waiting[token]; ok {
		return up, nil
	}
	p := newProblem(http.StatusNotFound, "upload_unknown", "no upload waits under this token",
		"upload the file again; uploads wait for an hour")
	p.Field = "token"
	return nil, p
}

// done removes an upload that was committed.
func (u *inbox) done(token string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if up, ok := u.waiting[token]; ok {
		up.remove()
		delete(u.waiting, token)
	}
}

// forget removes what waited too long.
func (u *inbox) forget(now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for token, up := range u.waiting {
		if now.Sub(up.at) > waitFor {
			up.remove()
			delete(u.waiting, token)
		}
	}
}

// close removes everything.
func (u *inbox) close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for token, up := range u.waiting {
		up.remove()
		delete(u.waiting, token)
	}
}
