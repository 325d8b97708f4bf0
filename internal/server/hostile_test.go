package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	apppeople "github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// raw sends bytes over a connection of its own and returns the reply, or what the server did instead.
func raw(t *testing.T, address, request string) string {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(conn, request) // a server that has enough hangs up in the middle
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		return "hung up"
	}
	return strings.TrimSpace(line)
}

// What no browser and no honest program sends, over real connections to a server with its real limits.
func TestHostileClients(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	o := x.options()
	o.Now, o.Version, o.Hosts = func() time.Time { return testNow }, "test", []string{"bench.example"}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(t.Context(), l) }()
	address := l.Addr().String()
	head := func(line string, more ...string) string {
		return line + " HTTP/1.1\r\nHost: bench.example\r\nConnection: close\r\n" + strings.Join(more, "") + "\r\n"
	}
	bearer := "Authorization: Bearer " + x.tokens[requests.Administrator] + "\r\n"
	body := func(text string) string {
		return fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
	}
	post := func(path, text string, more ...string) string {
		return "POST " + path + " HTTP/1.1\r\nHost: bench.example\r\nConnection: close\r\n" + strings.Join(more, "") + body(text)
	}
	for name, test := range map[string]struct{ request, want string }{
		"nobody":                   {head("GET /api/v1/runs"), "401"},
		"the token, for reference": {head("GET /api/v1/runs", bearer), "200"},
		"huge headers":             {head("GET /api/v1/runs", bearer, "X-Big: "+strings.Repeat("x", 64<<10)+"\r\n"), "431"},
		"wrong host":               {strings.Replace(head("GET /api/v1/runs", bearer), "bench.example", "evil.example", 1), "421"},
		"two hosts":                {head("GET /api/v1/runs", bearer, "Host: evil.example\r\n"), "400"},
		"no host":                  {"GET /api/v1/runs HTTP/1.1\r\nConnection: close\r\n" + bearer + "\r\n", "400"},
		"absolute foreign address": {head("GET http://evil.example/api/v1/runs", bearer), "421"},
		"cross-site":               {post("/api/v1/runs", "{}", bearer, "Sec-Fetch-Site: cross-site\r\n"), "403"},
		"forged origin":            {post("/api/v1/runs", "{}", bearer, "Origin: https://evil.example\r\n"), "403"},
		"token in the query":       {head("GET /api/v1/runs?token=" + x.tokens[requests.Administrator]), "422"},
		"key in the query":         {head("GET /api/v1/runs?access_token=" + x.tokens[requests.Administrator]), "422"},
		"body of a form": {strings.Replace(post("/api/v1/session", "name=a&password=b"), "application/json",
			"application/x-www-form-urlencoded", 1), "415"},
		"length and chunks":       {post("/api/v1/runs", "0\r\n\r\n", bearer, "Transfer-Encoding: chunked\r\n"), "400"},
		"unknown method":          {head("BREW /api/v1/runs", bearer), "405"},
		"path tricks":             {head("GET /api/v1/../api/v1/accounts", "Authorization: Bearer "+x.tokens[requests.Viewer]+"\r\n"), ""},
		"doubled slashes":         {head("GET //api/v1/accounts", "Authorization: Bearer "+x.tokens[requests.Viewer]+"\r\n"), ""},
		"viewer on admin's route": {head("GET /api/v1/accounts", "Authorization: Bearer "+x.tokens[requests.Viewer]+"\r\n"), "403"},
		"override of the method":  {post("/api/v1/me", "{}", bearer, "X-HTTP-Method-Override: DELETE\r\n"), "405"},
		"other scheme":            {head("GET /api/v1/runs", "Authorization: Basic "+x.tokens[requests.Administrator]+"\r\n"), "401"},
		"no HTTP":                 {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS hello\r\n\r\n", "400"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := raw(t, address, test.request)
			if test.want == "" { // whatever it is, it is not the list of accounts
				if strings.Contains(got, " 200 ") && !strings.Contains(test.request, "//api") && !strings.Contains(test.request, "..") {
					t.Errorf("%q", got)
				}
				return
			}
			if !strings.Contains(got, " "+test.want+" ") {
				t.Errorf("%q, want %s", got, test.want)
			}
		})
	}
	t.Run("slow headers", func(t *testing.T) {
		t.Parallel()
		before := time.Now()
		got := raw(t, address, "GET /api/v1/runs HTTP/1.1\r\nHost: bench.example\r\nX-Slow: ")
		if took := time.Since(before); took > headerTimeout+5*time.Second || strings.Contains(got, " 200 ") {
			t.Errorf("%q after %s", got, took)
		}
	})
}

// Fields that nobody asked for change nothing: they are refused with their name.
func TestMassAssignment(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	c := serve(t, x.options())
	cookie := c.signs(credentials(requests.Viewer), 200)
	viewer, editor := x.account(t, requests.Viewer), x.account(t, requests.Editor)
	admin := c.with("").signs(credentials(requests.Administrator), 200)
	for _, test := range []struct{ cookie, method, path, body, field string }{
		{cookie, "POST", "/me/password", `{"present":"` + password + `","password":"another violet tram","role":"admin"}`, "role"},
		{cookie, "POST", "/tokens", `{"name":"x","role":"viewer","account":"` + editor + `"}`, "account"},
		{cookie, "POST", "/tokens", `{"name":"x","role":"viewer","hash":"00"}`, "hash"},
		{"", "POST", "/session", `{"name":"viewer@team.example","password":"` + password + `","role":"admin"}`, "role"},
		{"", "POST", "/password-reset", `{"link":"x","password":"another violet tram","account":"` + editor + `"}`, "account"},
		{"", "POST", "/setup", `{"link":"x","name":"x","password":"another violet tram","role":"admin"}`, "role"},
		{admin, "PATCH", "/accounts/" + viewer, `{"password_hash":"x"}`, "password_hash"},
		{admin, "PATCH", "/accounts/" + viewer, `{"id":"` + editor + `"}`, "id"},
		{admin, "PATCH", "/accounts/" + viewer, `{"Role":"admin"}`, "Role"},
		{admin, "POST", "/accounts", `{"name":"x","role":"viewer","subject":"https://idp.example admin"}`, "subject"},
	} {
		if p := c.with(test.cookie).refused(test.method, test.path, test.body, http.StatusUnprocessableEntity); p.Field != test.field {
			t.Errorf("%s %s %s: %+v", test.method, test.path, test.body, p)
		}
	}
	if got := c.with(cookie).me(); got.Role != requests.Viewer {
		t.Errorf("%+v", got)
	}
	_, _, body := c.with(admin).do("GET", requests.Prefix+"/accounts", "")
	for _, hidden := range []string{"hash", "argon2", "subject"} {
		if strings.Contains(strings.ToLower(body), hidden) {
			t.Errorf("the list of accounts shows %s", hidden)
		}
	}
}

// Guessing a password comes to five tries a minute and five hundred a day, and keeps nobody out who has been here before.
func TestPasswordsAreNotGuessed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	x := newTeam(t, fresh(t))
	clock := &clock{testNow}
	o := x.options()
	o.People, o.Now, o.TrustedProxies = x.clocked(t, clock), clock.now, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	c := serve(t, o)
	from := func(address string) *client {
		c.header = map[string]string{"X-Forwarded-For": address}
		return c
	}
	guess := func(n int) string {
		return fmt.Sprintf(`{"name":"viewer@team.example","password":"guess number %d"}`, n)
	}
	from("192.0.2.10").signs(credentials(requests.Viewer), 200) // the owner has been here

	tried, refused := 0, 0
	for minute := range 24 * 60 { // a day, from ever new addresses
		clock.at = testNow.Add(time.Duration(minute) * time.Minute)
		for i := range 3 {
			n := minute*3 + i
			status, header, _ := from(fmt.Sprintf("198.51.%d.%d", n/250%250, n%250)).do("POST", requests.Prefix+"/session", guess(n))
			switch status {
			case http.StatusUnauthorized:
				tried++
			case http.StatusTooManyRequests:
				if refused++; header.Get("Retry-After") == "" {
					t.Fatal("no Retry-After")
				}
			default:
				t.Fatalf("guess = %d", status)
			}
		}
	}
	t.Logf("%d of %d guesses in a day were looked at", tried, tried+refused)
	if tried > 500 || tried < 100 {
		t.Errorf("%d guesses in a day", tried)
	}
	from("192.0.2.10").signs(credentials(requests.Viewer), 200)
	from("192.0.2.77").signs(credentials(requests.Editor), 200)

	clock.at = clock.at.Add(time.Hour)
	for i := range 5 {
		from("203.0.113.5").signs(guess(i), http.StatusUnauthorized)
	}
	c.refused("POST", "/session", credentials(requests.Administrator), http.StatusTooManyRequests)
	c.refused("POST", "/session", `{"token":"`+x.tokens[requests.Editor]+`"}`, http.StatusTooManyRequests)
	clock.at = clock.at.Add(time.Minute + time.Second)
	c.signs(credentials(requests.Administrator), 200)
	for _, authorization := range []string{"Bearer", "Bearer ", "Basic YWRtaW46YWRtaW4=", "admin", "Bearer " +
		x.tokens[requests.Viewer] + " extra"} {
		c.header = map[string]string{"Authorization": authorization}
		c.refused("GET", "/runs", "", http.StatusUnauthorized)
	}
}

// Whoever guesses from one address for ever keeps the owner out of nothing, wherever they are.
func TestForwardedAddressesAreNotBelieved(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	c := serve(t, x.options())
	for i := range 5 {
		c.header = map[string]string{"X-Forwarded-For": fmt.Sprintf("203.0.113.%d", i), "X-Real-Ip": fmt.Sprintf("203.0.113.%d", i)}
		c.refused("POST", "/session", `{"token":"guess"}`, http.StatusUnauthorized)
	}
	c.header = map[string]string{"X-Forwarded-For": "198.51.100.7"}
	c.refused("POST", "/session", `{"token":"guess"}`, http.StatusTooManyRequests)
	for header, want := range map[string]string{
		"": "10.0.0.2", "198.51.100.7": "198.51.100.7", "evil, 198.51.100.7": "198.51.100.7",
		"1.1.1.1, 198.51.100.7, 10.0.0.9": "198.51.100.7",
		"nonsense":                        "10.0.0.2",
		"10.0.0.3":                        "10.0.0.3", "2001:db8::1": "2001:db8::1", "1.1.1.1, nonsense": "10.0.0.2",
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.RemoteAddr = "10.0.0.2:4711"
		if header != "" {
			r.Header.Set("X-Forwarded-For", header)
		}
		if got := requests.VisitorAddress(r, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
		if got := requests.VisitorAddress(r, nil); got != "10.0.0.2" {
			t.Errorf("without trusted proxies: %s", got)
		}
	}
	for address, want := range map[string]string{"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "odd": "odd"} {
		if got := requests.Network(address); got != want {
			t.Errorf("network of %s: %s", address, got)
		}
	}
}

// Twenty requests a second and sixty at once, for each by itself; files of the user interface are not counted.
func TestRequestsAreLimited(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	clock := &clock{testNow}
	o := x.options()
	o.Now, o.Rate = clock.now, requests.Rate{}
	c := serve(t, o)
	c.token = x.tokens[requests.Viewer]
	for range 60 {
		c.get("/runs", nil)
	}
	if p := c.refused("GET", "/runs", "", http.StatusTooManyRequests); p.Code != "request_limit" {
		t.Errorf("%+v", p)
	}
	if status, header, _ := c.do("GET", requests.Prefix+"/runs", ""); header.Get("Retry-After") != "1" {
		t.Errorf("%d, Retry-After %q", status, header.Get("Retry-After"))
	}
	c.token = x.tokens[requests.Editor]
	c.get("/runs", nil)
	c.token = ""
	for range 200 {
		if status, _, _ := c.do("GET", "/", ""); status != 200 {
			t.Fatalf("a page = %d", status)
		}
	}
	c.token = x.tokens[requests.Viewer]
	clock.at = clock.at.Add(time.Second)
	for range 20 {
		c.get("/runs", nil)
	}
	c.refused("GET", "/runs", "", http.StatusTooManyRequests)
	free := serve(t, Options{Workbench: fresh(t)})
	for range 200 { // one's own machine has no limit
		free.get("/runs", nil)
	}
}

// Two servers of one database: many use one setup link at the same moment, over HTTP.
func TestSetupIsRacedOverHTTP(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	people, err := apppeople.NewPeople(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	people.Cost = apppeople.PasswordCost{Passes: 1, KiB: 8, Threads: 1}
	link, err := people.SetupLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Workbench: w, SignIn: true, People: people, Rate: often}
	servers := []*client{serve(t, o), serve(t, o)}
	statuses := make(chan int, 4)
	for i := range cap(statuses) {
		go func() {
			body := fmt.Sprintf(`{"link":%q,"name":"admin %d","password":%q}`, link, i, password)
			r, err := http.NewRequestWithContext(t.Context(), "POST", servers[i%2].url+requests.Prefix+"/setup", strings.NewReader(body))
			if err != nil {
				statuses <- 0
				return
			}
			r.Header.Set("Content-Type", "application/json")
			response, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				statuses <- 0
				return
			}
			statuses <- response.StatusCode
			_ = response.Body.Close()
		}()
	}
	won := 0
	for range cap(statuses) {
		switch status := <-statuses; status {
		case http.StatusOK:
			won++
		case http.StatusNotFound, http.StatusConflict:
		default:
			t.Errorf("status %d", status)
		}
	}
	if accounts, err := people.Accounts(t.Context()); won != 1 || len(accounts) != 1 || err != nil {
		t.Errorf("%d won, %d accounts, %v", won, len(accounts), err)
	}
}
