//go:build !unix

package serve

import "os/exec"

// limitSelf has no limits to set on this system: the memory limit of the runtime and the time limit of the parent remain.
func limitSelf() error { return nil }

func ownGroup(*exec.Cmd) {}
