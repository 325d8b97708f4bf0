//go:build !race

package analysis

// underRace reports whether the race detector is in this build.
const underRace = false
