//go:build race

package app

// underRace reports whether the race detector is in this build.
const underRace = true
