package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
)

const hookConfig = "notifications: {channels: {hook: {kind: webhook, url_env: HOOK_URL, allow_private: %v}}}\n"

func (n *notified) queue(t *testing.T, about, channel string, kind experiments.NoticeKind) experiments.Notice {
	t.Helper()
	notice := newNotice(n.World.Workbench, about, channel, kind, n.now())
	if added, err := n.Whole.AddNotices(t.Context(), []experiments.Notice{notice}); err != nil || added != 1 {
		t.Fatalf("the message was not stored: %v", err)
	}
	return notice
}

func (n *notified) one(t *testing.T) experiments.Notice {
	t.Helper()
	all, _, err := n.Whole.Notices(t.Context(), experiments.NoticeFilter{}, experiments.Part{Sort: "created_at", Down: true})
	if err != nil || len(all) != 1 {
		t.Fatalf("%d messages (%v); want 1", len(all), err)
	}
	return all[0]
}

// TestRetries: a receiver that fails twice gets the message at the third attempt, once; the waits grow; nothing is sent early.
func TestRetries(t *testing.T) {
	t.Parallel()
	h := newHook(t, 500, 503)
	n := newNotified(t, fmt.Sprintf(hookConfig, true), map[string]string{"HOOK_URL": h.URL})
	n.queue(t, "fire", "hook", experiments.NoticeAlert)
	start := n.now()
	for _, step := range []struct {
		after    time.Duration
		requests int
	}{{0, 1}, {59 * time.Second, 1}, {time.Minute, 2}, {5 * time.Minute, 2}, {6*time.Minute + time.Second, 3}, {48 * time.Hour, 3}} {
		n.set(start.Add(step.after))
		if _, err := NewNotifier(n.World.Workbench).Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := len(h.requests()); got != step.requests {
			t.Fatalf("after %s there were %d requests; want %d", step.after, got, step.requests)
		}
	}
	got := n.one(t)
	var outcomes, ids []string
	for _, a := range got.Attempts {
		outcomes = append(outcomes, a.Outcome)
	}
	for _, r := range h.requests() {
		ids = append(ids, r.header.Get(headerDelivery))
	}
	if got.State != experiments.NoticeDelivered || !slices.Equal(outcomes, []string{"http_500", "http_503", "delivered"}) ||
		!slices.Equal(ids, []string{got.ID, got.ID, got.ID}) {
		t.Errorf("the message is %s after %v, with the ids %v", got.State, outcomes, ids)
	}
}

// TestGivingUp: some replies are final; others are tried for a day.
func TestGivingUp(t *testing.T) {
	t.Parallel()
	for status, attempts := range map[int]int{404: 1, 410: 1, 307: 1, 401: len(noticeDelays) + 1, 500: len(noticeDelays) + 1,
		429: len(noticeDelays) + 1} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			h := newHook(t, slices.Repeat([]int{status}, 20)...)
			n := newNotified(t, fmt.Sprintf(hookConfig, true), map[string]string{"HOOK_URL": h.URL})
			n.queue(t, "fire", "hook", experiments.NoticeAlert)
			for range 40 {
				if _, err := NewNotifier(n.World.Workbench).Deliver(t.Context()); err != nil {
					t.Fatal(err)
				}
				n.set(n.now().Add(time.Hour))
			}
			if got := n.one(t); got.State != experiments.NoticeGivenUp || len(got.Attempts) != attempts || len(h.requests()) != attempts {
				t.Errorf("the message is %s after %d attempts and %d requests; want %d", got.State, len(got.Attempts),
					len(h.requests()), attempts)
			}
		})
	}
}

// TestAKilledServer: a message whose server was killed in the middle of an attempt is sent again, with the same id, and the log says that
// nobody knows about the first time.
func TestAKilledServer(t *testing.T) {
	t.Parallel()
	h := newHook(t)
	n := newNotified(t, fmt.Sprintf(hookConfig, true), map[string]string{"HOOK_URL": h.URL})
	notice := n.queue(t, "fire", "hook", experiments.NoticeAlert)
	if _, found, err := n.Whole.ClaimNotice(t.Context(), "", "killed", n.now(), n.now().Add(noticeClaim)); !found || err != nil {
		t.Fatalf("not claimed: %v", err)
	}
	for _, after := range []time.Duration{time.Minute, noticeClaim, time.Hour} {
		n.set(notice.CreatedAt.Add(after))
		if _, err := NewNotifier(n.World.Workbench).Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	got := n.one(t)
	if len(h.requests()) != 1 || len(got.Attempts) != 2 || got.Attempts[0].Outcome != experiments.AttemptInterrupted ||
		got.Attempts[1].Outcome != experiments.AttemptDelivered {
		t.Errorf("%d requests, attempts %v", len(h.requests()), got.Attempts)
	}
}

// TestGuard: an address inside is not reached unless the configuration allows it, however it is written; where clouds keep
// credentials it is never reached.
func TestGuard(t *testing.T) {
	t.Parallel()
	h := newHook(t)
	port := h.Listener.Addr().(*net.TCPAddr).Port
	n := newNotified(t, fmt.Sprintf(hookConfig, false), nil)
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1", "2130706433"} {
		n.Env["HOOK_URL"] = fmt.Sprintf("https://%s:%d/", host, port)
		n.set(n.now().Add(time.Second))
		got, err := TestChannel(t.Context(), n.World.Workbench, "hook")
		if err != nil || got.State != experiments.NoticeGivenUp {
			t.Errorf("%s: the message is %s (%v)", host, got.State, err)
		}
		if code := got.Attempts[0].Outcome; code != "address_refused" && code != "host_unknown" {
			t.Errorf("%s: the outcome is %s", host, code)
		}
	}
	if got := len(h.requests()); got != 0 {
		t.Errorf("%d requests arrived", got)
	}
	for addr, allowed := range map[string]bool{
		"127.0.0.1": true, "10.1.2.3": true, "::1": true, "fd12::1": true, "8.8.8.8": true, "::ffff:192.168.1.1": true,
		"169.254.169.254": false, "::ffff:169.254.169.254": false, "fd00:ec2::254": false, "168.63.129.16": false, "0.0.0.0": false,
		"224.0.0.1": false, "fe80::1%eth0": false,
	} {
		if err := guardOf(true)(netip.MustParseAddr(addr)); (err == nil) != allowed {
			t.Errorf("with private addresses allowed, %s: %v", addr, err)
		}
	}
}

// TestSecretsAreNotTold: neither an address nor a key comes out of anything that goes wrong.
func TestSecretsAreNotTold(t *testing.T) {
	t.Parallel()
	closed := newHook(t)
	address := closed.URL
	closed.Close()
	n := newNotified(t, fmt.Sprintf(hookConfig, true), nil)
	for value, outcome := range map[string]string{
		address + "/token-abc": "connection", "http://host.invalid/token-abc": "host_unknown",
		"ftp://example.org/token-abc":         "channel_secret",
		"https://user:token-abc@example.org/": "channel_secret", "https://example.org/token-abc#x": "channel_secret", "": "channel_secret",
		strings.Replace(address, "http:", "https:", 1) + "/token-abc": "connection", "https://example.org/\r\ntoken-abc": "channel_secret",
	} {
		n.Env["HOOK_URL"] = value
		n.set(n.now().Add(time.Second))
		got, err := TestChannel(t.Context(), n.World.Workbench, "hook")
		if err != nil || got.Attempts[0].Outcome != outcome {
			t.Errorf("%q: %v, %v; want %s", value, got.Attempts, err, outcome)
		}
		body, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(body)+n.log(), "token-abc") {
			t.Errorf("%q is told: %s\n%s", value, body, n.log())
		}
	}
}

// TestManyServersSendOnce: what several servers store and deliver at the same time arrives once.
func TestManyServersSendOnce(t *testing.T) {
	t.Parallel()
	const servers, fires = 3, 12
	h := newHook(t)
	config := fmt.Sprintf(hookConfig, true)
	n := newNotified(t, config, map[string]string{"HOOK_URL": h.URL})
	s := experiments.Schedule{Name: "weekly", Zone: "UTC", Notify: []string{"hook"}, Ping: "hook"}
	var all []experiments.Fire
	for i := range fires {
		f := timetable.NewFire("weekly", n.now().Add(time.Duration(i)*time.Minute), experiments.FireRan)
		f.NewlyWorse = []string{"q1"}
		if _, err := n.Whole.AddFire(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	var wg sync.WaitGroup
	var made atomic.Int64
	for i := range servers {
		w := n.open2(t, config)
		w.Owner = fmt.Sprint("server ", i)
		wg.Go(func() {
			for _, f := range all {
				if err := Notify(context.Background(), w, s, f); err != nil {
					t.Error(err)
				}
				some, err := NewNotifier(w).Deliver(context.Background())
				if err != nil {
					t.Error(err)
				}
				made.Add(int64(some))
			}
		})
	}
	wg.Wait()
	if _, err := NewNotifier(n.World.Workbench).Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, r := range h.requests() {
		seen[r.header.Get(headerDelivery)]++
	}
	if len(seen) != 2*fires || len(h.requests()) != 2*fires {
		t.Errorf("%d servers made %d requests for %d messages; want %d of each", servers, len(h.requests()), len(seen), 2*fires)
	}
}

// TestSignature compares with a value that another program computed: hmac.new(b"hook-key-123", b"1795000000." + body, "sha256").
func TestSignature(t *testing.T) {
	t.Parallel()
	const want = "t=1795000000,v1=c6bbc72d21e69550ffe02c61859e1f3bc906808ba01066a17eb7cb95c9ab33a3"
	if got := signature("hook-key-123", time.Unix(1795000000, 987654321), []byte(`{"version":1,"text":"悪化"}`)); got != want {
		t.Errorf("the signature is %s; want %s", got, want)
	}
}

// TestServeNotices delivers what another process has stored, and ends when it is told to.
func TestServeNotices(t *testing.T) {
	t.Parallel()
	h := newHook(t)
	n := newNotified(t, fmt.Sprintf(hookConfig, true), map[string]string{"HOOK_URL": h.URL})
	n.queue(t, "fire", "hook", experiments.NoticeAlert)
	ctx, stop := context.WithCancel(t.Context())
	rounds := 0
	notifier := NewNotifier(n.World.Workbench)
	notifier.wait = func(ctx context.Context, d time.Duration) error {
		if rounds++; rounds == 3 {
			stop()
		}
		n.set(n.now().Add(d))
		return ctx.Err()
	}
	if err := notifier.Serve(ctx); err != nil {
		t.Fatal(err)
	}
	if len(h.requests()) != 1 || rounds != 3 {
		t.Errorf("%d requests in %d rounds; want 1 in 3", len(h.requests()), rounds)
	}
}
