package requests

import (
	"io/fs"
	"net/netip"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/people"
)

// Options say what a server serves, and to whom.
type Options struct {
	Workbench      *app.Workbench
	Version        string
	Assets         fs.FS           // the built user interface; nil shows a page that says how to build it
	Hosts          []string        // further names that a browser may know this server by, without port
	SignIn         bool            // everybody has to sign in, or show a token; false: whoever reaches the server is an administrator
	People         *people.People  // who may do what; nil opens that of the workbench
	TrustedProxies []netip.Prefix  // proxies that are believed when they say whom they speak for
	BodyTime       time.Duration   // that a body may take to arrive; 0 is 60 s, and a file may take longer
	Rate           Rate            // of requests where people sign in; zero is 20 a second and 60 at once
	TLS            bool            // browsers reach it over TLS, directly or through a proxy: cookies are Secure
	MetricsToken   string          // opens /metrics and nothing else; "" leaves that to those who may read
	TracesToken    string          // lets a program send traces and nothing else; "" leaves that to those who may edit
	Hurry          <-chan struct{} // closes when a server that stops must not wait for anything; may be nil
	Parser         Parser          // reads uploaded files in another process; nil refuses uploads
	TempDir        string          // where uploads wait; "" is the system's
	Notebooks      string          // folder of the notebooks; "" is that of the data directory
	Now            func() time.Time
	Every          func(time.Duration) (ticks <-chan time.Time, stop func()) // of event streams; nil uses the system's clock
	Log            func(message string, args ...any)                         // of what went wrong inside; may be nil
}
