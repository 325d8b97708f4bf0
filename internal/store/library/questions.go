package library

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// FromQuestionRow reads a question.
func FromQuestionRow(r QuestionRow) (experiments.Question, error) {
	return questionOf(r.QuestionID, r.Body)
}

func questionOf(id, body string) (experiments.Question, error) {
	if q, plain := readQuestion(body); plain {
		return q, nil
	}
	return sqldb.DecodeJSON[experiments.Question]("question "+id, body)
}

// questions reads those of a version of a dataset, in order.
func (s *Tables) questions(ctx context.Context, v VersionRow) ([]experiments.Question, error) {
	rows, err := s.Read(ctx).Raw("SELECT question_id, body FROM questions WHERE dataset = ? AND version = ? ORDER BY position",
		v.Name, v.Version).Rows()
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	out := make([]experiments.Question, 0, v.Items)
	var id, body string
	for rows.Next() {
		if err := rows.Scan(&id, &body); err != nil {
			return nil, err
		}
		q, err := questionOf(id, body)
		if err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return out, rows.Err()
}

// readQuestion reads the JSON of a question where it stands as it is written: the fields in their order, without white space, and no text
// with a character that is escaped. plain is false for every other text, valid or not: that is for encoding/json to read, which takes
// longer than everything else in loading a dataset. The question holds parts of the body.
func readQuestion(body string) (q experiments.Question, plain bool) {
	if strings.IndexByte(body, '\\') >= 0 || !utf8.ValidString(body) {
		return q, false
	}
	r := plainJSON{rest: body}
	q.ID = r.text(`{"question_id":`)
	q.Text = r.text(`,"question":`)
	q.Lang = r.text(`,"lang":`)
	if r.has(`,"reference":`) {
		q.Reference = r.text("")
	}
	q.References = r.texts(`,"references":`)
	if q.Answerable = r.has(`,"answerable":true`); !q.Answerable {
		r.must(`,"answerable":false`)
	}
	q.Critical = r.has(`,"critical":true`)
	for next := r.has(`,"evidence":[`); next; next = r.more() {
		q.Evidence = append(q.Evidence, experiments.Evidence{
			Span:  rag.Span{DocID: r.text(`{"doc_id":`), Start: r.int(`,"start":`), End: r.int(`,"end":`)},
			Quote: r.text(`,"quote":`),
		})
		r.must("}")
	}
	q.ExpectedURLs = r.texts(`,"expected_urls":`)
	q.Tags = r.texts(`,"tags":`)
	r.must("}") // metadata, the last field, is not plain
	return q, !r.bad && r.rest == ""
}

// plainJSON reads JSON whose order is known. The first thing that is not there ends it.
type plainJSON struct {
	rest string
	bad  bool
}

// has reports whether some text comes next, and passes it.
func (r *plainJSON) has(text string) bool {
	rest, there := strings.CutPrefix(r.rest, text)
	r.rest = rest
	return there
}

func (r *plainJSON) must(text string) {
	if !r.has(text) {
		r.rest, r.bad = "", true
	}
}

// text is a string behind a name.
func (r *plainJSON) text(name string) string {
	r.must(name)
	r.must(`"`)
	for i := 0; i < len(r.rest); i++ {
		switch c := r.rest[i]; {
		case c == '"':
			s := r.rest[:i]
			r.rest = r.rest[i+1:]
			return s
		case c < ' ':
			r.bad = true // JSON has it escaped
		}
	}
	r.rest, r.bad = "", true
	return ""
}

// texts is a list of strings behind a name; nil where the name does not come.
func (r *plainJSON) texts(name string) (out []string) {
	for next := r.has(name + "["); next; next = r.more() {
		out = append(out, r.text(""))
	}
	return out
}

// more reports whether a list goes on, and passes its end where it does not.
func (r *plainJSON) more() bool {
	if r.has(",") {
		return true
	}
	r.must("]")
	return false
}

// int is a whole number behind a name.
func (r *plainJSON) int(name string) int {
	r.must(name)
	end := 0
	for end < len(r.rest) && (r.rest[end] >= '0' && r.rest[end] <= '9' || end == 0 && r.rest[end] == '-') {
		end++
	}
	n, err := strconv.Atoi(r.rest[:end])
	if err != nil || strconv.Itoa(n) != r.rest[:end] {
		r.rest, r.bad = "", true
		return 0
	}
	r.rest = r.rest[end:]
	return n
}
