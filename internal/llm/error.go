package llm

import (
	"errors"
	"fmt"
)

// Error codes. They are the named causes a cell shows when infrastructure failed.
const (
	CauseAuth        = "provider_auth"         // 401, 403: no retry
	CauseQuota       = "provider_quota"        // 429 insufficient_quota: no retry
	CauseRateLimited = "provider_rate_limited" // 429: retried after the time the provider names; an error after half an hour
	CauseRequest     = "provider_request"      // other 4xx: no retry
	CauseServer      = "provider_server"       // 5xx, 408: retried
	CauseUnreachable = "provider_unreachable"  // no connection, reset, time-out: retried
	CauseDown        = "provider_down"         // no answer for half an hour, to anybody: no retry
	CauseRedirect    = "provider_redirect"     // 3xx is never followed
	CauseTooLarge    = "provider_too_large"    // reply over the cap
	CauseEnvelope    = "provider_bad_envelope" // not the JSON of the protocol: asked again
	CauseEmpty       = "provider_empty"        // no choice or no content: asked again
	CauseTruncated   = "provider_truncated"    // finish_reason length where a whole reply is needed: asked again
	CauseRefusal     = "model_refusal"         // refused or filtered: no retry
	CauseSchema      = "reply_schema"          // the text does not satisfy the schema: asked again
	CauseEmbedding   = "embedding_invalid"     // wrong count, dimension, NaN or zero vector
	CauseTooLong     = "embedding_too_long"    // a text is longer than the model reads: no retry
	CauseUseless     = "replies_useless"       // too many replies in a row were of no use: no retry, the run pauses
	CauseRefused     = "requests_refused"      // too many requests in a row were refused: no retry, the run pauses
	CauseUnsupported = "unsupported"           // the provider does not offer this model or purpose
	CauseNotRecorded = "not_recorded"          // a recording holds no reply yet: the run waits
)

// CauseAnomaly is the cause of a [Notice], never of an error: a call cost more than ten times its estimate.
const CauseAnomaly = "cost_anomaly"

// Error says why a model gave no usable reply.
type Error struct {
	Cause      string // one of the Cause constants
	Message    string // for people; never holds a key, cut to 2 KB
	HTTPStatus int
	Err        error
	Stop       bool // the run should end, although the cause alone does not say so
}

// Error returns cause and message.
func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Cause, e.Message, e.Err)
	}
	return e.Cause + ": " + e.Message
}

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Err }

// CauseOf returns the cause of an *Error in err's chain, or "internal".
func CauseOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Cause
	}
	return "internal"
}

// Fatal reports whether err would fail every further call too, so that a run should stop instead of failing each question.
func Fatal(err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	switch e.Cause {
	case CauseAuth, CauseQuota, CauseRedirect, CauseUnsupported, CauseDown, CauseRateLimited,
		CauseEndpointAuth, CauseEndpointRedirect, CauseEndpointRateLimited:
		return true
	}
	return e.Stop
}

// NotBought is the error of a provider that only plans, for a reply that it would have to buy. Whoever asked goes on with a stand-in
// in its place, so that what depends on the reply is planned too.
type NotBought struct {
	Most   bool // stand-ins are as large as replies ever are; else as large as they usually are
	Answer int  // tokens that an answer usually has
	Alike  bool // different contexts give a question the same answer
}

// Error says that nothing was bought.
func (*NotBought) Error() string { return "not bought: this only plans" }
