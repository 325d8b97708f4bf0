//go:build race

package server

// underRace reports whether the race detector is in this build.
const underRace = true
