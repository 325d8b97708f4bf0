package server

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app/listing"
	apppeople "github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// clock is a clock that tests set.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// signs signs somebody in and keeps the cookie as a browser does.
func (c *client) signs(body string, want int) (cookie string) {
	c.t.Helper()
	status, header, got := c.do("POST", requests.Prefix+"/session", body)
	if status != want {
		c.t.Fatalf("sign in = %d %s, want %d", status, got, want)
	}
	cookie, _, _ = strings.Cut(header.Get("Set-Cookie"), ";")
	return cookie
}

func credentials(role requests.Role) string {
	return `{"name":"` + strings.ToUpper(string(role)) + `@team.example","password":"` + password + `"}`
}

// with sends a cookie along.
func (c *client) with(cookie string) *client {
	c.header = map[string]string{}
	if cookie != "" {
		c.header["Cookie"] = cookie
	}
	return c
}

func TestSessions(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	o := x.options()
	o.TLS = true
	c := serve(t, o)
	if got := c.me(); got.Role != requests.Anonymous || got.Home != nil || got.Version != "" || len(got.Permissions) != 0 ||
		got.Auth != "sign_in" {
		t.Errorf("nobody is %+v", got)
	}
	status, header, body := c.do("POST", requests.Prefix+"/session", credentials(requests.Editor))
	cookie := header.Get("Set-Cookie")
	if status != 200 || !strings.Contains(body, `"role":"editor"`) || !strings.Contains(body, `"name":"editor@team.example"`) {
		t.Fatalf("sign in = %d %s", status, body)
	}
	for _, part := range []string{"__Host-wb=", "HttpOnly", "Secure", "SameSite=Strict", "Path=/"} {
		if !strings.Contains(cookie, part) {
			t.Errorf("the cookie %q lacks %s", cookie, part)
		}
	}
	if strings.Contains(cookie, "Max-Age") {
		t.Errorf("the cookie %q outlives the browser", cookie)
	}
	value, _, _ := strings.Cut(cookie, ";")
	if got := c.with(value).me(); got.Role != requests.Editor || got.Session == "" || strings.Contains(value, got.Session) {
		t.Errorf("with the cookie: %+v", got)
	}
	// Fixation: an id that a stranger gave is not taken over, and signing in again changes the id.
	if fixed := c.with("__Host-wb=chosen-by-a-stranger").
		signs(credentials(requests.Viewer), 200); fixed == "" || strings.Contains(fixed, "stranger") {
		t.Errorf("the id of a stranger was taken over: %q", fixed)
	}
	again := c.with(value).signs(credentials(requests.Viewer), 200)
	if again == value || again == "" {
		t.Error("signing in again kept the session's id")
	}
	if got := c.with(value).me(); got.Role != requests.Anonymous {
		t.Errorf("the old id still is %+v", got)
	}
	value = c.with("").signs(credentials(requests.Editor), 200)
	c.with(value).token = "wrong"
	if got := c.me(); got.Role != requests.Anonymous {
		t.Errorf("a wrong bearer beside a good session is %+v", got)
	}
	c.token = ""
	c.send("DELETE", "/session", "", http.StatusNoContent, nil)
	if got := c.me(); got.Role != requests.Anonymous {
		t.Errorf("after signing out: %+v", got)
	}
}

// A session lives for 12 hours without use and 7 days in all, on every server of the database.
func TestSessionsEndByThemselves(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	hours := &clock{testNow}
	people := x.clocked(t, hours)
	o := x.options()
	o.People, o.Now = people, hours.now
	c, other := serve(t, o), serve(t, o)
	cookie := c.signs(credentials(requests.Viewer), 200)
	for range 14 { // 14 × 11 h 50 min is less than 7 days
		hours.at = hours.at.Add(11*time.Hour + 50*time.Minute)
		if got := other.with(cookie).me(); got.Role != requests.Viewer {
			t.Fatalf("%s: %+v", hours.at, got)
		}
	}
	hours.at = testNow.Add(7*24*time.Hour + time.Minute)
	if got := c.with(cookie).me(); got.Role != requests.Anonymous {
		t.Errorf("after 7 days: %+v", got)
	}
	cookie = c.with("").signs(credentials(requests.Viewer), 200)
	hours.at = hours.at.Add(12*time.Hour + time.Minute)
	if got := c.with(cookie).me(); got.Role != requests.Anonymous {
		t.Errorf("after 12 hours: %+v", got)
	}
}

// clocked is the team's people on another clock.
func (x team) clocked(t *testing.T, c *clock) *apppeople.People {
	t.Helper()
	p := apppeople.PeopleAt(x.workbench, c.now)
	p.Cost = x.people.Cost
	return p
}

// What takes somebody's right away ends it at once, on another server too.
func TestRightsEndAtOnce(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	c, other := serve(t, x.options()), serve(t, x.options())
	admin := c.signs(credentials(requests.Administrator), 200)
	role := func(cookie string) requests.Role { return other.with(cookie).me().Role }
	cookie := c.with("").signs(credentials(requests.Editor), 200)
	id := other.with(cookie).me().Account

	c.with(admin).send("PATCH", "/accounts/"+id, `{"role":"viewer"}`, 200, nil)
	if got := role(cookie); got != requests.Viewer {
		t.Errorf("after another role: %s", got)
	}
	other.header = nil
	other.token = x.tokens[requests.Editor]
	if got := other.me(); got.Role != requests.Viewer {
		t.Errorf("a token may do more than its owner: %s", got.Role)
	}
	other.token = ""
	second := c.with("").signs(credentials(requests.Editor), 200)
	var sessions api.ItemsOf[experiments.WebSession]
	c.with(second).get("/me/sessions", &sessions)
	if len(sessions.Items) != 2 || sessions.Items[0].Address != "127.0.0.1" {
		t.Errorf("sessions %+v", sessions)
	}
	first := other.with(cookie).me().Session
	c.with(second).send("DELETE", "/me/sessions/"+first, "", http.StatusNoContent, nil)
	if got := role(cookie); got != requests.Anonymous {
		t.Errorf("after the session was ended: %s", got)
	}
	adminSession := c.with(admin).me().Session
	c.with(second).refused("DELETE", "/me/sessions/"+adminSession, "", http.StatusNotFound)

	c.with(second).send("POST", "/me/password", `{"present":"`+password+`","password":"another violet tram"}`, 200, nil)
	if got := role(second); got != requests.Anonymous {
		t.Errorf("after another password: %s", got)
	}
	c.with("").signs(credentials(requests.Editor), http.StatusUnauthorized)
	third := c.signs(`{"name":"editor@team.example","password":"another violet tram"}`, 200)
	c.with(admin).send("PATCH", "/accounts/"+id, `{"disabled":true}`, 200, nil)
	if got := role(third); got != requests.Anonymous {
		t.Errorf("after being disabled: %s", got)
	}
	other.header, other.token = nil, x.tokens[requests.Editor]
	if got := other.me(); got.Role != requests.Anonymous {
		t.Errorf("a token of somebody who is disabled is %+v", got)
	}
	c.with("").signs(`{"name":"editor@team.example","password":"another violet tram"}`, http.StatusUnauthorized)
}

func TestTokensOfPeople(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	days := &clock{testNow}
	o := x.options()
	o.People, o.Now = x.clocked(t, days), days.now
	c := serve(t, o)
	editor := c.signs(credentials(requests.Editor), 200)
	var made api.MadeToken
	c.with(editor).send("POST", "/tokens", `{"name":"ci","role":"editor"}`, 200, &made)
	if !strings.HasPrefix(made.Secret, "wbt_") || len(made.Secret) < 40 || made.Token.ExpiresAt.Sub(testNow) != 90*24*time.Hour ||
		made.Token.Owner != "editor@team.example" {
		t.Errorf("%+v", made)
	}
	if p := c.refused("POST", "/tokens", `{"name":"more","role":"admin"}`, http.StatusUnprocessableEntity); p.Code != "token_role" ||
		p.Field != "role" {
		t.Errorf("%+v", p)
	}
	c.header = nil
	c.token = made.Secret
	if got := c.me(); got.Role != requests.Editor || got.Kind != "token" {
		t.Errorf("%+v", got)
	}
	if p := c.refused("POST", "/tokens", `{"name":"more","role":"viewer"}`, http.StatusForbidden); p.Code != "session_needed" {
		t.Errorf("a token made a token: %+v", p)
	}
	c.refused("POST", "/me/password", `{"present":"`+password+`","password":"another violet tram"}`, http.StatusForbidden)
	var list api.ItemsOf[api.TokenRow]
	c.get("/tokens", &list)
	used := 0
	for _, row := range list.Items {
		if row.Alive && !row.UsedAt.IsZero() {
			used++
		}
	}
	if len(list.Items) != 2 || used != 1 {
		t.Errorf("%+v", list)
	}
	c.refused("GET", "/tokens?everybody=true", "", http.StatusForbidden)
	c.refused("DELETE", "/tokens/"+x.ids[requests.Administrator], "", http.StatusNotFound)
	session := c.signs(`{"token":"`+made.Secret+`"}`, 200)
	c.token = ""
	if got := c.with(session).me(); got.Role != requests.Editor {
		t.Errorf("a session of a token is %+v", got)
	}
	admin := c.with("").signs(credentials(requests.Administrator), 200)
	c.with(admin).get("/tokens?everybody=true", &list)
	if len(list.Items) != 4 {
		t.Errorf("%+v", list)
	}
	c.send("DELETE", "/tokens/"+made.Token.ID, "", http.StatusNoContent, nil)
	if got := c.with(session).me(); got.Role != requests.Anonymous {
		t.Errorf("the session outlives its token: %+v", got)
	}
	c.token = made.Secret
	c.with("").refused("GET", "/runs", "", http.StatusUnauthorized)
	c.token = x.tokens[requests.Viewer]
	c.get("/runs", nil)
	days.at = testNow.Add(apppeople.TokenLife + time.Second)
	c.refused("GET", "/runs", "", http.StatusUnauthorized)
}

// The first administrator comes by a link that works once, and the others by links of theirs.
func TestSetupAndResetLinks(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	people, err := apppeople.NewPeople(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	people.Cost = apppeople.PasswordCost{Passes: 1, KiB: 8, Threads: 1}
	c := serve(t, Options{Workbench: w, SignIn: true, People: people})
	link, err := people.SetupLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	setup := func(link, password string) string {
		body, _ := json.Marshal(map[string]string{"link": link, "name": "ann@team.example", "password": password})
		return string(body)
	}
	for body, code := range map[string]string{
		setup(link, "short"): "password_length", setup(link, "passwordpassword"): "password_common", setup(link, "ann-ann-ann1"): "",
		setup("guess", password): "link_unknown",
	} {
		if code != "" {
			want := map[bool]int{true: http.StatusNotFound, false: http.StatusUnprocessableEntity}[code == "link_unknown"]
			if p := c.refused("POST", "/setup", body, want); p.Code != code {
				t.Errorf("%s: %+v", body, p)
			}
		}
	}
	status, header, body := c.do("POST", requests.Prefix+"/setup", setup(link, password))
	if status != 200 || !strings.Contains(body, `"role":"admin"`) {
		t.Fatalf("setup = %d %s", status, body)
	}
	cookie, _, _ := strings.Cut(header.Get("Set-Cookie"), ";")
	c.refused("POST", "/setup", setup(link, password), http.StatusNotFound)

	var made api.MadeAccount
	c.with(cookie).send("POST", "/accounts", `{"name":"bob","role":"viewer"}`, 200, &made)
	if !strings.HasPrefix(made.Link, "wbr_") {
		t.Errorf("%+v", made)
	}
	c.refused("POST", "/accounts", `{"name":"BOB","role":"viewer"}`, http.StatusConflict)
	c.with("").signs(`{"name":"bob","password":"`+password+`"}`, http.StatusUnauthorized)
	reset := `{"link":"` + made.Link + `","password":"` + password + `"}`
	var me api.Me
	c.send("POST", "/password-reset", reset, 200, &me)
	if me.Role != requests.Viewer || me.Name != "bob" {
		t.Errorf("%+v", me)
	}
	c.refused("POST", "/password-reset", reset, http.StatusNotFound)
	c.signs(`{"name":"bob","password":"`+password+`"}`, 200)
	if p := c.with(cookie).refused("PATCH", "/accounts/"+c.me().Account, `{"role":"viewer"}`, http.StatusConflict); p.Code != "last_admin" {
		t.Errorf("%+v", p)
	}
}

// The audit log says who did what, when and from where, and holds no secret.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	c := serve(t, x.options())
	c.signs(`{"name":"editor@team.example","password":"not the password of anybody"}`, http.StatusUnauthorized)
	c.signs(`{"name":"my password in the wrong field","password":"x"}`, http.StatusUnauthorized)
	editor := c.signs(credentials(requests.Editor), 200)
	c.with(editor).refused("GET", "/audit", "", http.StatusForbidden)
	var made api.MadeToken
	c.send("POST", "/tokens", `{"name":"ci","role":"viewer"}`, 200, &made)
	c.send("POST", "/runs/plan", `{"experiment":"none"}`, http.StatusNotFound, nil)
	admin := c.with("").signs(credentials(requests.Administrator), 200)
	c.with(admin).send("PATCH", "/accounts/"+x.account(t, requests.Viewer), `{"role":"editor"}`, 200, nil)
	if status, header, _ := c.do("GET", requests.Prefix+"/audit.csv", ""); status != 200 ||
		!strings.HasPrefix(header.Get("Content-Disposition"), "attachment") {
		t.Errorf("export = %d %v", status, header)
	}
	c.refused("DELETE", "/baselines/none", "", http.StatusNotFound) // did nothing
	var got []string
	var log listing.Listed[experiments.AuditEntry]
	for cursor := ""; ; cursor = log.NextCursor {
		c.get("/audit?limit=3&cursor="+cursor, &log)
		for _, e := range log.Items {
			got = append(got, strings.Join([]string{e.Name, e.Action, e.Outcome, e.Address}, " "))
			if e.Outcome == experiments.AuditFailed && e.Detail != "sign_in_failed" {
				t.Errorf("%s failed with %q", e.Action, e.Detail)
			}
		}
		if log.NextCursor == "" {
			break
		}
	}
	want := []string{
		"admin@team.example get-audit-csv done 127.0.0.1",
		"admin@team.example patch-accounts-id done 127.0.0.1",
		"admin@team.example session.open done 127.0.0.1",
		"editor@team.example post-tokens done 127.0.0.1",
		"editor@team.example get-audit refused 127.0.0.1",
		"editor@team.example session.open done 127.0.0.1",
		" session.open failed 127.0.0.1",
		"editor@team.example session.open failed 127.0.0.1",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || log.Total != len(want) {
		t.Errorf("the log of %d is\n%s\nwant\n%s", log.Total, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	c.get("/audit?outcome=refused&name=editor@team.example&since=2026-11-20", &log)
	if len(log.Items) != 1 || log.Items[0].Target != "/audit" {
		t.Errorf("%+v", log)
	}
	_, _, all := c.do("GET", requests.Prefix+"/audit.jsonl", "")
	for _, secret := range []string{password, "wrong field", made.Secret, x.tokens[requests.Editor]} {
		if strings.Contains(all, secret) {
			t.Errorf("the audit log holds %q", secret)
		}
	}
	if !strings.Contains(all, "viewer@team.example: role editor, was viewer") {
		t.Errorf("the change is not described: %s", all)
	}
	c.refused("GET", "/audit?cursor=x", "", http.StatusUnprocessableEntity)
	c.refused("GET", "/audit?since=yesterday", "", http.StatusUnprocessableEntity)
}

// account is the id of the account of a role.
func (x team) account(t *testing.T, role requests.Role) string {
	t.Helper()
	a, err := x.people.Account(t.Context(), string(role)+"@team.example")
	if err != nil {
		t.Fatal(err)
	}
	return a.ID
}

// What something would cost is asked by pages that are only looked at: that is no entry of the audit log.
func TestAPlanIsNotAudited(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	path := "/runs/" + c.finished("k1").RunID + "/diagnose"
	entries := func() (n int) {
		var log listing.Listed[experiments.AuditEntry]
		c.get("/audit?limit=50", &log)
		for _, e := range log.Items {
			if e.Action == "post-runs-id-diagnose" {
				n++
			}
		}
		return n
	}
	var d api.Diagnosing
	if c.send("POST", path, `{"plan":true}`, 202, &d); entries() != 0 || d.Job != nil {
		t.Errorf("%d entries and job %v after a plan", entries(), d.Job)
	}
	c.send("POST", path, `{}`, 202, &d)
	if c.done(d.Job.ID); entries() != 1 {
		t.Errorf("%d entries after the work itself", entries())
	}
}
