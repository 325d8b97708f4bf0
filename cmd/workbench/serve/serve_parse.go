package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// The limits of the process that reads an upload.
const (
	parseWall   = 60 * time.Second
	parseCPU    = 30      // seconds
	parseData   = 2 << 30 // bytes of memory that can be written
	parseHeap   = "1500MiB"
	parseOutput = 1 << 30 // bytes that are taken back
)

// elsewhere reads uploads in a process of its own: this program again, with nothing in its environment but a search path, and with
// limits on memory, processor, files and time. Whatever a file does to its parser ends there.
type elsewhere struct {
	command []string // nil: this program
	env     []string // further variables
	wall    time.Duration
}

// parse reads one upload; dir is the working directory of the process.
func (e elsewhere) parse(ctx context.Context, dir string, request uploads.Request) (uploads.Upload, error) {
	if e.command == nil {
		self, err := os.Executable()
		if err != nil {
			return uploads.Upload{}, fmt.Errorf("find this program: %w", err)
		}
		e.command = []string{self, "parse-upload"}
	}
	body, err := json.Marshal(request)
	if err != nil {
		return uploads.Upload{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, e.wall)
	defer cancel()
	cmd := exec.CommandContext(ctx, e.command[0], e.command[1:]...) //nolint:gosec // this program
	out := &bounded{left: parseOutput}
	var complaints bytes.Buffer
	cmd.Dir, cmd.Env = dir, append([]string{"PATH=/usr/local/bin:/usr/bin:/bin", "GOMEMLIMIT=" + parseHeap, "GOMAXPROCS=2"}, e.env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(body), out, &bounded{buffer: &complaints, left: 4 << 10}
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil && errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
			return uploads.Upload{}, tooHard("it took longer than an upload may").Because(err)
		}
		return uploads.Upload{}, tooHard("it took more memory or time than an upload may").
			Because(fmt.Errorf("%w: %s", err, strings.TrimSpace(complaints.String())))
	}
	upload, err := uploads.Written(out.bytes())
	if err != nil {
		return uploads.Upload{}, tooHard("what was read of it is too large").Because(err)
	}
	return upload, nil
}

func tooHard(why string) *problem.Problem {
	return problem.New(problem.Invalid, "upload_unreadable", "the file could not be read: %s", why).
		WithHint("save it again in the program that made it, split it, or import it with the command line, which has no such limits")
}

// bounded keeps the first bytes of what is written to it and refuses the rest.
type bounded struct {
	buffer *bytes.Buffer
	left   int
}

// Write keeps or refuses.
func (b *bounded) Write(p []byte) (int, error) {
	if b.buffer == nil {
		b.buffer = &bytes.Buffer{}
	}
	if b.left -= len(p); b.left < 0 {
		return 0, errors.New("more output than is taken")
	}
	return b.buffer.Write(p)
}

func (b *bounded) bytes() []byte {
	if b.buffer == nil {
		return nil
	}
	return b.buffer.Bytes()
}

// ParseUploadCmd is the other process.
type ParseUploadCmd struct{}

// Run limits itself, then reads.
func (ParseUploadCmd) Run(p *program.Program) error {
	if err := limitSelf(); err != nil {
		return err
	}
	return uploads.Read(p.Stdin, p.Stdout)
}
