//go:build !race

package validation

// underRace reports whether the race detector is in this build.
const underRace = false
