package machine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// RecordCmd is the verb record.
type RecordCmd struct {
	List    recordListCmd    `cmd:"" help:"Requests that wait for a reply, and replies that are there, by purpose."`
	Sitting recordSittingCmd `cmd:"" help:"Write some of the requests that wait into a file, for whoever answers them."`
	Take    recordTakeCmd    `cmd:"" help:"Take replies in, each checked against the form that was asked for."`
}

// Help explains.
func (RecordCmd) Help() string {
	return `A recording is a folder that stands in for a model which this machine cannot reach: one behind an air gap, or people. Name it as a
provider in workbench.yaml, and the provider's models in an experiment as usual:

  providers:
    reader: {kind: recorded, folder: recording}

A run leaves each request to which no reply is there in FOLDER/open and goes on with what needs none; then it is paused. Answer what
waits, take the replies in, resume the run, until nothing waits any more: later requests follow from earlier replies. Replies stand in
the ledger like those of any provider, so a study that holds them is exported, imported and verified like any other, and plays without
the folder.

Examples:
  workbench record list recording
  workbench record sitting recording --at-most 40 --seed 1 -o sitting-01.jsonl
  workbench record take recording replies-01.jsonl --by "a language model, read in one sitting"
  workbench runs resume RUN`
}

type recordListCmd struct {
	Folder string `arg:"" help:"Folder of the recording." type:"existingdir"`
}

// Run prints what waits and what is there.
func (c recordListCmd) Run(p *program.Program) error {
	recording, err := llm.OpenRecording(c.Folder)
	if err != nil {
		return err
	}
	open, err := recording.Open()
	if err != nil {
		return err
	}
	replies, err := recording.Replies()
	if err != nil {
		return err
	}
	waiting, there := map[string]int{}, map[string]int{}
	for _, o := range open {
		waiting[o.Purpose]++
	}
	for _, r := range replies {
		there[r.Purpose]++
	}
	if p.Flags.JSON {
		return p.PrintJSON(map[string]any{"open": open, "waiting": waiting, "replies": there})
	}
	if len(open)+len(replies) == 0 {
		p.Say("nothing waits here, and nothing was recorded; a run with this folder's provider leaves its requests here")
		return nil
	}
	purposes := map[string]bool{}
	for _, counts := range []map[string]int{waiting, there} {
		for purpose := range counts {
			purposes[purpose] = true
		}
	}
	rows := [][]string{}
	for purpose := range purposes {
		rows = append(rows, []string{purpose, fmt.Sprint(waiting[purpose]), fmt.Sprint(there[purpose])})
	}
	slices.SortFunc(rows, slices.Compare)
	p.Table([]string{"PURPOSE", "WAITING", "RECORDED"}, rows)
	p.Say("%d requests wait, %d replies are recorded", len(open), len(replies))
	return nil
}

type recordSittingCmd struct {
	Folder string `arg:"" help:"Folder of the recording." type:"existingdir"`
	AtMost int    `help:"Requests in a file at most." default:"40" placeholder:"N" type:"count"`
	Files  int    `help:"Files to write, none with a request of another: FILE-01, FILE-02, …" default:"1" placeholder:"N" type:"count"`
	Seed   uint64 `help:"Which requests, and in what order." default:"1" placeholder:"N"`
	Output string `help:"File to write; - writes to standard output." short:"o" default:"-" placeholder:"FILE"`
}

// Help explains.
func (recordSittingCmd) Help() string {
	return `Each line is a request: its key, what the model is told, the data, and the JSON Schema of the reply. The order is shuffled, and no two
lines are about one question, so that no reply leans on another. Nothing says which run, configuration or label a request belongs to.

The replies go into a file with one line for each: {"key": "…", "text": "…"}; the text may be the JSON object itself.`
}

// Run writes a sitting.
func (c recordSittingCmd) Run(p *program.Program) error {
	if c.AtMost < 1 || c.Files < 1 {
		return problem.New(problem.Invalid, "usage", "--at-most is %d and --files is %d; both are at least 1", c.AtMost, c.Files)
	}
	if c.Files > 1 && c.Output == "-" {
		return problem.New(problem.Invalid, "usage", "%d files need a name: add -o FILE", c.Files)
	}
	recording, err := llm.OpenRecording(c.Folder)
	if err != nil {
		return err
	}
	open, err := recording.Open()
	if err != nil {
		return err
	}
	written := 0
	for i, sitting := range llm.Sittings(open, c.AtMost, c.Files, rand.New(rand.NewPCG(c.Seed, 0)).Shuffle) {
		if err := writeSitting(p, c.file(i), sitting); err != nil {
			return err
		}
		written += len(sitting)
	}
	p.Note("%d of %d waiting requests written", written, len(open))
	return nil
}

// file is the name of a sitting's file.
func (c recordSittingCmd) file(i int) string {
	if c.Files == 1 {
		return c.Output
	}
	extension := filepath.Ext(c.Output)
	return fmt.Sprintf("%s-%02d%s", strings.TrimSuffix(c.Output, extension), i+1, extension)
}

// writeSitting writes requests as whoever answers them sees them.
func writeSitting(p *program.Program, name string, requests []llm.OpenRequest) (err error) {
	var out io.Writer = p.Stdout
	if name != "-" {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o644)
		if err != nil {
			return problem.New(problem.Invalid, "output_file", "cannot write %s", name).Because(err).
				WithHint("an existing file is not overwritten: choose another name")
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		out = f
	}
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for _, o := range requests {
		o.Question = ""
		if err := lines.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

type recordTakeCmd struct {
	Folder string   `arg:"" help:"Folder of the recording." type:"existingdir"`
	Files  []string `arg:"" help:"Files of replies (.jsonl)." type:"existingfile"`
	By     string   `help:"Who or what answered, and how; kept with each reply." required:"" placeholder:"TEXT"`
}

// Run takes replies in.
func (c recordTakeCmd) Run(p *program.Program) error {
	recording, err := llm.OpenRecording(c.Folder)
	if err != nil {
		return err
	}
	done := map[string]llm.Taken{}
	refused := 0
	for _, name := range c.Files {
		taken, err := takeReplies(recording, name, c.By, p)
		if err != nil {
			return problem.From(err).With("file", name)
		}
		done[name] = taken
		refused += len(taken.Refused)
		if p.Flags.JSON {
			continue
		}
		p.Say("%s: %d replies taken, %d were there already, %d refused", name, taken.Taken, taken.Same, len(taken.Refused))
		for _, r := range taken.Refused {
			p.Say("  line %d: %s", r.Line, program.OneLine(r.Message, 300))
		}
	}
	if p.Flags.JSON {
		if err := p.PrintJSON(map[string]any{"files": done}); err != nil {
			return err
		}
	}
	if refused > 0 {
		return problem.New(problem.Incomplete, "replies_refused", "%d replies were not taken", refused).With("replies", refused).
			WithHint("correct these lines and take the file again; replies that are there already are not taken twice")
	}
	return nil
}

func takeReplies(recording *llm.Recording, name, by string, p *program.Program) (llm.Taken, error) {
	f, err := os.Open(name)
	if err != nil {
		return llm.Taken{}, err
	}
	defer func() { _ = f.Close() }()
	return recording.Take(f, by, p.Now())
}
