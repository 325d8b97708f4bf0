//go:build unix && !linux

package main

// adoptOrphans does nothing where orphans have no new parent but the first process.
func adoptOrphans() error { return nil }
