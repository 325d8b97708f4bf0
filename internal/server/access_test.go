package server

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/rag-workbench/workbench/internal/app"
	apppeople "github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// team is a workbench with an account and a token for every role. Hashes of passwords cost little.
type team struct {
	workbench *app.Workbench
	people    *apppeople.People
	tokens    map[requests.Role]string
	ids       map[requests.Role]string // of the tokens
}

// password is that of every account of a team.
const password = "violet tram under seven hats"

func newTeam(t *testing.T, w *app.Workbench) team {
	t.Helper()
	people, err := apppeople.NewPeople(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	people.Cost = apppeople.PasswordCost{Passes: 1, KiB: 8, Threads: 1}
	out := team{w, people, map[requests.Role]string{}, map[requests.Role]string{}}
	for _, role := range []requests.Role{requests.Administrator, requests.Editor, requests.Viewer} {
		if _, _, err := people.AddAccount(t.Context(), string(role)+"@team.example", role, password); err != nil {
			t.Fatal(err)
		}
		token, secret, err := people.AddToken(t.Context(),
			apppeople.NewToken{Name: string(role), Role: role, Owner: string(role) + "@team.example"})
		if err != nil {
			t.Fatal(err)
		}
		out.tokens[role], out.ids[role] = secret, token.ID
	}
	return out
}

// often lets tests ask as often as they like.
var often = requests.Rate{PerSecond: 1e6, Burst: 1e6}

// options serve the team's workbench to those who sign in.
func (x team) options() Options {
	return Options{Workbench: x.workbench, SignIn: true, People: x.people, Rate: often}
}

var parameter = regexp.MustCompile(`\{[a-z]+\}`)

// littleWork has bodies of routes that compute for long when they are asked for nothing in particular.
var littleWork = map[string]string{"/validations/causes": `{"batches": 1}`, "/validations/regressions": `{"runs": 1}`}

// The table of docs/routes.md: every route of the router, asked by everybody, from our pages and from those of others.
func TestEveryRouteForEveryRole(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	c := serve(t, x.options())
	var doc bytes.Buffer
	doc.WriteString("# Routes and permissions\n\nWritten by `go test ./internal/server -run EveryRoute -update`, which asks every route of the router as everybody. " +
		"✓ lets the request through to the route (which may answer 404 or 422), a number is the refusal. Foreign: a Host that is not ours. " +
		"Cross-site: a browser says that a page of another site asks.\n\n" +
		"| method | path | permission | nobody | viewer | editor | admin | foreign | cross-site |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range c.server.routes {
		path := parameter.ReplaceAllString(requests.Prefix+r.Path, "nothing-of-this-name")
		body := ""
		if r.Method != http.MethodGet && r.Method != http.MethodDelete {
			body = cmp.Or(littleWork[r.Path], "{}")
		}
		row := []string{r.Method, "`" + r.Path + "`", string(r.Permission)}
		for _, role := range []requests.Role{requests.Anonymous, requests.Viewer, requests.Editor, requests.Administrator} {
			c.token, c.host, c.header = x.tokens[role], "", nil
			row = append(row, c.verdict(r, path, body, requests.May(role, r.Permission)))
		}
		c.host = "evil.example"
		status, _, _ := c.do(r.Method, path, body)
		if status != http.StatusMisdirectedRequest {
			t.Errorf("%s %s to a foreign host = %d", r.Method, r.Path, status)
		}
		row = append(row, strconv.Itoa(status))
		c.host, c.header = "", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
		status, _, _ = c.do(r.Method, path, body)
		if mutates := r.Method != http.MethodGet; mutates && status != http.StatusForbidden {
			t.Errorf("%s %s from another site = %d", r.Method, r.Path, status)
		}
		mark := strconv.Itoa(status)
		if r.Method == http.MethodGet {
			mark = "read only"
		}
		row = append(row, mark)
		fmt.Fprintf(&doc, "| %s |\n", strings.Join(row, " | "))
	}
	fmt.Fprintf(&doc, "\n%d routes. Outside %s, `/shared/{secret}` shows the one page of a share link to whoever has it "+
		"([TestALinkReachesItsPageAlone](security.md)); everything else there serves the files of the user interface, which hold no data.\n",
		len(c.server.routes), requests.Prefix)
	keptFile(t, "../../docs/routes.md", doc.Bytes())
}

// verdict asks and checks that the permission decides.
func (c *client) verdict(r requests.Route, path, body string, may bool) string {
	c.t.Helper()
	status, _, got := c.do(r.Method, path, body)
	refused := status == http.StatusUnauthorized && strings.Contains(got, "token_missing") || status == http.StatusForbidden
	if status >= 500 || may == refused {
		c.t.Errorf("%s %s as %q = %d %s", r.Method, r.Path, c.token, status, got)
	}
	if refused {
		return strconv.Itoa(status)
	}
	return "✓"
}

// Only these routes answer to nobody. Another one must be put here on purpose.
func TestPublicRoutesAreNamed(t *testing.T) {
	t.Parallel()
	var public []string
	for _, r := range serve(t, Options{Workbench: fresh(t)}).server.routes {
		if r.Permission == requests.Public {
			public = append(public, r.Method+" "+r.Path)
		}
	}
	if want := []string{"GET /me", "POST /session", "DELETE /session", "GET /session/oidc", "GET /session/oidc/callback", "POST /setup",
		"POST /password-reset"}; !slices.Equal(public, want) {
		t.Errorf("public routes are %v, want %v", public, want)
	}
}

func TestARouteNeedsAPermission(t *testing.T) {
	t.Parallel()
	s := &Server{Options: Options{Workbench: fresh(t), Now: time.Now, Log: func(string, ...any) {}}}
	people, err := apppeople.NewPeople(t.Context(), s.Workbench)
	if err != nil {
		t.Fatal(err)
	}
	s.People = people
	s.access = requests.NewAccess(s.Options)
	r := requests.NewRouter(chi.NewRouter(), s.access, s.bodyTime, requests.Journal(s.Log))
	requests.Get(r, "/secret", "", "no permission", func(context.Context, *requests.Nothing) (string, error) { return "", nil })
	if r.Err == nil {
		t.Error("a route without a permission was registered")
	}
}

func TestHosts(t *testing.T) {
	t.Parallel()
	for _, signIn := range []bool{false, true} {
		c := serve(t, Options{Workbench: fresh(t), Hosts: []string{"bench.example"}, SignIn: signIn})
		for host, ours := range map[string]bool{
			"localhost": true, "LOCALHOST:7700": true, "127.0.0.1": true, "127.0.0.1:7700": true, "[::1]:7700": true, "127.8.8.8": true,
			"bench.example": true, "Bench.Example:443": true,
			"evil.example": false, "localhost.evil.example": false, "127.0.0.1.evil.example": false, "evil.example:7700": false, "": false,
			"0x7f.1": false, "2130706433": false,
			"[fe80::1%25eth0]": false, "192.168.1.7:7700": signIn, "10.0.0.1": signIn, "bench.example.": false, "localhost:7700:1": false,
		} {
			if got := c.server.ours(host); got != ours {
				t.Errorf("signing in %v: ours(%q) = %v", signIn, host, got)
			}
		}
	}
}

// Requests that change something, with everything that a browser may say about where they come from.
func TestCrossSiteRequestsChangeNothing(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: fresh(t)})
	for _, test := range []struct {
		header map[string]string
		want   int
	}{
		{nil, 422}, // a program
		{map[string]string{"Sec-Fetch-Site": "same-origin"}, 422},
		{map[string]string{"Sec-Fetch-Site": "none"}, 422},
		{map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{map[string]string{"Origin": "https://evil.example"}, 403},
		{map[string]string{"Origin": "null"}, 403},
		{map[string]string{"Origin": c.url}, 422},
		{map[string]string{"Origin": "http://127.0.0.1:1"}, 403},
		{map[string]string{"Content-Type": "text/plain"}, 415}, // what a form of another site can send
		{map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, 415},
	} {
		c.header = test.header
		if status, _, body := c.do("POST", requests.Prefix+"/runs", "{}"); status != test.want {
			t.Errorf("%v = %d, want %d: %s", test.header, status, test.want, body)
		}
	}
}

func (c *client) me() api.Me {
	c.t.Helper()
	var me api.Me
	c.get("/me", &me)
	return me
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: fresh(t), TLS: true, SignIn: true})
	for _, path := range []string{"/", "/api/v1/me", "/api/v1/runs", "/api/v1/none", "/assets/none.js"} {
		_, h, _ := c.do("GET", path, "")
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin",
			"Permissions-Policy":         "camera=()", "X-Frame-Options": "DENY", "Strict-Transport-Security": "max-age",
		} {
			if !strings.Contains(h.Get(name), want) {
				t.Errorf("%s: %s is %q", path, name, h.Get(name))
			}
		}
		if strings.Contains(h.Get("Content-Security-Policy"), "script-src 'self' 'unsafe") || h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s allows too much: %v", path, h)
		}
		if strings.HasPrefix(path, "/api") && h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be kept: %q", path, h.Get("Cache-Control"))
		}
	}
}

func TestAPanicShowsNothing(t *testing.T) {
	t.Parallel()
	logged := ""
	s := &Server{Options: Options{Log: func(message string, args ...any) { logged += message + fmt.Sprint(args...) }}}
	w := httptest.NewRecorder()
	s.recovered(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("the key is " + canary) })).
		ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
	if w.Code != 500 || strings.Contains(w.Body.String(), canary) || strings.Contains(w.Body.String(), "goroutine") ||
		!strings.Contains(logged, canary) {
		t.Errorf("%d %s, log %.100s", w.Code, w.Body, logged)
	}
}
