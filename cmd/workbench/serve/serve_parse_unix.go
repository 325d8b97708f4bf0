//go:build unix

package serve

import (
	"fmt"
	"os/exec"
	"syscall"
)

// limitSelf bounds memory, processor time, files and their size for this process and those it starts. Core dumps, which would hold
// the file, are off.
func limitSelf() error {
	for resource, most := range map[int]uint64{
		syscall.RLIMIT_DATA: parseData, syscall.RLIMIT_CPU: parseCPU, syscall.RLIMIT_CORE: 0, syscall.RLIMIT_NOFILE: 64,
		syscall.RLIMIT_FSIZE: parseOutput,
	} {
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("limit this process: %w", err)
		}
	}
	return nil
}

// ownGroup puts a process into a group of its own, so that the end of it is the end of all that it started.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
