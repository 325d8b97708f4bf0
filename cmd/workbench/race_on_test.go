//go:build race

package main

// underRace reports whether the race detector is in this build.
const underRace = true
