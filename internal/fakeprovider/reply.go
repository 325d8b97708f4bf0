package fakeprovider

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// outgoing is a reply and the way in which it is delivered.
type outgoing struct {
	status             int
	header             map[string]string
	body               []byte
	delivery           Fault // Reset, Truncated, Chunked, Stall, Drip or Hang; anything else is a plain write
	pause              time.Duration
	cut                int // bytes sent before a break
	prompt, completion int
	charged            bool
}

func (s *Server) reply(r Request, b Behaviour, authorization string) outgoing {
	out := s.proper(r, b)
	out.header, out.pause, out.delivery, out.cut = b.Header, b.Pause, b.Fault, len(out.body)/2
	switch {
	case b.Cut > 0:
		out.cut = min(b.Cut, len(out.body)-1)
	case b.Cut < 0:
		out.cut = 0
	}
	status := func(otherwise int) int {
		if b.Status != 0 {
			return b.Status
		}
		return otherwise
	}
	refuse := func(code int, message, kind, name string) outgoing {
		out.status, out.charged, out.body = code, false, errorBody(message, kind, name)
		return out
	}
	switch b.Fault {
	case RateLimit:
		return refuse(http.StatusTooManyRequests, "too many requests", "requests", "rate_limit_exceeded")
	case Quota:
		return refuse(http.StatusTooManyRequests, "you have spent your quota", "insufficient_quota", "insufficient_quota")
	case Unauthorized:
		return refuse(http.StatusUnauthorized, "incorrect API key: "+authorization, "invalid_request_error", "invalid_api_key")
	case ServerError:
		return refuse(status(http.StatusInternalServerError), "the model is overloaded", "server_error", "")
	case ClientError:
		return refuse(status(http.StatusBadRequest), b.Body, "invalid_request_error", "")
	case ErrorAs200:
		return refuse(http.StatusOK, "upstream failed", "", b.Body)
	case Redirect:
		out.status, out.charged, out.body = status(http.StatusTemporaryRedirect), false, nil
		out.header = map[string]string{"Location": b.Body}
	case HTML:
		out.charged, out.body = false, []byte("<!doctype html><html><title>Log in</title><form></form></html>")
		out.header = map[string]string{"Content-Type": "text/html"}
	case Hang:
		out.status = 0
	case Raw:
		out.status, out.body = status(http.StatusOK), []byte(b.Body)
	case EmptyObject:
		out.body = []byte("{}")
	case Malformed:
		out.body = append(out.body[:len(out.body)-1:len(out.body)-1], `,"x":`...)
	case Trailing:
		out.body = append(out.body, `{"choices":[]}`...)
	case Huge:
		size := b.Size
		if size <= 0 {
			size = 16 << 20
		}
		out.body = []byte(`{"choices":[{"message":{"content":"` + strings.Repeat("a", size) + `"}}]}`)
	default: // the other faults lie inside a proper reply
	}
	return out
}

// proper is the reply of the protocol, with the faults that lie inside it.
func (s *Server) proper(r Request, b Behaviour) outgoing {
	if r.Path == "embeddings" {
		return s.embeddings(r, b)
	}
	text, err := s.text(r)
	if err != nil {
		return outgoing{status: http.StatusInternalServerError, body: errorBody(err.Error(), "server_error", "")}
	}
	message := map[string]any{"role": "assistant", "content": text}
	finish := "stop"
	switch b.Fault {
	case EmptyContent:
		message["content"] = nil
	case Refusal:
		message["content"], message["refusal"] = nil, "I cannot help with that."
	case ContentFilter:
		message["content"], finish = "", "content_filter"
	case Length:
		message["content"], finish = string([]rune(text)[:len([]rune(text))/2]), "length"
	case WrongSchema:
		message["content"] = `{"entirely":["another",{"shape":true}]}`
	case Content:
		message["content"] = b.Body
	default: // the other faults do not lie in the message
	}
	content, _ := message["content"].(string)
	out := outgoing{status: http.StatusOK, charged: true, prompt: tokens(r.System) + tokens(r.User) + tokens(string(r.Schema)),
		completion: tokens(content)}
	choices := []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}}
	if b.Fault == EmptyChoices {
		choices = []any{}
	}
	envelope := map[string]any{
		"id": "chatcmpl-" + strconv.Itoa(r.N), "object": "chat.completion", "created": 1_700_000_000, "model": r.Model, "choices": choices,
		"usage": map[string]int{"prompt_tokens": out.prompt, "completion_tokens": out.completion, "total_tokens": out.prompt +
			out.completion},
	}
	if b.Fault == NoUsage {
		delete(envelope, "usage")
	}
	out.body = mustJSON(envelope)
	return out
}

func (s *Server) text(r Request) (string, error) {
	text, err := s.honest(r)
	// The draw follows the body alone, so a repeated request gets the same verdict.
	if err == nil && s.opts.Flip > 0 && len(r.Schema) > 0 && chance(s.opts.Seed, "flip", r.Hash, 0) < s.opts.Flip {
		text = flip(text)
	}
	return text, err
}

func (s *Server) honest(r Request) (string, error) {
	switch {
	case s.opts.Answer != nil:
		return s.opts.Answer(r)
	case s.opts.Responder != nil:
		return s.opts.Responder(r.Model, r.System, r.User, r.Schema)
	case len(r.Schema) == 0:
		return plainReply, nil
	}
	return Minimal(r.Schema)
}

// tokens is what this provider charges for a text: one for every four bytes begun. The schema of a reply is part of the prompt.
func tokens(s string) int { return (len(s) + 3) / 4 }

func errorBody(message, kind, code string) []byte {
	e := map[string]any{"message": message, "type": kind, "param": nil, "code": nil}
	if code != "" {
		e["code"] = code
	}
	return mustJSON(map[string]any{"error": e})
}

func writeError(w http.ResponseWriter, status int, message, kind, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(errorBody(message, kind, code))
}

// mustJSON marshals what this package built itself.
func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("fakeprovider: %v", err))
	}
	return b
}

func (o outgoing) send(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	for k, v := range o.header {
		w.Header().Set(k, v)
	}
	part := o.body[:min(o.cut, len(o.body))]
	switch o.delivery {
	case Hang:
		<-r.Context().Done()
	case Stall:
		o.write(w, part)
		<-r.Context().Done()
	case Truncated:
		w.Header().Set("Content-Length", strconv.Itoa(len(o.body)))
		o.write(w, part)
		panic(http.ErrAbortHandler)
	case Chunked:
		o.write(w, part)
		panic(http.ErrAbortHandler)
	case Reset:
		if len(part) > 0 {
			o.write(w, part)
		}
		reset(w)
	case Drip:
		o.drip(w, r)
	default:
		o.write(w, o.body)
	}
}

func (o outgoing) write(w http.ResponseWriter, body []byte) {
	w.WriteHeader(o.status)
	_, _ = w.Write(body)
	_ = http.NewResponseController(w).Flush()
}

func (o outgoing) drip(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(o.status)
	tick := time.NewTicker(max(o.pause, time.Millisecond))
	defer tick.Stop()
	for i := range o.body {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
		if _, err := w.Write(o.body[i : i+1]); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
	}
}

// reset ends the connection with a TCP reset where it is one.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(interface{ SetLinger(int) error }); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
