package requests

import (
	"context"
	"crypto/rand"
	"encoding/json"
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

// Knows refuses a form with other fields than these.
func (u *Upload) Knows(names ...string) error {
	for name := range u.Fields {
		if !slices.Contains(names, name) {
			return Invalid("upload_field", name, "the form has no field of this name", "beside files it takes "+strings.Join(names, ", "))
		}
	}
	return nil
}

// Flag is a field that is true or false, which is also what an absent one is.
func (u *Upload) Flag(name string) (bool, error) {
	switch u.Fields[name] {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, Invalid("upload_field", name, name+" is neither true nor false", "")
}

// Columns says which column of the file is which field.
func (u *Upload) Columns() (map[string]string, error) {
	columns := map[string]string{}
	return columns, u.Decode("columns", &columns, "upload_columns", "an object of texts", `{"column of the file": "field"}`)
}

// Sheets are the sheets of a workbook to read, none where the reader is to choose.
func (u *Upload) Sheets() (sheets []string, err error) {
	err = u.Decode("sheets", &sheets, "upload_sheets", "a list of texts", `["name of a sheet"]`)
	return sheets, err
}

// Decode reads a field that holds JSON, where it is there.
func (u *Upload) Decode(name string, into any, code, what, example string) error {
	sent := u.Fields[name]
	if sent == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(sent), into); err != nil {
		return Invalid(code, name, name+" is not JSON: "+what, "send "+example)
	}
	return nil
}

// The paths that take large bodies.
const (
	UploadPath = "/datasets/preview"
	CorpusPath = "/corpora"
)

// Parser reads what somebody uploaded, in another process with limits. dir is the working directory of that process; the paths of
// the request are relative to it.
type Parser func(ctx context.Context, dir string, request uploads.Request) (uploads.Upload, error)

// The limits of uploads, beside [views.MaxUploadBytes].
const (
	MaxParts     = 200
	MaxFieldSize = 64 << 10
	MaxWaiting   = 20        // files that wait to be committed
	WaitFor      = time.Hour // that they do so
	uploadTime   = 10 * time.Minute
)

// Inbox holds files that wait to be committed.
type Inbox struct {
	dir string
	now func() time.Time

	mu      sync.Mutex
	waiting map[string]*Upload // by token
}

// Upload is one received form: its files in a folder of its own, its other fields as texts.
type Upload struct {
	Dir    string // holds the folder files
	Files  []string
	Fields map[string]string
	at     time.Time

	most  int64    // bytes of all files
	apart []string // fields whose files lie in folders of that name, so that two may have one name; nil: all lie together
}

// FilesFolder is the folder of the files in the folder of an upload.
const FilesFolder = "files"

// NewInbox waits for files in the folder of the options.
func NewInbox(o Options) *Inbox {
	dir := o.TempDir
	if dir == "" {
		dir = views.UploadDir(o.Workbench)
	}
	return &Inbox{dir: dir, now: o.Now, waiting: map[string]*Upload{}}
}

// Receive streams a form into files. Names come from the client: of each only its last part is kept, and files are made through an
// os.Root, so that none can be made elsewhere.
func (u *Inbox) Receive(w http.ResponseWriter, r *http.Request) (*Upload, error) {
	return u.ReceiveUpTo(w, r, views.MaxUploadBytes)
}

// ReceiveUpTo is receive with another limit, and perhaps fields whose files lie apart.
func (u *Inbox) ReceiveUpTo(w http.ResponseWriter, r *http.Request, most int64, apart ...string) (*Upload, error) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().
		Add(uploadTime)) //nolint:forbidigo // a deadline of the network is the system's clock; a test's recorder has none
	r.Body = http.MaxBytesReader(w, r.Body, most+MaxFieldSize)
	form, err := r.MultipartReader()
	if err != nil {
		return nil, Invalid("upload_form", "", "an upload is a form of type multipart/form-data", "send the file in a field called file")
	}
	if err := os.MkdirAll(u.dir, 0o700); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(u.dir, "upload-")
	if err != nil {
		return nil, err
	}
	got := &Upload{Dir: dir, Fields: map[string]string{}, at: u.now(), most: most, apart: apart}
	if err := got.read(form); err != nil {
		got.Remove()
		return nil, err
	}
	return got, nil
}

func (u *Upload) read(form *multipart.Reader) error {
	if err := os.Mkdir(filepath.Join(u.Dir, FilesFolder), 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Join(u.Dir, FilesFolder))
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
		if n == MaxParts {
			return NewProblem(http.StatusRequestEntityTooLarge, "too_many_parts", "a form may have 200 parts",
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
func (u *Upload) broken(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return TooLarge(u.most)
	}
	return NewProblem(http.StatusBadRequest, "upload_form", "the form cannot be read to its end", "send it again")
}

func (u *Upload) field(part *multipart.Part) error {
	value, err := io.ReadAll(io.LimitReader(part, MaxFieldSize+1))
	if err != nil {
		return u.broken(err)
	}
	if len(value) > MaxFieldSize {
		return TooLarge(MaxFieldSize)
	}
	u.Fields[part.FormName()] = string(value)
	return nil
}

func (u *Upload) file(root *os.Root, part *multipart.Part, left int64) (int64, error) {
	name, err := cleanName(part.FileName())
	if err != nil {
		return 0, err
	}
	if u.apart != nil {
		field := part.FormName()
		if !slices.Contains(u.apart, field) {
			return 0, Invalid("upload_field", "", "the form has no file of this name", "it takes the files "+strings.Join(u.apart, ", "))
		}
		if err := root.Mkdir(field, 0o700); err != nil {
			return 0, Invalid("upload_files", field, "there are two files for "+field, "send one")
		}
		name = field + "/" + name
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return 0, Invalid("upload_name", "file", "two files are called "+name, "give them different names")
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
		return size, TooLarge(u.most)
	}
	u.Files = append(u.Files, name)
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
		return "", Invalid("upload_name", "file", "the name of the file cannot be used",
			"give it a plain name with its usual ending, of at most 200 bytes")
	}
	return name, nil
}

// Remove takes the files away.
func (u *Upload) Remove() { _ = os.RemoveAll(u.Dir) }

// Wait keeps an upload until it is committed, and returns the token that names it.
func (u *Inbox) Wait(up *Upload) (string, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.waiting) >= MaxWaiting {
		return "", problem.New(problem.Conflict, "uploads_waiting", "%d uploads wait to be committed already", MaxWaiting).
			WithHint("commit one of them, or wait an hour")
	}
	token := rand.Text()
	u.waiting[token] = up
	return token, nil
}

// Waited returns an upload that waits.
func (u *Inbox) Waited(token string) (*Upload, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if up, ok := u.waiting[token]; ok {
		return up, nil
	}
	p := NewProblem(http.StatusNotFound, "upload_unknown", "no upload waits under this token",
		"upload the file again; uploads wait for an hour")
	p.Field = "token"
	return nil, p
}

// Done removes an upload that was committed.
func (u *Inbox) Done(token string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if up, ok := u.waiting[token]; ok {
		up.Remove()
		delete(u.waiting, token)
	}
}

// Forget removes what waited too long.
func (u *Inbox) Forget(now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for token, up := range u.waiting {
		if now.Sub(up.at) > WaitFor {
			up.Remove()
			delete(u.waiting, token)
		}
	}
}

// Close removes everything.
func (u *Inbox) Close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for token, up := range u.waiting {
		up.Remove()
		delete(u.waiting, token)
	}
}
