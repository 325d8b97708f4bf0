package architecture_test

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/scripts/architecture"
)

func TestUnits(t *testing.T) {
	t.Parallel()
	const server, backup = "../../deploy/workbench.service", "../../deploy/workbench-backup.service"
	for _, c := range []struct{ name, old, new, want string }{
		{"untouched", "", "", ""},
		{"untouched backup", "", "", ""},
		{"backup that fails in silence", "OnFailure=", "#", "nobody hears"},
		{"backup that keeps everything", "--keep 14 ", "", "--keep"},
		{"backup with another broom", "Environment=", "ExecStartPost=/bin/rm /backups/old.zip\nEnvironment=", "--keep"},
		{"may write everywhere", "ProtectSystem=strict", "ProtectSystem=full", "ProtectSystem"},
		{"has capabilities", "CapabilityBoundingSet=\n", "CapabilityBoundingSet=CAP_NET_ADMIN\n", "CapabilityBoundingSet"},
		{"says nothing of privileges", "NoNewPrivileges=yes\n", "", "NoNewPrivileges"},
		{"is killed too early", "TimeoutStopSec=100", "TimeoutStopSec=20", "it may take"},
		{"starts nothing", "ExecStart=", "#", "starts nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := server
			if strings.Contains(c.name, "backup") {
				file = backup
			}
			_, found := architecture.Unit("w.service", broken(t, file, c.old, c.new))
			if c.want == "" {
				expect(t, found)
			} else {
				expect(t, found, c.want)
			}
		})
	}
}
