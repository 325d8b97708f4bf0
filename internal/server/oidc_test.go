package server

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	apppeople "github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// sayJSON is how the provider of these tests answers.
func sayJSON(w http.ResponseWriter, v any) {
	_ = json.NewEncoder(w).Encode(v)
}

// idp is an OpenID provider over real HTTP: it signs tokens with a key of its own, checks the client's secret and PKCE, and gives
// each code out once. What it says about the person can be changed.
type idp struct {
	t      *testing.T
	server *httptest.Server
	key    *rsa.PrivateKey
	back   string // the address that it sends people back to

	mu     sync.Mutex
	codes  map[string]url.Values       // of the requests that they were given to
	change func(map[string]any) []byte // changes the claims; what it returns replaces the token
	signer *rsa.PrivateKey             // nil: key
}

func newIDP(t *testing.T) *idp {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &idp{t: t, key: key, codes: map[string]url.Values{}}
	mux := http.NewServeMux()
	p.server = httptest.NewServer(mux)
	t.Cleanup(p.server.Close)
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		sayJSON(w, map[string]any{
			"issuer": p.server.URL, "authorization_endpoint": p.server.URL + "/authorize", "token_endpoint": p.server.URL + "/token",
			"jwks_uri": p.server.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"},
			"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		e := big.NewInt(int64(key.E)).Bytes()
		sayJSON(w, map[string]any{"keys": []any{map[string]string{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "k1",
			"n": b64(key.N.Bytes()), "e": b64(e)}}})
	})
	mux.HandleFunc("POST /token", p.token)
	return p
}

func b64(body []byte) string { return base64.RawURLEncoding.EncodeToString(body) }

// authorize is what the provider does when somebody who is sent there agrees: it gives a code.
func (p *idp) authorize(to string) (code, state string) {
	p.t.Helper()
	u, err := url.Parse(to)
	if err != nil || !strings.HasPrefix(to, p.server.URL+"/authorize?") {
		p.t.Fatalf("sent to %s (%v)", to, err)
	}
	q := u.Query()
	for name, want := range map[string]string{"response_type": "code", "client_id": "workbench", "code_challenge_method": "S256",
		"redirect_uri": p.back} {
		if q.Get(name) != want {
			p.t.Fatalf("%s is %q, want %q", name, q.Get(name), want)
		}
	}
	if len(q.Get("state")) < 20 || len(q.Get("nonce")) < 20 || len(q.Get("code_challenge")) < 40 {
		p.t.Fatalf("guessable: %s", to)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	code = rand.Text()
	p.codes[code] = q
	return code, q.Get("state")
}

func (p *idp) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.FormValue("client_id"), r.FormValue("client_secret")
	}
	asked, ok := p.codes[r.FormValue("code")]
	delete(p.codes, r.FormValue("code"))
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !ok || id != "workbench" || secret != "client-secret" || b64(sum[:]) != asked.Get("code_challenge") ||
		r.FormValue("redirect_uri") != asked.Get("redirect_uri") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		sayJSON(w, map[string]string{"error": "invalid_grant"})
		return
	}
	claims := map[string]any{
		"iss": p.server.URL, "sub": "ann-1", "aud": "workbench", "exp": testNow.Add(time.Hour).
			Unix(), "iat": testNow.Unix(), "nonce": asked.Get("nonce"),
		"email": "ann@team.example", "email_verified": true, "groups": []string{"staff"},
	}
	var whole []byte
	if p.change != nil {
		whole = p.change(claims)
	}
	signed := string(whole)
	if whole == nil {
		signed = p.sign(claims)
	}
	w.Header().Set("Content-Type", "application/json")
	sayJSON(w, map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": signed})
}

func (p *idp) sign(claims map[string]any) string {
	body, err := json.Marshal(claims)
	if err != nil {
		p.t.Error(err)
	}
	text := b64([]byte(`{"alg":"RS256","kid":"k1","typ":"JWT"}`)) + "." + b64(body)
	sum := sha256.Sum256([]byte(text))
	key := p.signer
	if key == nil {
		key = p.key
	}
	sig, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		p.t.Error(err)
	}
	return text + "." + b64(sig)
}

// withIDP is a server whose people sign in at a provider.
func withIDP(t *testing.T, more string) (*client, *idp, team) {
	t.Helper()
	p := newIDP(t)
	p.back = "https://bench.example" + requests.Prefix + requests.BackPath
	w := freshWith(t,
		fmt.Sprintf("oidc:\n  issuer: %s\n  client_id: workbench\n  client_secret_env: OIDC_SECRET\n  public_url: "+
			"https://bench.example\n  allowed_domains: [team.example]\n%s", p.server.URL, more))
	people, err := apppeople.NewPeople(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	people.Cost = apppeople.PasswordCost{Passes: 1, KiB: 8, Threads: 1}
	c := serve(t, Options{Workbench: w, SignIn: true, People: people, Rate: often, TLS: true, Hosts: []string{"bench.example"}})
	return c, p, team{workbench: w, people: people}
}

// goes begins a sign-in and returns where the browser is sent, and its cookie.
func (c *client) goes() (to, cookie string) {
	c.t.Helper()
	status, header, body := c.with("").do("GET", requests.Prefix+requests.OidcPath, "")
	if status != http.StatusSeeOther {
		c.t.Fatalf("begin = %d %s", status, body)
	}
	set := header.Get("Set-Cookie")
	for _, part := range []string{"__Host-wb-oidc=", "HttpOnly", "Secure", "SameSite=Lax", "Max-Age=600"} {
		if !strings.Contains(set, part) {
			c.t.Errorf("the cookie %q lacks %s", set, part)
		}
	}
	cookie, _, _ = strings.Cut(set, ";")
	return header.Get("Location"), cookie
}

// comes returns from the provider and says where the browser is sent, and its session.
func (c *client) comes(cookie, query string) (to, session string) {
	c.t.Helper()
	// The visit comes from the provider's site: a plain navigation, which carries Lax cookies only.
	c.with(cookie).header["Sec-Fetch-Site"] = "cross-site"
	status, header, body := c.do("GET", requests.Prefix+requests.BackPath+"?"+query, "")
	if status != http.StatusSeeOther {
		c.t.Fatalf("back = %d %s", status, body)
	}
	for _, set := range header.Values("Set-Cookie") {
		if value, _, _ := strings.Cut(set, ";"); strings.HasPrefix(value, "__Host-wb=") {
			session = value
		}
	}
	return header.Get("Location"), session
}

func TestSignInWithAProvider(t *testing.T) {
	t.Parallel()
	c, p,
		x := withIDP(t,
		"  name: Team login\n  default_role: viewer\n  role_claim: groups\n  roles: {bench-admins: admin, bench-editors: editor}\n")
	if me := c.me(); me.Provider != "Team login" {
		t.Errorf("%+v", me)
	}
	enter := func() (string, string) {
		to, cookie := c.goes()
		code, state := p.authorize(to)
		return c.comes(cookie, "code="+code+"&state="+state+"&session_state=x&iss="+url.QueryEscape(p.server.URL))
	}
	to, session := enter()
	if me := c.with(session).me(); to != "/" || me.Role != requests.Viewer || me.Name != "ann@team.example" || me.Kind != "account" {
		t.Fatalf("sent to %s; %+v", to, me)
	}
	first := c.me().Account
	p.change = func(claims map[string]any) []byte { claims["groups"] = []string{"staff", "bench-editors"}; return nil }
	_, session = enter()
	if me := c.with(session).me(); me.Role != requests.Editor || me.Account != first {
		t.Errorf("%+v", me)
	}
	if _, err := x.people.SetDisabled(t.Context(), first, true); err != nil {
		t.Fatal(err)
	}
	if to, session := enter(); to != "/?problem=sign_in_failed" || session != "" {
		t.Errorf("somebody disabled was sent to %s", to)
	}
	entries, _, err := x.people.Audit(t.Context(), experiments.AuditFilter{Action: experiments.AuditSignIn})
	if err != nil || len(entries) != 3 || entries[0].Outcome != experiments.AuditFailed || entries[1].Name != "ann@team.example" {
		t.Errorf("%+v %v", entries, err)
	}
}

// Everything about a token that is not as it should be lets nobody in.
func TestProvidersAreNotBelievedBlindly(t *testing.T) {
	t.Parallel()
	c, p, _ := withIDP(t, "  default_role: viewer\n")
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	set := func(name string, value any) func(map[string]any) []byte {
		return func(claims map[string]any) []byte { claims[name] = value; return nil }
	}
	unsigned := func(header string) func(map[string]any) []byte {
		return func(claims map[string]any) []byte {
			body, _ := json.Marshal(claims)
			return []byte(b64([]byte(header)) + "." + b64(body) + ".")
		}
	}
	for name, test := range map[string]struct {
		change func(map[string]any) []byte
		signer *rsa.PrivateKey
		query  func(code, state string) string
		cookie func(string) string
		code   string
	}{
		"wrong nonce":          {change: set("nonce", "another"), code: "oidc_refused"},
		"no nonce":             {change: set("nonce", nil), code: "oidc_refused"},
		"wrong audience":       {change: set("aud", "another client"), code: "oidc_refused"},
		"wrong issuer":         {change: set("iss", "https://evil.example"), code: "oidc_refused"},
		"expired":              {change: set("exp", testNow.Add(-time.Minute).Unix()), code: "oidc_refused"},
		"not yet":              {change: set("nbf", testNow.Add(time.Hour).Unix()), code: "oidc_refused"},
		"another key":          {signer: other, code: "oidc_refused"},
		"no signature":         {change: unsigned(`{"alg":"none"}`), code: "oidc_refused"},
		"symmetric signature":  {change: unsigned(`{"alg":"HS256","kid":"k1"}`), code: "oidc_refused"},
		"no token":             {change: func(map[string]any) []byte { return []byte{} }, code: "oidc_refused"},
		"unknown domain":       {change: set("email", "ann@evil.example"), code: "oidc_domain"},
		"domain at the front":  {change: set("email", "team.example@evil.example"), code: "oidc_domain"},
		"longer domain":        {change: set("email", "ann@notteam.example"), code: "oidc_domain"},
		"unverified address":   {change: set("email_verified", false), code: "oidc_email"},
		"no address":           {change: set("email", nil), code: "oidc_email"},
		"wrong state":          {query: func(code, _ string) string { return "code=" + code + "&state=guess" }, code: "oidc_state"},
		"no state":             {query: func(code, _ string) string { return "code=" + code }, code: "oidc_state"},
		"another browser":      {cookie: func(string) string { return "" }, code: "oidc_state"},
		"broken cookie":        {cookie: func(string) string { return "__Host-wb-oidc=eyJ9" }, code: "oidc_state"},
		"another code":         {query: func(_, state string) string { return "code=guess&state=" + state }, code: "oidc_refused"},
		"the provider says no": {query: func(_, state string) string { return "error=access_denied&state=" + state }, code: "oidc_refused"},
		"mix-up": {query: func(code, state string) string {
			return "code=" + code + "&state=" + state + "&iss=https://evil.example"
		}, code: "oidc_refused"},
	} {
		p.change, p.signer = test.change, test.signer
		// The limit on sign-ins has a test of its own.
		c.server.access.Limits = requests.NewLimits(often)
		to, cookie := c.goes()
		code, state := p.authorize(to)
		query := "code=" + code + "&state=" + state
		if test.query != nil {
			query = test.query(code, state)
		}
		if test.cookie != nil {
			cookie = test.cookie(cookie)
		}
		if to, session := c.comes(cookie, query); to != "/?problem="+test.code || session != "" {
			t.Errorf("%s: sent to %s with session %q, want %s", name, to, session, test.code)
		}
	}
	// A code works once, and only with the verifier of the browser that began.
	p.change, p.signer = nil, nil
	c.server.access.Limits = requests.NewLimits(often)
	to, cookie := c.goes()
	code, state := p.authorize(to)
	_, others := c.goes()
	if to, _ := c.comes(others, "code="+code+"&state="+state); to != "/?problem=oidc_state" {
		t.Errorf("with the cookie of another sign-in: %s", to)
	}
	if to, _ := c.comes(cookie, "code="+code+"&state="+state); to != "/" {
		t.Errorf("the honest one: %s", to)
	}
	if to, _ := c.comes(cookie, "code="+code+"&state="+state); to != "/?problem=oidc_refused" {
		t.Errorf("the same code again: %s", to)
	}
}

func TestConfigurationOfAProvider(t *testing.T) {
	t.Parallel()
	good := "issuer: https://idp.example, client_id: c, public_url: https://bench.example"
	for text, field := range map[string]string{
		good: "", good + ", default_role: viewer, allowed_domains: [a.example]": "",
		good + ", default_role: viewer": "oidc.allowed_domains", good +
			", default_role: king, allowed_domains: [a.example]": "oidc.default_role",
		good + ", role_claim: g, roles: {x: king}":                                         "oidc.roles",
		"issuer: http://idp.example, client_id: c, public_url: https://bench.example":      "oidc.issuer",
		"issuer: https://u:p@idp.example, client_id: c, public_url: https://bench.example": "oidc.issuer",
		"issuer: https://idp.example, public_url: https://bench.example":                   "oidc.client_id",
		"issuer: https://idp.example, client_id: c, public_url: http://bench.example":      "oidc.public_url",
		"issuer: https://idp.example, client_id: c":                                        "oidc.public_url",
		"issuer: http://127.0.0.1:9000, client_id: c, public_url: http://localhost:7700":   "",
	} {
		w, err := openWith(t, "oidc: {"+text+"}\n")
		got := ""
		if err != nil {
			got, _ = problem.From(err).Params["field"].(string)
		} else if err := w.Close(); err != nil {
			t.Error(err)
		}
		if got != field {
			t.Errorf("%s: %v, want %q", text, err, field)
		}
	}
	w := freshWith(t, "oidc: {"+good+", client_secret_env: NOT_SET}\n")
	if _, err := New(Options{Workbench: w, SignIn: true, Now: func() time.Time { return testNow }}); err == nil ||
		!strings.Contains(err.Error(), "NOT_SET") {
		t.Errorf("a secret that is not set: %v", err)
	}
	off := serve(t, Options{Workbench: freshWith(t, "oidc: {"+good+"}\n")})
	if p := off.refused("GET", requests.OidcPath, "", http.StatusNotFound); p.Code != "oidc_off" {
		t.Errorf("where nobody signs in: %+v", p)
	}
}

// freshWith is an empty workbench with a configuration file of the test's own.
func freshWith(t *testing.T, config string) *app.Workbench {
	t.Helper()
	w, err := openWith(t, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func openWith(t *testing.T, config string) (*app.Workbench, error) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "workbench.yaml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return app.Open(t.Context(), app.Options{
		DataDir: filepath.Join(dir, "data"), ConfigPath: path, Now: func() time.Time { return testNow },
		Getenv: func(name string) string { return map[string]string{"OIDC_SECRET": "client-secret"}[name] },
	})
}
