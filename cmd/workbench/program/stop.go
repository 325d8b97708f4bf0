package program

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Hurry returns a channel that closes when the program is told to stop a second time, and what ends the listening. At the first time,
// which ends p.ctx, it says what happens now.
func (p *Program) Hurry(what string) (again <-chan struct{}, end func()) {
	closing, over := make(chan struct{}), make(chan struct{})
	go func() {
		select {
		case <-p.Context.Done():
		case <-over:
			return
		}
		second := make(chan os.Signal, 1)
		signal.Notify(second, os.Interrupt, syscall.SIGTERM)
		defer signal.Stop(second)
		fmt.Fprintf(p.Stderr,
			"%s stops: it brings the questions in flight to their end, at most 90 seconds; stop it once more to break them off\n", what)
		select {
		case <-second:
			close(closing)
		case <-over:
		}
	}()
	return closing, func() { close(over) }
}
