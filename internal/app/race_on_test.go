//go:build race

package app_test

// underRace reports whether the race detector is in this build.
const underRace = true
