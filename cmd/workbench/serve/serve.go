// Package serve holds the verbs that stay, and what they do meanwhile: serve, worker, schedule, notify, trend; and those that others
// start, a health check and the process that reads uploads.
package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/frontend"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server"
)

// Cmd is the verb serve.
type Cmd struct {
	Addr         string   `help:"Address to listen on." default:"127.0.0.1:7700" placeholder:"HOST:PORT"`
	Host         []string `help:"Further name that browsers may know the server by. Repeatable." placeholder:"NAME"`
	Open         bool     `help:"Open the browser."`
	TLSCert      string   `help:"Certificate file, to speak TLS." name:"tls-cert" placeholder:"FILE"`
	TLSKey       string   `help:"Key file of the certificate." name:"tls-key" placeholder:"FILE"`
	BehindProxy  bool     `help:"A proxy in front speaks TLS."`
	InsecureHTTP bool     `help:"Answer without TLS on another address than loopback: tokens and answers can be read on the way." name:"insecure-http"`
	Notebooks    string   `help:"Folder of the notebooks; default notebooks in the data directory." placeholder:"DIR"`

	NoSchedules   bool     `help:"Leave the schedules to other servers and workers."`
	RequireSignIn bool     `help:"Everybody signs in, on the loopback address too."`
	TrustedProxy  []string `help:"Address or network of a proxy that is believed when it says whom it speaks for; with --behind-proxy the loopback addresses are. Repeatable." placeholder:"CIDR"`
}

// Help shows examples.
func (Cmd) Help() string {
	return `Shows the user interface and serves the API (its contract: /api/v1/openapi.json). On the loopback address nobody has to sign in. On any
other address, and with --require-sign-in, everybody signs in or shows a token. As long as there is no administrator the start prints a
link that makes one: it works once, for 30 minutes. workbench user and workbench token look after the others; docs/teams.md has it all.

Examples:
  workbench serve --open
  workbench serve --addr 127.0.0.1:8080
  workbench serve --addr 0.0.0.0:8080 --behind-proxy --host bench.example
  workbench serve --addr 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem --host bench.example

The first Ctrl-C or SIGTERM lets the questions in flight come to their end (at most 90 seconds) and pauses the runs under way, with
everything kept (on PostgreSQL other workers go on with them); a second one breaks them off. /healthz and /readyz say whether the server lives and may be asked; /metrics is for
Prometheus, which sends a viewer's token or the one in WORKBENCH_METRICS_TOKEN. On PostgreSQL the server also works the runs of others.`
}

// Run serves until it is interrupted.
func (c Cmd) Run(p *program.Program) error {
	local, certificate, err := c.check()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(p.Stderr, nil))
	return p.With(func(w *app.Workbench) error {
		o := server.Options{
			Workbench: w, Version: p.Version, Notebooks: c.Notebooks, Hosts: c.Host, TLS: c.BehindProxy || certificate != nil, Now: p.Now,
			Parser: elsewhere{wall: parseWall}.parse,
			Log:    func(m string, args ...any) { log.Error(m, args...) }, MetricsToken: p.Getenv("WORKBENCH_METRICS_TOKEN"),
			TracesToken: p.Getenv("WORKBENCH_TRACES_TOKEN"),
		}
		hurry, end := p.Hurry("server")
		defer end()
		o.Hurry = hurry
		if files, built := frontend.Assets(); built {
			o.Assets = files
		}
		o.SignIn = c.RequireSignIn || !local
		if o.People, err = people.NewPeople(p.Context, w); err != nil {
			return err
		}
		if o.TrustedProxies, err = c.proxies(); err != nil {
			return err
		}
		s, err := server.New(o)
		if err != nil {
			return err
		}
		l, err := (&net.ListenConfig{}).Listen(p.Context, "tcp", c.Addr)
		if err != nil {
			return problem.New(problem.Invalid, "address", "cannot listen on %s", c.Addr).Because(err).
				WithHint("choose another with --addr 127.0.0.1:PORT")
		}
		address := "http://" + l.Addr().String()
		if certificate != nil {
			l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS12,
				NextProtos: []string{"h2", "http/1.1"}})
			address = "https://" + l.Addr().String()
		}
		if err := c.setup(p, o, address); err != nil {
			return err
		}
		p.Say("%s", address)
		if c.Open {
			browse(p, address)
		}
		defer serveSchedules(p, w, c.NoSchedules, c.Notebooks)()
		return serve(p, w, s, l, hurry)
	})
}

// check says whether only this machine can reach the address, and refuses what would be open by accident.
func (c Cmd) check() (local bool, certificate *tls.Certificate, err error) {
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return false, nil, problem.New(problem.Invalid, "address", "%q is no address", c.Addr).
			WithHint("write it as HOST:PORT, such as 127.0.0.1:7700")
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return false, nil, problem.New(problem.Invalid, "tls", "a certificate and its key belong together").
			WithHint("give both --tls-cert and --tls-key")
	}
	if c.TLSCert != "" {
		pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
		if err != nil {
			return false, nil, problem.New(problem.Invalid, "tls", "the certificate %s or its key cannot be used", c.TLSCert).Because(err)
		}
		certificate = &pair
	}
	addr, err := netip.ParseAddr(host)
	if local = host == "localhost" || err == nil && addr.IsLoopback(); local {
		return true, certificate, nil
	}
	if certificate == nil && !c.BehindProxy && !c.InsecureHTTP {
		return false, nil, problem.New(problem.Invalid, "tls",
			"%s can be reached from other machines, and nothing on the way would be encrypted", c.Addr).
			WithHint("give --tls-cert and --tls-key, or say --behind-proxy where a proxy speaks TLS, or --insecure-http if you know that nobody listens")
	}
	return false, certificate, nil
}

// setup prints a link that makes the first administrator, where people sign in and there is none.
func (c Cmd) setup(p *program.Program, o server.Options, address string) error {
	if !o.SignIn {
		return nil
	}
	needed, err := o.People.NeedsAdministrator(p.Context)
	if err != nil || !needed {
		return err
	}
	link, err := o.People.SetupLink(p.Context)
	if err != nil {
		return err
	}
	// All addresses of a machine are none that a browser opens.
	address = strings.Replace(address, "://[::]:", "://localhost:", 1)
	if len(c.Host) > 0 { // what people know the server by
		address = map[bool]string{true: "https://", false: "http://"}[o.TLS] + c.Host[0]
	}
	p.Say("there is no administrator yet; make one here, once, within 30 minutes: %s", program.LinkTo(address, "setup", link))
	return nil
}

// proxies are those that may say whom they speak for.
func (c Cmd) proxies() ([]netip.Prefix, error) {
	var out []netip.Prefix
	if c.BehindProxy {
		out = append(out, netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"))
	}
	for _, text := range c.TrustedProxy {
		prefix, err := netip.ParsePrefix(text)
		if addr, addrErr := netip.ParseAddr(text); addrErr == nil {
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return nil, problem.New(problem.Invalid, "trusted_proxy", "%q is no address and no network", text).
				WithHint("write it as 10.0.0.2 or 10.0.0.0/24")
		}
		out = append(out, prefix)
	}
	return out, nil
}

// serve answers requests and, on PostgreSQL, works batches, until the program is interrupted or one of the two fails.
func serve(p *program.Program, w *app.Workbench, s *server.Server, l net.Listener, hurry <-chan struct{}) error {
	defer serveNotices(p, w)()
	ctx, stop := context.WithCancel(p.Context)
	defer stop()
	worked := make(chan error, 1)
	go func() {
		err := w.ServeQueue(ctx, hurry)
		if problem.CodeOf(err) == "needs_postgresql" {
			err = nil
		} else if err != nil {
			stop()
		}
		worked <- err
	}()
	debug.FreeOSMemory() // what starting took: a server that nobody asks anything should hold little
	err := s.Serve(ctx, l)
	stop()
	return errors.Join(err, <-worked)
}

// browse opens the address in a browser, as far as this machine can.
func browse(p *program.Program, address string) {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	if err := exec.CommandContext(p.Context, name, args...).Start(); err != nil {
		fmt.Fprintf(p.Stderr, "note: no browser could be opened (%s); open %s yourself\n", strings.TrimSpace(err.Error()), address)
	}
}
