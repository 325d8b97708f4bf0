// Package early puts off collecting garbage until the command knows what it is asked for. The packages of the program make five megabytes
// while they are initialized, and the parser of the command line some more, nearly all of which stays; looking through it again and again
// was a third of the time until the help stands there.
//
// Packages are initialized in the order of their paths, those they import first. This one imports the runtime alone, so that its turn comes
// before that of the larger ones.
package early

import (
	"runtime/debug"
	"sync"
)

var usual = debug.SetGCPercent(-1)

// Over goes back to collecting garbage as the environment says (GOGC). Only the first time counts.
var Over = sync.OnceFunc(func() { debug.SetGCPercent(usual) })
