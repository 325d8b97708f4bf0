package llm

// Error codes of systems that run elsewhere. Like the others they are the named causes of questions without an answer.
const (
	CauseEndpointUnreachable = "endpoint_unreachable"  // no connection, or it broke: retried
	CauseEndpointTimeout     = "endpoint_timeout"      // no whole reply within the time-out: no retry, because the next would take as long
	CauseEndpointServer      = "endpoint_server"       // 5xx, 408: retried
	CauseEndpointRateLimited = "endpoint_rate_limited" // 429: retried after the time the endpoint names
	CauseEndpointAuth        = "endpoint_auth"         // 401, 403: ends the run
	CauseEndpointRequest     = "endpoint_request"      // other 4xx: no retry
	CauseEndpointRedirect    = "endpoint_redirect"     // 3xx is never followed: ends the run
	CauseEndpointTooLarge    = "endpoint_too_large"    // reply over the cap
	CauseEndpointEnvelope    = "endpoint_not_json"     // the reply is not JSON
	CauseEndpointMapping     = "endpoint_mapping"      // the paths fit nothing in the reply
	CauseNeedsDecision       = "needs_decision"        // an earlier call may have had its effect: a person decides whether to repeat it
	CauseNoLoggedAnswer      = "no_logged_answer"      // the log holds no answer to this question
)
