package fakeprovider

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"net/http"
	"strconv"
	"time"
)

// Limits are what the provider allows in each window of time. Every reply carries the x-ratelimit headers; a request beyond a
// limit is refused with 429 and the time until the next window, and does not count.
type Limits struct {
	Requests int           // 0 is no limit
	Tokens   int           // of prompts; 0 is no limit
	Per      time.Duration // 0 is a minute
}

// Outage is a span in which every request fails, counted from the first request.
type Outage struct {
	From, To time.Duration
	Fault    Fault // None is ServerError
	Status   int   // of a ServerError; 0 is 503
}

// Mix makes a share of the requests go wrong, each in a way drawn from a seed, the request's body and how often that body has
// come before: the same for every order of arrival, and not for ever for one request.
type Mix struct {
	Share float64 // 0 to 1
	Seed  uint64
	Chat  []Fault // nil is MixedChat
	Embed []Fault // nil is MixedEmbed
}

// The faults of a mix that names none. Those that only a time-out of minutes would end are left out.
var (
	MixedChat = []Fault{
		RateLimit, ServerError, Reset, Truncated, Malformed, Trailing, HTML, ErrorAs200, EmptyObject, EmptyChoices, EmptyContent,
		WrongSchema, Length, Refusal, NoUsage,
	}
	MixedEmbed = []Fault{RateLimit, ServerError, Reset, Truncated, Malformed, HTML, ErrorAs200, VectorsNaN, VectorsShuffled}
)

// window counts what the present span of time has seen.
type window struct {
	first            time.Time // of all requests
	start            time.Time
	requests, tokens int
}

// chance is a number from 0 to below 1 that follows from its arguments.
func chance(seed uint64, what, body string, times int) float64 {
	return float64(draw(seed, what, body, times)>>11) / (1 << 53)
}

func draw(seed uint64, what, body string, times int) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, seed))
	_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(times)))
	_, _ = h.Write([]byte(what + "|" + body))
	// FNV's high bits hardly depend on the last bytes; this spreads them.
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// drawn is the behaviour of a request under the mix.
func (m Mix) drawn(r Request) Behaviour {
	if m.Share <= 0 || chance(m.Seed, "fault", r.Hash, r.Times) >= m.Share {
		return Behaviour{}
	}
	kinds := m.Chat
	if kinds == nil {
		kinds = MixedChat
	}
	if r.Path == "embeddings" {
		if kinds = m.Embed; kinds == nil {
			kinds = MixedEmbed
		}
	}
	b := Behaviour{Fault: kinds[draw(m.Seed, "kind", r.Hash, r.Times)%uint64(len(kinds))]}
	if b.Fault == WrongSchema && len(r.Schema) == 0 {
		b.Fault = Malformed // a plain text of another shape would be an answer, not a fault
	}
	if b.Fault == RateLimit {
		b.Header = map[string]string{"Retry-After-Ms": "250"}
	}
	return b
}

// scheduled is what outages and limits make of a request, and the headers that tell of the limits. The mutex is held.
func (s *Server) scheduled(r Request) (b Behaviour, hit bool, headers map[string]string) {
	if s.opts.Now == nil {
		return Behaviour{}, false, nil
	}
	w, now := &s.window, s.opts.Now()
	if w.first.IsZero() {
		w.first, w.start = now, now
	}
	for _, o := range s.opts.Outages {
		if past := now.Sub(w.first); past >= o.From && past < o.To {
			if o.Fault == None {
				o.Fault = ServerError
			}
			if o.Status == 0 {
				o.Status = http.StatusServiceUnavailable
			}
			return Behaviour{Fault: o.Fault, Status: o.Status}, true, nil
		}
	}
	l := s.opts.Limits
	if l.Requests <= 0 && l.Tokens <= 0 {
		return Behaviour{}, false, nil
	}
	if l.Per <= 0 {
		l.Per = time.Minute
	}
	if past := now.Sub(w.start); past >= l.Per {
		w.start = w.start.Add(past.Truncate(l.Per))
		w.requests, w.tokens = 0, 0
	}
	need := tokens(r.System) + tokens(r.User)
	for _, t := range r.Texts {
		need += tokens(t)
	}
	tooMany := l.Requests > 0 && w.requests+1 > l.Requests || l.Tokens > 0 && w.tokens > 0 && w.tokens+need > l.Tokens
	if !tooMany {
		w.requests++
		w.tokens += need
	}
	left := w.start.Add(l.Per).Sub(now)
	headers = map[string]string{}
	tell := func(kind string, limit, used int) {
		if limit > 0 {
			headers["X-Ratelimit-Limit-"+kind] = strconv.Itoa(limit)
			headers["X-Ratelimit-Remaining-"+kind] = strconv.Itoa(max(0, limit-used))
			headers["X-Ratelimit-Reset-"+kind] = left.Round(time.Millisecond).String()
		}
	}
	tell("Requests", l.Requests, w.requests)
	tell("Tokens", l.Tokens, w.tokens)
	if tooMany {
		headers["Retry-After"] = strconv.Itoa(int(math.Ceil(left.Seconds())))
		headers["Retry-After-Ms"] = strconv.FormatInt(left.Milliseconds()+1, 10)
	}
	return Behaviour{Fault: RateLimit}, tooMany, headers
}
