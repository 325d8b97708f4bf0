package llm

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestNoConnectionInTimeIsNotAnUnreachableServer: whoever waited in vain is told to wait longer, not to look for a wrong address.
func TestNoConnectionInTimeIsNotAnUnreachableServer(t *testing.T) {
	t.Parallel()
	refused := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	for err, want := range map[error]string{
		fmt.Errorf("dial: %w", context.DeadlineExceeded): "in time", fmt.Errorf("dial: %w", os.ErrDeadlineExceeded): "in time",
		refused: "cannot be reached",
	} {
		for name, f := range map[string]*fault{
			"a server": faultOfTransport(exchange{err: err}), "an endpoint": (&Endpoint{}).faultOfExchange(exchange{err: err}),
		} {
			if !strings.Contains(f.err.Message, want) || !f.free || f.retry != network {
				t.Errorf("%s, %v: %q", name, err, f.err.Message)
			}
		}
	}
}
