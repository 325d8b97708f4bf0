//go:build unix

// Reap runs a command and waits for every process that comes of it, also for those whose own parents do not wait for them, as a
// browser's do not. What they worked then counts as the command's, for the shell's time too. The exit code is the command's.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// patience is how long processes that are left over when the command has ended may take to end, too.
const patience = 10 * time.Second

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: reap COMMAND [ARGUMENT…]")
		os.Exit(2)
	}
	code, err := run(os.Args[1], os.Args[2:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "reap:", err)
		code = 1
	}
	os.Exit(code)
}

// run starts a command and collects it and its orphans.
func run(name string, args ...string) (int, error) {
	if err := adoptOrphans(); err != nil {
		return 0, err
	}
	cmd := exec.Command(name, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() { // a terminal interrupts the command, too, which may have something to finish
		for s := range signals {
			if s == syscall.SIGTERM {
				_ = cmd.Process.Signal(s)
			}
		}
	}()
	code := 0
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.ECHILD):
			return code, nil
		case err != nil:
			return 0, err
		case pid == cmd.Process.Pid:
			code = status.ExitStatus()
			if status.Signaled() {
				code = 128 + int(status.Signal())
			}
			time.AfterFunc(patience, func() { os.Exit(code) })
		}
	}
}
