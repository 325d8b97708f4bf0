package requests

import (
	"math"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/server/meters"
)

// TooLarge is the problem of a request that is larger than so many bytes.
func TooLarge(limit int64) *Problem {
	p := NewProblem(http.StatusRequestEntityTooLarge, "too_large", "the request is larger than the limit", "send less at once")
	p.Params = map[string]any{"limit_bytes": limit}
	return p
}

// The limits of requests and of sign-ins.
const (
	requestRate  = 20.0 // requests a second, of one account or token, and of one address that has not signed in
	requestBurst = 60.0

	signInRate  = 5.0 / 60 // tries a second, of one address and for one account
	signInBurst = 5.0
	// What is tried for one account from addresses that it has never signed in from comes to 500 in a day at most.
	signInDayRate  = 400.0 / (24 * 60 * 60)
	signInDayBurst = 100.0
)

// Limits are those of one server.
type Limits struct {
	Requests, signIns, days, Shares *meters.Meters
}

// NewLimits has a bucket for everybody who asks; r is for requests.
func NewLimits(r Rate) *Limits {
	if r.PerSecond <= 0 || r.Burst <= 0 {
		r = Rate{PerSecond: requestRate, Burst: requestBurst}
	}
	return &Limits{Requests: meters.New(r.PerSecond, r.Burst), signIns: meters.New(signInRate, signInBurst),
		days: meters.New(signInDayRate, signInDayBurst), Shares: meters.New(shareMissRate, shareMissBurst)}
}

// TooMany says when to come back.
func TooMany(code, detail string, wait time.Duration) *Problem {
	seconds := int(math.Ceil(wait.Seconds()))
	p := NewProblem(http.StatusTooManyRequests, code, detail, "wait "+strconv.Itoa(seconds)+" seconds")
	p.Params = map[string]any{"seconds": seconds}
	return p
}

// GetHeaders tells clients when to come back, as huma asks errors for headers.
func (p *Problem) GetHeaders() http.Header {
	seconds, ok := p.Params["seconds"].(int)
	if !ok || p.Status != http.StatusTooManyRequests {
		return nil
	}
	return http.Header{"Retry-After": {strconv.Itoa(seconds)}}
}

// SignInTry is one try to sign in. It counts until it turns out to be right.
type SignInTry struct {
	limits *Limits
	taken  []func()
}

// Right gives back what the try has taken.
func (t SignInTry) Right() {
	for _, back := range t.taken {
		back()
	}
}

// SignIn asks for one more try from an address and, unless it is "", for a name. From an address that the account has signed in from
// before, tries for it are counted apart: whoever guesses elsewhere keeps nobody out.
func (l *Limits) SignIn(now time.Time, address, name string, known bool) (SignInTry, *Problem) {
	t := SignInTry{limits: l}
	take := func(m *meters.Meters, key string) *Problem {
		if wait := m.Take(key, now); wait > 0 {
			t.Right()
			return TooMany("login_limit", "too many attempts to sign in", wait)
		}
		t.taken = append(t.taken, func() { m.Back(key) })
		return nil
	}
	where := "address " + Network(address)
	if p := take(l.signIns, where); p != nil || name == "" {
		return t, p
	}
	if known {
		return t, take(l.signIns, "account "+name+" from "+where)
	}
	if p := take(l.signIns, "account "+name); p != nil {
		return t, p
	}
	return t, take(l.days, name)
}

// Network is what one visitor can choose addresses from: an IPv4 address itself, or the /64 of an IPv6 address.
func Network(address string) string {
	addr, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if addr = addr.Unmap(); addr.Is6() {
		if prefix, err := addr.WithZone("").Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return addr.String()
}

// VisitorAddress is where a request comes from. What a proxy says of it is believed only when the proxy itself has one of the
// trusted addresses; then it is the last address in X-Forwarded-For that is not a trusted one.
func VisitorAddress(r *http.Request, trusted []netip.Prefix) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	is := func(address string) (netip.Addr, bool) {
		addr, err := netip.ParseAddr(strings.TrimSpace(address))
		addr = addr.Unmap()
		return addr, err == nil && slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(addr) })
	}
	if _, ok := is(host); !ok {
		return host
	}
	said := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, address := range slices.Backward(said) {
		addr, ok := is(address)
		if !addr.IsValid() {
			break
		}
		host = addr.String()
		if !ok {
			break
		}
	}
	return host
}

// MaxBodyBytes is the largest body of a request that brings no file.
const MaxBodyBytes = 1 << 20

// How many links that open nothing one address may try.
const (
	shareMissRate  = 10.0 / 60 // a second
	shareMissBurst = 30.0
)
