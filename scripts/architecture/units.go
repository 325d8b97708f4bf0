package architecture

import (
	"fmt"
	"strings"
	"time"
)

// hardening are settings that every unit of ours needs.
var hardening = map[string]string{
	"NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes", "PrivateDevices": "yes",
	"DynamicUser":           "yes",
	"CapabilityBoundingSet": "", "UMask": "0077", "StateDirectoryMode": "0700", "LimitCORE": "0", "SystemCallArchitectures": "native",
}

// Unit reports what is wrong with a systemd service, and returns its command lines.
func Unit(name string, body []byte) (commands, found []string) {
	report := func(format string, args ...any) { found = append(found, name+": "+fmt.Sprintf(format, args...)) }
	settings := map[string]string{}
	for l := range strings.Lines(string(body)) {
		key, value, ok := strings.Cut(strings.TrimSpace(l), "=")
		if !ok || strings.HasPrefix(key, "#") {
			continue
		}
		if strings.HasPrefix(key, "ExecStart") {
			commands = append(commands, value)
		}
		settings[key] = value
	}
	if len(commands) == 0 {
		report("it starts nothing")
	}
	for key, want := range hardening {
		if got, ok := settings[key]; !ok || got != want {
			report("%s is %q, want %q", key, got, want)
		}
	}
	if strings.Contains(strings.Join(commands, " "), "workbench backup") {
		if settings["OnFailure"] == "" {
			report("nobody hears of it when it fails; give it an OnFailure")
		}
		if !strings.Contains(settings["ExecStart"], " --keep ") || len(commands) != 1 {
			report("old backups are to be removed by backup --keep alone, which knows whether the new one is good")
		}
	}
	if settings["Type"] == "exec" {
		if stop, err := time.ParseDuration(settings["TimeoutStopSec"] + "s"); err != nil || stop <= drainTime {
			report("it is killed after %q seconds; it may take %s to stop", settings["TimeoutStopSec"], drainTime)
		}
	}
	return commands, found
}
