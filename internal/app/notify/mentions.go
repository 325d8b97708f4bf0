package notify

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// mostMentions is how many people one comment may name.
const mostMentions = 20

// toldComment is the most that a message repeats of a comment, in code points.
const toldComment = 800

// Mention is a name behind an @ in a comment, and what came of it.
type Mention struct {
	Name  string `json:"name"`
	State string `json:"state" enum:"told,again,author,silent,unknown"`
}

// What comes of a mention.
const (
	MentionTold    = "told"    // a message is on its way
	MentionAgain   = "again"   // the same words were told before, and are not told twice
	MentionAuthor  = "author"  // nobody is told of what they say themselves
	MentionSilent  = "silent"  // no channel of the configuration is for this person
	MentionUnknown = "unknown" // nobody of this name may sign in
)

// Remark is what somebody says about a notebook.
type Remark struct {
	Place    string // of the notebook, whatever it is called
	Notebook string // as people know it
	Page     string // name of the notebook in the server's folder; "" where it has no page
	Said     experiments.NotebookComment
	Account  string // id of the author's account; "" where there is none
}

// Mentions finds the people whom a remark names, and returns the messages to them with what comes of each name. It stores nothing:
// [Tell] does, once the remark itself is kept. Whoever may sign in may read comments, so everybody with an account can be told.
func Mentions(ctx context.Context, w *app.Workbench, r Remark) ([]Mention, []experiments.Notice, error) {
	if !strings.Contains(r.Said.Text, "@") {
		return nil, nil, nil
	}
	accounts, err := w.Whole.Accounts(ctx)
	if err != nil {
		return nil, nil, err
	}
	people, names := map[string]experiments.Account{}, []string{}
	for _, a := range accounts {
		if !a.Disabled {
			people[a.Name], names = a, append(names, a.Name)
		}
	}
	found, unknown := notebooks.Mentions(r.Said.Text, names)
	if n := len(found) + len(unknown); n > mostMentions {
		return nil, nil, problem.New(problem.Invalid, "comment_mentions", "the comment names %d people; it may name %d", n, mostMentions).
			With("field", "text").With("n", n).With("most", mostMentions).WithHint("name those who should answer")
	}
	var out []Mention
	var notices []experiments.Notice
	for _, name := range found {
		channel := w.Config.Notifications.Mentions.Of(name)
		switch {
		case people[name].ID == r.Account || experiments.NameKey(name) == experiments.NameKey(r.Said.By):
			out = append(out, Mention{name, MentionAuthor})
		case channel == "":
			out = append(out, Mention{name, MentionSilent})
		default:
			out = append(out, Mention{name, MentionTold})
			notices = append(notices, r.notice(w, people[name], channel))
		}
	}
	for _, name := range unknown {
		out = append(out, Mention{name, MentionUnknown})
	}
	return out, notices, nil
}

// Tell stores the messages of [Mentions]. Those that are stored already are not told again, which the mentions then say.
func Tell(ctx context.Context, w *app.Workbench, mentions []Mention, notices []experiments.Notice) error {
	ids := make([]string, len(notices))
	for i, n := range notices {
		ids[i] = n.ID
	}
	known, err := w.Whole.HasNotices(ctx, ids)
	if err != nil {
		return err
	}
	for _, n := range notices {
		for i, m := range mentions {
			for _, id := range known {
				if id == n.ID && m.Name == n.Facts.Mention.Person {
					mentions[i].State = MentionAgain
				}
			}
		}
	}
	_, err = w.Whole.AddNotices(ctx, notices)
	return err
}

// notice is the message to one person. It is about the words and not the comment: what is sent twice is told once.
func (r Remark) notice(w *app.Workbench, person experiments.Account, channel string) experiments.Notice {
	said := sha256.Sum256([]byte(strings.Join([]string{r.Place, r.Said.Cell, r.Said.Run, r.Said.Question, r.Said.By, r.Said.Text}, "\x00")))
	n := newNotice(w, "mention "+person.ID+" "+hex.EncodeToString(said[:12]), channel, experiments.NoticeMention, w.Options.Now())
	n.Facts = experiments.NoticeFacts{Notebook: r.Notebook, Mention: &experiments.NoticeRemark{
		Person: person.Name, By: r.Said.By, Cell: r.Said.Cell, Run: r.Said.Run, Question: r.Said.Question,
		Text: line(r.Said.Text, toldComment),
	}}
	if address := publicURL(w); r.Page != "" && address != "" {
		n.Facts.Link = address + "/notebooks/" + url.PathEscape(r.Page) + "?" + url.Values{"cell": {r.Said.Cell}}.Encode()
	}
	return n
}

// mention tells a person what was said.
func (t printer) mention() told {
	m := t.Mention
	if m == nil {
		return told{}
	}
	by, person, book := line(m.By, toldName), line(m.Person, toldName), line(t.Notebook, toldName)
	lines := []string{t.say("Notebook %s, cell %s", "ノートブック %s、セル %s", book, line(m.Cell, toldName))}
	if m.Question != "" {
		lines = append(lines, t.say("Question %s of run %s", "質問 %s（実行 %s）", line(m.Question, toldName), line(m.Run, toldName)))
	}
	return told{
		Title: t.say("%s mentions %s in %s", "%[3]s：%[1]sさんのコメントに%[2]sさんへの言及があります", by, person, book),
		Parts: []toldPart{{Lines: lines}, {Head: t.say("Comment", "コメント"), Lines: []string{m.Text}, Link: t.Link,
			Says: t.say("Read and answer: ", "読んで返信する：")}},
	}
}

// publicURL is where browsers reach the server, without a slash at its end; "" where the configuration does not say.
func publicURL(w *app.Workbench) string {
	address := w.Config.PublicURL
	if w.Config.OIDC != nil {
		address = cmp.Or(address, w.Config.OIDC.PublicURL)
	}
	return strings.TrimSuffix(address, "/")
}
