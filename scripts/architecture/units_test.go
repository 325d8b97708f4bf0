package architecture_test

import (
	"testing"

	"github.com/rag-workbench/workbench/scripts/architecture"
)

func TestUnits(t *testing.T) {
	t.Parallel()
	const file = "../../deploy/workbench.service"
	for _, c := range []struct{ name, old, new, want string }{
		{"untouched", "", "", ""},
		{"may write everywhere", "ProtectSystem=strict", "ProtectSystem=full", "ProtectSystem"},
		{"has capabilities", "CapabilityBoundingSet=\n", "CapabilityBoundingSet=CAP_NET_ADMIN\n", "CapabilityBoundingSet"},
		{"says nothing of privileges", "NoNewPrivileges=yes\n", "", "NoNewPrivileges"},
		{"is killed too early", "TimeoutStopSec=100", "TimeoutStopSec=20", "it may take"},
		{"starts nothing", "ExecStart=", "#", "starts nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, found := architecture.Unit("w.service", broken(t, file, c.old, c.new))
			if c.want == "" {
				expect(t, found)
			} else {
				expect(t, found, c.want)
			}
		})
	}
}
