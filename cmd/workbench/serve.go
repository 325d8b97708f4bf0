package main

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
	"strings"

	"github.com/rag-workbench/workbench/frontend"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server"
)

type serveCmd struct {
	Addr         string   `help:"Address to listen on." default:"127.0.0.1:7700" placeholder:"HOST:PORT"`
	Host         []string `help:"Further name that browsers may know the server by. Repeatable." placeholder:"NAME"`
	Open         bool     `help:"Open the browser."`
	TLSCert      string   `help:"Certificate file, to speak TLS." name:"tls-cert" placeholder:"FILE"`
	TLSKey       string   `help:"Key file of the certificate." name:"tls-key" placeholder:"FILE"`
	BehindProxy  bool     `help:"A proxy in front speaks TLS."`
	InsecureHTTP bool     `help:"Answer without TLS on another address than loopback: tokens and answers can be read on the way." name:"insecure-http"`
	NewToken     string   `help:"Make and print a further token of this role: viewer, editor or admin." enum:",viewer,editor,admin" default:"" placeholder:"ROLE"`
}

// Help shows examples.
func (serveCmd) Help() string {
	return `Shows the user interface and serves the API (its contract: /api/v1/openapi.json). On the loopback address nobody has to sign in. On any
other address everybody needs a token: the first start prints one for the administrator, once.

Examples:
  workbench serve --open
  workbench serve --addr 127.0.0.1:8080
  workbench serve --addr 0.0.0.0:8080 --behind-proxy --host bench.example
  workbench serve --addr 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem --host bench.example

Ctrl-C or SIGTERM pauses the runs under way, with everything kept. On PostgreSQL the server also works the runs of others.`
}

// Run serves until it is interrupted.
func (c serveCmd) Run(p *program) error {
	local, certificate, err := c.check()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(p.stderr, nil))
	return p.with(func(w *app.Workbench) error {
		o := server.Options{
			Workbench: w, Version: version, Hosts: c.Host, TLS: c.BehindProxy || certificate != nil, Now: p.now, Parser: elsewhere{wall: parseWall}.parse,
			Log: func(m string, args ...any) { log.Error(m, args...) },
		}
		if files, built := frontend.Assets(); built {
			o.Assets = files
		}
		if !local || c.NewToken != "" {
			if o.Tokens, err = c.tokens(p, w); err != nil {
				return err
			}
		}
		s, err := server.New(o)
		if err != nil {
			return err
		}
		l, err := (&net.ListenConfig{}).Listen(p.ctx, "tcp", c.Addr)
		if err != nil {
			return problem.New(problem.Invalid, "address", "cannot listen on %s", c.Addr).Because(err).WithHint("choose another with --addr 127.0.0.1:PORT")
		}
		address := "http://" + l.Addr().String()
		if certificate != nil {
			l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}})
			address = "https://" + l.Addr().String()
		}
		p.say("%s", address)
		if c.Open {
			p.browse(address)
		}
		return p.serve(w, s, l)
	})
}

// check says whether only this machine can reach the address, and refuses what would be open by accident.
func (c serveCmd) check() (local bool, certificate *tls.Certificate, err error) {
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return false, nil, problem.New(problem.Invalid, "address", "%q is no address", c.Addr).WithHint("write it as HOST:PORT, such as 127.0.0.1:7700")
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return false, nil, problem.New(problem.Invalid, "tls", "a certificate and its key belong together").WithHint("give both --tls-cert and --tls-key")
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
		return false, nil, problem.New(problem.Invalid, "tls", "%s can be reached from other machines, and nothing on the way would be encrypted", c.Addr).
			WithHint("give --tls-cert and --tls-key, or say --behind-proxy where a proxy speaks TLS, or --insecure-http if you know that nobody listens")
	}
	return false, certificate, nil
}

// tokens opens the tokens and prints what is made new: the administrator's at the first start.
func (c serveCmd) tokens(p *program, w *app.Workbench) (*app.AccessTokens, error) {
	tokens, err := w.AccessTokens()
	if err != nil {
		return nil, err
	}
	roles := []string{}
	if !tokens.Has(string(server.Administrator)) {
		roles = append(roles, string(server.Administrator))
	}
	if c.NewToken != "" && (c.NewToken != string(server.Administrator) || len(roles) == 0) {
		roles = append(roles, c.NewToken)
	}
	for _, role := range roles {
		token, err := tokens.Add(role)
		if err != nil {
			return nil, err
		}
		p.say("token (%s), shown this once: %s", role, token)
	}
	return tokens, nil
}

// serve answers requests and, on PostgreSQL, works batches, until the program is interrupted or one of the two fails.
func (p *program) serve(w *app.Workbench, s *server.Server, l net.Listener) error {
	ctx, stop := context.WithCancel(p.ctx)
	defer stop()
	worked := make(chan error, 1)
	go func() {
		err := w.ServeQueue(ctx, ctx.Done())
		if problem.CodeOf(err) == "needs_postgresql" {
			err = nil
		} else if err != nil {
			stop()
		}
		worked <- err
	}()
	err := s.Serve(ctx, l)
	stop()
	return errors.Join(err, <-worked)
}

// browse opens the address in a browser, as far as this machine can.
func (p *program) browse(address string) {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	if err := exec.CommandContext(p.ctx, name, args...).Start(); err != nil {
		fmt.Fprintf(p.stderr, "note: no browser could be opened (%s); open %s yourself\n", strings.TrimSpace(err.Error()), address)
	}
}
