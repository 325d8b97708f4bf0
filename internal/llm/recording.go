package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Recording is a folder in which requests wait for somebody who answers them by other means than a network: a model behind an air gap,
// or people. Its folder open holds one file for each request without a reply, its folder replies one for each reply. Both are named
// after the request's [Key], so that a request that is asked again, by whatever run, finds its reply.
type Recording struct{ dir string }

// OpenRequest is a request that waits for its reply. It says what a model would be told, and nothing of what the reply is for.
type OpenRequest struct {
	Key     Key    `json:"key"`
	Purpose string `json:"purpose"`
	Model   string `json:"model"`
	// the id of the question it belongs to, so that a sitting can keep requests apart
	Question   string          `json:"question,omitempty"`
	System     string          `json:"system"` // the instruction
	Data       json.RawMessage `json:"data"`   // one JSON object, never an instruction
	SchemaName string          `json:"schema_name,omitempty"`
	Schema     json.RawMessage `json:"schema,omitempty"` // of the reply; without one it is plain text
	Replicate  int             `json:"replicate,omitempty"`
}

// RecordedReply is a reply that was taken into a recording.
type RecordedReply struct {
	Key     Key       `json:"key"`
	Purpose string    `json:"purpose"`
	Model   string    `json:"model"`
	Text    string    `json:"text"`
	By      string    `json:"by"` // who or what answered, in the words of whoever took it in
	At      time.Time `json:"at"`
}

// OpenRecording returns the recording in a folder, which is made when it is not there.
func OpenRecording(dir string) (*Recording, error) {
	r := &Recording{dir: dir}
	for _, sub := range []string{"open", "replies"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, problem.New(problem.Invalid, "recording_folder", "the recording in %s cannot be used", dir).With("folder", dir).
				Because(err)
		}
	}
	return r, nil
}

var wellFormedKey = text.Lazy(`^[0-9a-f]{64}$`)

func (r *Recording) path(sub string, key Key) string {
	return filepath.Join(r.dir, sub, string(key)+".json")
}

// ask leaves a request for whoever answers. A request that waits already stays as it is.
func (r *Recording) ask(key Key, req Request, question string) error {
	open := OpenRequest{Key: key, Purpose: req.Purpose, Model: req.Model, Question: question, System: req.Instruction, Data: req.Data,
		Replicate: req.Replicate}
	if len(open.Data) == 0 {
		open.Data = json.RawMessage("{}")
	}
	if req.Schema != nil {
		open.SchemaName, open.Schema = req.Schema.Name, req.Schema.Body
	}
	if _, err := os.Stat(r.path("open", key)); err == nil {
		return nil
	}
	return r.write("open", key, open)
}

// reply returns what was recorded for a key; false when nothing was.
func (r *Recording) reply(key Key) (RecordedReply, bool, error) {
	var reply RecordedReply
	raw, err := os.ReadFile(r.path("replies", key))
	if errors.Is(err, fs.ErrNotExist) {
		return reply, false, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &reply)
	}
	if err != nil {
		return reply, false, fmt.Errorf("the recorded reply %s: %w", key, err)
	}
	return reply, true, nil
}

// write puts a file in place whole or not at all.
func (r *Recording) write(sub string, key Key, value any) error {
	body, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Join(r.dir, sub), "."+string(key)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(append(body, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), r.path(sub, key))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Open lists the requests that wait, by key.
func (r *Recording) Open() ([]OpenRequest, error) {
	return listed[OpenRequest](filepath.Join(r.dir, "open"))
}

// Replies lists the replies that were taken in, by key.
func (r *Recording) Replies() ([]RecordedReply, error) {
	return listed[RecordedReply](filepath.Join(r.dir, "replies"))
}

func listed[T any](dir string) ([]T, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	list := []T{}
	for _, e := range entries {
		key, isJSON := strings.CutSuffix(e.Name(), ".json")
		if !isJSON || !wellFormedKey.MatchString(key) {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		var one T
		if err := json.Unmarshal(raw, &one); err != nil {
			return nil, problem.New(problem.Invalid, "recording_file", "%s is not a file of a recording: %v", e.Name(), err).
				With("file", e.Name())
		}
		list = append(list, one)
	}
	return list, nil
}

// Taken says what became of the lines of a file of replies.
type Taken struct {
	Taken   int           `json:"taken"`
	Same    int           `json:"same"`    // the same reply was there already
	Refused []RefusedLine `json:"refused"` // none of these was taken
}

// RefusedLine is a line that was not taken, and why: "not_json", "key_unknown", "empty", "schema" or "differs".
type RefusedLine struct {
	Line    int    `json:"line"`
	Key     string `json:"key,omitempty"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// maxReplyLine bounds a line of a file of replies.
const maxReplyLine = 4 << 20

// Take reads replies, one JSON object {"key": …, "text": …} on a line; text may be a text or, for a reply with a schema, the object
// itself. A line that is refused leaves the others as they are. by says who or what answered.
func (r *Recording) Take(file io.Reader, by string, now time.Time) (Taken, error) {
	taken := Taken{Refused: []RefusedLine{}}
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 64<<10), maxReplyLine)
	number := 0
	for lines.Scan() {
		number++
		raw := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff")))
		if len(raw) == 0 {
			continue
		}
		same, refused, err := r.takeLine(raw, by, now)
		switch {
		case err != nil:
			return taken, err
		case refused != nil:
			refused.Line = number
			taken.Refused = append(taken.Refused, *refused)
		case same:
			taken.Same++
		default:
			taken.Taken++
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return taken, problem.New(problem.Invalid, "recording_line", "line %d is longer than %d MiB", number+1, maxReplyLine>>20)
	}
	return taken, lines.Err()
}

func (r *Recording) takeLine(raw []byte, by string, now time.Time) (same bool, refused *RefusedLine, err error) {
	var line struct {
		Key  string          `json:"key"`
		Text json.RawMessage `json:"text"`
	}
	if err := json.Unmarshal(raw, &line); err != nil {
		return false, &RefusedLine{Reason: "not_json", Message: "the line is not a JSON object with key and text"}, nil
	}
	refuse := func(reason, format string, args ...any) (bool, *RefusedLine, error) {
		return false, &RefusedLine{Key: line.Key, Reason: reason, Message: fmt.Sprintf(format, args...)}, nil
	}
	key := Key(line.Key)
	if !wellFormedKey.MatchString(line.Key) {
		return refuse("key_unknown", "%q is not the key of a request", text.Cut(line.Key, 80))
	}
	text := textOf(line.Text)
	if strings.TrimSpace(text) == "" {
		return refuse("empty", "the reply is empty")
	}
	before, found, err := r.reply(key)
	if err != nil {
		return false, nil, err
	}
	if found {
		if before.Text == text {
			return true, nil, nil
		}
		return refuse("differs", "another reply was taken before; delete its file to take this one")
	}
	var open OpenRequest
	body, err := os.ReadFile(r.path("open", key))
	if errors.Is(err, fs.ErrNotExist) {
		return refuse("key_unknown", "no request with this key waits here")
	}
	if err == nil {
		err = json.Unmarshal(body, &open)
	}
	if err != nil {
		return false, nil, err
	}
	if why := open.unfit(text); why != nil {
		return refuse("schema", "the reply does not have the form that was asked for: %v", why)
	}
	if err := r.write("replies", key, RecordedReply{key, open.Purpose, open.Model, text, by, now.UTC()}); err != nil {
		return false, nil, err
	}
	return false, nil, os.Remove(r.path("open", key))
}

// textOf is the text of a reply, or the JSON of one that stands in the line as an object.
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// unfit says why a text would not be taken for the reply, by the parser that reads it later.
func (o OpenRequest) unfit(text string) error {
	if o.Schema == nil {
		return nil
	}
	schema, err := replies.FormOf(&replies.Schema{Name: o.SchemaName, Body: o.Schema})
	if err != nil {
		return err
	}
	body, err := recordedBody(RecordedReply{Key: o.Key, Model: o.Model, Text: text})
	if err != nil {
		return err
	}
	if _, f := openAIDialect.parseReply(body, schema); f != nil {
		return f.err
	}
	return nil
}

// Sittings deals open requests into at most count sittings of at most n, each for one who answers it in one go. They are shuffled, and
// in a sitting no two are about one question, so that no reply can lean on another. What does not fit waits for another time.
func Sittings(open []OpenRequest, n, count int, shuffle func(n int, swap func(i, j int))) [][]OpenRequest {
	rest := slices.Clone(open)
	shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	dealt := [][]OpenRequest{}
	for len(rest) > 0 && len(dealt) < count {
		about := map[string]bool{}
		var sitting, later []OpenRequest
		for _, o := range rest {
			if len(sitting) == n || o.Question != "" && about[o.Question] {
				later = append(later, o)
				continue
			}
			about[o.Question] = true
			sitting = append(sitting, o)
		}
		dealt, rest = append(dealt, sitting), later
	}
	return dealt
}

// Lay puts replies into a recording that nobody has asked yet: a [RecordedReply] on each line. Replies that are there already stay.
func (r *Recording) Lay(replies io.Reader) error {
	in := bufio.NewScanner(replies)
	in.Buffer(nil, maxReplyLine)
	for in.Scan() {
		var one RecordedReply
		if err := json.Unmarshal(in.Bytes(), &one); err != nil {
			return fmt.Errorf("a recorded reply: %w", err)
		}
		if !wellFormedKey.MatchString(string(one.Key)) {
			return fmt.Errorf("a recorded reply has the key %q", one.Key)
		}
		if _, there, err := r.reply(one.Key); there || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		if err := r.write("replies", one.Key, one); err != nil {
			return err
		}
	}
	return in.Err()
}

// Since is who or what gave the earliest reply, and when; ok is false where there is none yet.
func (r *Recording) Since() (by string, at time.Time, ok bool, err error) {
	replies, err := r.Replies()
	for _, reply := range replies {
		if !ok || reply.At.Before(at) {
			by, at, ok = reply.By, reply.At, true
		}
	}
	return by, at, ok, err
}
