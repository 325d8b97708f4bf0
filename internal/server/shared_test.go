package server

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/app/sharing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// opened is a shared page as somebody without an account sees it.
func (c *client) opened(path string) (int, http.Header, string) {
	c.t.Helper()
	token := c.token
	defer func() { c.token = token }()
	c.token = ""
	return c.do(http.MethodGet, path, "")
}

// shares makes a link and returns it with its path.
func (c *client) shares(body string) api.MadeShare {
	c.t.Helper()
	var made api.MadeShare
	c.send(http.MethodPost, "/shares", body, http.StatusOK, &made)
	if !regexp.MustCompile(`^/shared/wbp_[A-Za-z0-9_-]{43}$`).MatchString(made.Path) {
		c.t.Fatalf("the path is %q", made.Path)
	}
	return made
}

var frame = regexp.MustCompile(`(?s)<div class="shared" role="note">.*?</div>\n|<meta name="robots"[^\n]*\n`)

// TestASharedPage is the report, byte for byte, below a frame that says what it is, in the language of the reader.
func TestASharedPage(t *testing.T) {
	t.Parallel()
	w := demoed(t)
	c := serve(t, Options{Workbench: w.workbench})
	pair := fmt.Sprintf(`"baseline": %q, "candidate": %q`, w.before().ID, w.after().ID)
	made := c.shares(`{"kind": "comparison", ` + pair + `, "texts": true}`)
	if s := made.Share; s.ExpiresAt != testNow.Add(14*24*time.Hour) || s.MadeBy == "" || !slices.Equal(s.Runs,
		[]string{w.before().ID, w.after().ID}) || !strings.Contains(s.Title, " → ") {
		t.Errorf("%+v", s)
	}
	_, _, report := c.do(http.MethodGet,
		requests.Prefix+"/comparisons/report.html?lang=en&baseline="+w.before().ID+"&candidate="+w.after().ID, "")
	status, header, body := c.opened(made.Path)
	if status != http.StatusOK || frame.ReplaceAllString(body, "") != report || !strings.Contains(body, "works until 2026-12-04") {
		t.Errorf("%d, %d bytes, the report has %d", status, len(body), len(report))
	}
	for name, want := range map[string]string{
		"Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow, noarchive",
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Vary": "Accept-Language", "Set-Cookie": "",
		"Content-Type": "text/html; charset=utf-8",
	} {
		if got := header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if csp := header.Get("Content-Security-Policy"); !regexp.MustCompile(
		`^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'; sandbox$`).MatchString(csp) {
		t.Error(csp)
	}
	for _, wanted := range [][3]string{ // Accept-Language, query, language
		{"", "", "en"}, {"ja,en;q=0.8", "", "ja"}, {"fr, en;q=0.3, ja-JP;q=0.5", "", "ja"}, {"ja;q=0, en", "", "en"}, {"fr", "", "en"},
		{"ja", "?lang=en", "en"}, {"en", "?lang=ja", "ja"}, {"ja;q=x", "?lang=fr", "en"},
	} {
		c.header = map[string]string{"Accept-Language": wanted[0]}
		if _, _, body := c.opened(made.Path + wanted[1]); !strings.Contains(body, `<html lang="`+wanted[2]+`">`) {
			t.Errorf("%q is not in %s", wanted[:2], wanted[2])
		}
	}
	c.header = nil
	own := c.shares(`{"kind": "comparison", ` + pair + `, "texts": true, "min": ["correctness >= 4"], "margin": "0.2", "allowance": 0.5}`)
	_, _, limited := c.do(http.MethodGet, requests.Prefix+"/comparisons/report.html?lang=en&baseline="+w.before().ID+"&candidate="+
		w.after().ID+"&min=correctness+%3E%3D+4&margin=0.2&allowance=0.5", "")
	if _, _, body := c.opened(own.Path); frame.ReplaceAllString(body, "") != limited ||
		!strings.Contains(body, "at most 50% of the answers are allowed to be worse") {
		t.Errorf("a link with limits has %d bytes, the report with them %d", len(body), len(limited))
	}
	alone := c.shares(fmt.Sprintf(`{"kind": "run", "candidate": %q, "days": 1}`, w.after().ID))
	if alone.Share.Texts || len(alone.Share.Runs) != 1 || alone.Share.ExpiresAt != testNow.Add(24*time.Hour) {
		t.Errorf("%+v", alone.Share)
	}
	for body, code := range map[string]string{
		`{"kind": "run", "candidate": "nobody"}`: "run_unknown", `{"kind": "notebook", "notebook": "none"}`: "notebook_unknown",
		`{"kind": "comparison", "baseline": "` + w.after().ID + `", "candidate": "` + w.after().ID + `"}`:               "share_alone",
		`{"kind": "run", "candidate": "` + w.after().ID + `", "allowance": 0.5}`:                                        "limits_alone",
		`{"kind": "comparison", ` + pair + `, "margin": "2"}`:                                                           "margin",
		`{"kind": "beside", "baseline": "` + w.before().ID + `", "beside": ["` + w.after().ID + `"], "allowance": 0.5}`: "share_limits",
		`{"kind": "notebook", "notebook": "none", "min": ["correctness >= 4"]}`:                                         "share_limits",
	} {
		if status, _, got := c.do(http.MethodPost, requests.Prefix+"/shares", body); status < 400 || !strings.Contains(got, `"`+code+`"`) {
			t.Errorf("%s = %d %s, want %s", body, status, got, code)
		}
	}
}

// TestASharedPageHoldsNoTextThatIsHidden: of all the texts that the demo knows, none stands in the bytes.
func TestASharedPageHoldsNoTextThatIsHidden(t *testing.T) {
	t.Parallel()
	w := demoed(t)
	c, _ := desk(t)
	c.send(http.MethodPost, "/notebooks", `{"name": "told", "text": `+jsonOf(t, told(w))+`}`, http.StatusOK, nil)
	texts := map[string]bool{}
	for _, id := range []string{w.before().ID, w.after().ID} {
		e, err := w.workbench.Evaluation(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range e.Questions {
			for _, s := range append([]string{q.Text, q.Reference}, q.References...) {
				texts[s] = true
			}
			if a := e.Results[i].Answer; a != nil {
				texts[a.Text] = true
				for _, h := range a.Hits {
					texts[h.Text] = true
				}
			}
			for _, s := range e.Results[i].Scores {
				texts[s.Reason] = true
			}
		}
	}
	begins := map[string]bool{}
	for text := range texts {
		if of := []rune(inPage.Replace(text)); len(of) > beginning {
			begins[string(of[:beginning])] = true
		}
	}
	pair := fmt.Sprintf(`"baseline": %q, "candidate": %q`, w.before().ID, w.after().ID)
	for _, what := range []string{`"kind": "comparison", ` + pair, `"kind": "run", "candidate": "` + w.after().ID + `"`,
		`"kind": "beside", "baseline": "` + w.before().ID + `", "beside": ["` + w.after().ID + `"]`,
		`"kind": "notebook", "notebook": "told"`} {
		found := map[bool]int{}
		for _, shown := range []bool{true, false} {
			path := c.shares(fmt.Sprintf(`{%s, "texts": %t}`, what, shown)).Path
			for _, lang := range []string{"en", "ja"} {
				status, _, body := c.opened(path + "?lang=" + lang)
				if status != http.StatusOK {
					t.Fatalf("%s = %d", what, status)
				}
				held := heldIn(body, begins)
				found[shown] += len(held)
				if !shown && len(held) > 0 {
					t.Errorf("%s in %s holds %q", what, lang, held)
				}
			}
		}
		if found[true] < 4 {
			t.Errorf("%s with texts holds %d of them", what, found[true])
		}
	}
}

// told is a notebook that shows texts in every way that a cell can.
func told(w world) string {
	return fmt.Sprintf("---\nragnb: 1\ntitle: Told\nlang: [en, ja]\n---\n\nAsked: {{one.question}}\n\n"+
		"```rag failures low\nof: run:%[2]s\nlimit: 20\n```\n\n```rag question one\nof: run:%[2]s\nid: %[3]q\n```\n\n"+
		"```rag compare both\nbaseline: run:%[1]s\ncandidate: run:%[2]s\n```\n\n```rag report all\nof: run:%[1]s\n```\n",
		w.before().ID, w.after().ID, w.Question)
}

// inPage writes a text as a page has it.
var inPage = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "+", "&#43;")

// beginning is how many characters of a text tell it from all that pages say themselves.
const beginning = 24

// heldIn is which beginnings of texts stand in a page. There are thousands of them, so that the page is gone through once.
func heldIn(page string, begins map[string]bool) []string {
	held, starts := map[string]bool{}, []int{}
	for at := range page + "$" { // the end is where a character could begin
		if starts = append(starts, at); len(starts) > beginning {
			if of := page[starts[len(starts)-1-beginning]:at]; begins[of] {
				held[of] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(held))
}

// linked is a team whose server shows pages, with a link, and the clock that all of them go by.
func linked(t *testing.T) (*client, team, *apptest.Watch, sharing.Sharing, string) {
	t.Helper()
	x, watch := newTeam(t, fresh(t)), &apptest.Watch{Time: testNow}
	x.workbench.Config.ShareLinks = true
	o := x.options()
	o.Now, o.People = watch.Now, people.PeopleAt(x.workbench, watch.Now)
	c := serve(t, o)
	return c, x, watch, c.server.sharing, planted(t, c, "one")
}

// planted is the path of a link to a page of one line.
func planted(t *testing.T, c *client, id string) string {
	t.Helper()
	secret := people.NewSecret("wbp_")
	page := []byte("<html lang=\"en\"><style>b{}</style><b>the page of " + id + "</b></html>")
	if err := c.server.Workbench.Whole.CreateShare(context.Background(), experiments.Share{
		ID: id, Hash: people.HashOf(secret), Kind: experiments.ShareRun, Title: id, MadeBy: "Ann", CreatedAt: c.server.Now(),
		ExpiresAt: c.server.Now().Add(24 * time.Hour), Pages: map[string][]byte{"en": page, "ja": page},
	}); err != nil {
		t.Fatal(err)
	}
	return sharing.Path(secret)
}

// answer is what somebody gets, but for what differs from request to request.
func answer(status int, header http.Header, body string) string {
	kept := http.Header{}
	for name, values := range header {
		if name != "Date" && name != "X-Request-Id" {
			kept[name] = values
		}
	}
	return fmt.Sprint(status, kept, body)
}

// TestALinkReachesItsPageAlone asks every route with every method, the secret of a link in every place where a request can carry one:
// each answer is that to somebody with a secret that opens nothing.
func TestALinkReachesItsPageAlone(t *testing.T) {
	t.Parallel()
	c, x, _, _, path := linked(t)
	right := strings.TrimPrefix(path, sharing.PathPrefix)
	wrong := people.NewSecret("wbp_")
	methods := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions}
	paths := []string{"/", "/metrics", "/healthz", "/shared", "/shared/", "/api/v1", "/assets/x", "/people"}
	for _, r := range c.server.routes {
		if p := requests.Prefix + r.Path; !slices.Contains(paths, p) && !strings.HasSuffix(p, "/events") {
			paths = append(paths, p)
		}
	}
	asked := 0
	ask := func(method, path, secret string, place int) string {
		c.token, c.header = "", map[string]string{}
		query := ""
		switch place {
		case 0:
			c.token = secret
		case 1:
			c.header["Cookie"] = "wb=" + secret + "; __Host-wb=" + secret + "; share=" + secret
		case 2:
			query = "?share=" + secret
		case 3:
			c.header["X-Share"], c.header["X-Api-Key"], c.header["Referer"] = secret, secret, c.url+sharing.Path(secret)
		}
		asked++
		status, header, body := c.do(method, parameter.ReplaceAllString(path, secret)+query, "")
		return strings.ReplaceAll(answer(status, header, body), secret, "SECRET")
	}
	for _, path := range paths {
		for _, method := range methods {
			for place := range 4 {
				if got, nobody := ask(method, path, right, place), ask(method, path, wrong, place); got != nobody {
					t.Errorf("%s %s with the secret in place %d:\n%.300s\nand with a wrong one\n%.300s", method, path, place, got, nobody)
				}
				if method != http.MethodGet && place > 0 {
					break // the other places with one method are enough
				}
			}
		}
	}
	c.token, c.header = "", nil
	for _, method := range methods {
		status, _, body := c.do(method, path, "")
		if shown := status == http.StatusOK && strings.Contains(body, "the page of one"); shown != (method == http.MethodGet) {
			t.Errorf("%s of the page = %d %s", method, status, body)
		}
	}
	for _, deeper := range []string{"/", "/x", "/../../api/v1/runs", "%2F..%2Fapi"} {
		if _, _, body := c.do(http.MethodGet, path+deeper, ""); strings.Contains(body, "the page of one") {
			t.Errorf("%s shows the page", deeper)
		}
	}
	if asked < 1500 {
		t.Errorf("only %d requests", asked)
	}
	entries, _, err := x.people.Audit(t.Context(), experiments.AuditFilter{Outcome: experiments.AuditDone})
	for _, e := range entries {
		if e.Action != "share.open" {
			t.Errorf("it did %+v", e)
		}
	}
	if err != nil || len(entries) != 1 || strings.Contains(fmt.Sprint(entries), right) {
		t.Errorf("%+v, %v", entries, err)
	}
}

// TestLinksThatOpenNothingLookAlike: unknown, expired, revoked, and where links are not allowed.
func TestLinksThatOpenNothingLookAlike(t *testing.T) {
	t.Parallel()
	c, x, watch, _, expired := linked(t)
	opens := func(path string) string { return answer(c.opened(path)) }
	unknown := opens(sharing.Path(people.NewSecret("wbp_")))
	if !strings.HasPrefix(unknown, "404 ") || !strings.Contains(unknown, "opens nothing") ||
		!strings.Contains(opens(expired), "the page of one") {
		t.Fatal(unknown)
	}
	watch.Add(12 * time.Hour)
	revoked, kept := planted(t, c, "two"), planted(t, c, "three")
	c.token = x.tokens[requests.Editor]
	c.send(http.MethodDelete, "/shares/two", "", http.StatusNoContent, nil)
	c.refused(http.MethodDelete, "/shares/none", "", http.StatusNotFound)
	watch.Add(12 * time.Hour)
	x.workbench.Config.ShareLinks = true
	for name, path := range map[string]string{"expired": expired, "revoked": revoked, "short": "/shared/x", "long": "/shared/" +
		strings.Repeat("x", 4000)} {
		if got := opens(path); got != unknown {
			t.Errorf("%s: %s\nwant %s", name, got, unknown)
		}
	}
	var list api.Shares
	c.get("/shares", &list)
	if len(list.Items) != 2 || list.Items[1].RevokedAt.IsZero() || !list.Allowed || list.MaxDays != sharing.MaxDays {
		t.Errorf("%+v", list)
	}
	if !strings.Contains(opens(kept), "the page of three") {
		t.Error("the third link does not open")
	}
	x.workbench.Config.ShareLinks = false
	if got := opens(kept); got != unknown {
		t.Errorf("not allowed: %s", got)
	}
	if p := c.refused(http.MethodPost, "/shares", `{"kind": "run", "candidate": "x"}`, http.StatusConflict); p.Code != "sharing_off" {
		t.Errorf("%+v", p)
	}
	c.header = map[string]string{"Accept-Language": "ja"}
	if _, _, body := c.opened(kept); !strings.Contains(body, "このリンクではページを開けません") || !strings.Contains(body, `href="?lang=en"`) {
		t.Error(body)
	}
}

// TestSecretsOfPagesAreNotGuessed: who tries many links that open nothing has to wait, also for one that opens something.
func TestSecretsOfPagesAreNotGuessed(t *testing.T) {
	t.Parallel()
	c, _, watch, _, path := linked(t)
	for range 60 {
		if status, _, _ := c.opened(path); status != http.StatusOK {
			t.Fatalf("a link that opens its page counts as a try: %d", status)
		}
	}
	for i := range 30 {
		if status, _, _ := c.opened("/shared/wrong"); status != http.StatusNotFound {
			t.Fatalf("try %d = %d", i, status)
		}
	}
	for _, tried := range []string{"/shared/wrong", path} {
		if status, header, body := c.opened(tried); status != http.StatusTooManyRequests || header.Get("Retry-After") != "6" ||
			strings.Contains(body, "the page of one") {
			t.Errorf("%d %v %s", status, header, body)
		}
	}
	watch.Add(6 * time.Second)
	if status, _, _ := c.opened(path); status != http.StatusOK {
		t.Errorf("after waiting: %d", status)
	}
}

// TestSharesAreWrittenDown: who made and revoked them, and the first, tenth, hundredth opening.
func TestSharesAreWrittenDown(t *testing.T) {
	t.Parallel()
	c, x, _, _, path := linked(t)
	for range 12 {
		if status, _, _ := c.opened(path); status != http.StatusOK {
			t.Fatal(status)
		}
	}
	c.token = x.tokens[requests.Editor]
	c.send(http.MethodDelete, "/shares/one", "", http.StatusNoContent, nil)
	entries, _, err := x.people.Audit(t.Context(), experiments.AuditFilter{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprintf("%s %s %s | %s", e.Kind, e.Action, e.Target, e.Detail))
	}
	what := `one run "one", without texts, until 2026-11-21 09:00`
	want := []string{"token delete-shares-id /shares/one | " + what, "nobody share.open " + what + " | opened 10×",
		"nobody share.open " + what + " | opened 1×"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}
