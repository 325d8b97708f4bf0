//go:build !race

package rag

// underRace reports whether the race detector is in this build; long measurements without concurrency gain nothing from it.
const underRace = false
