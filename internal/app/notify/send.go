package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/outbound"
	"github.com/rag-workbench/workbench/internal/problem"
)

// sentAs is what came of one attempt. Its code is all that is ever kept or shown: errors of the network hold addresses, and
// replies are texts of others.
type sentAs struct {
	code  string
	final bool          // trying again changes nothing
	after time.Duration // what the receiver asked to wait
}

// The headers of webhooks. A receiver computes the signature over the timestamp, a dot and the body, and refuses old timestamps; the
// delivery is the same at every attempt, so that a second one can be told.
const (
	headerSignature = "Workbench-Signature"
	headerDelivery  = "Workbench-Delivery"
	headerEvent     = "Workbench-Event"
)

// send makes one attempt.
func send(ctx context.Context, w *app.Workbench, n experiments.Notice) sentAs {
	c, err := w.Config.Channel(n.Channel)
	if err != nil {
		return sentAs{code: "channel_unknown"} // the configuration may be on its way
	}
	if w.Config.Notifications.Channels[n.Channel].Lang == "" && n.Facts.Lang != "" {
		c.Lang = n.Facts.Lang
	}
	address, key, password, err := c.Secrets(n.Channel, w.Options.Getenv)
	if err != nil {
		w.Log("a message cannot be sent", "channel", n.Channel, "error", err)
		return sentAs{code: "channel_secret"}
	}
	if c.Kind == app.ChannelMail {
		return sendMail(ctx, w, n, c, password)
	}
	return sendWebhook(ctx, w, n, c, address, key)
}

func sendWebhook(ctx context.Context, w *app.Workbench, n experiments.Notice, c app.ChannelConfig, address, key string) sentAs {
	body, err := WebhookBody(n, c)
	if err != nil {
		return sentAs{code: "internal", final: true}
	}
	client, err := outbound.New(outbound.Options{
		Connect: 10 * time.Second, FirstByte: 30 * time.Second, Idle: 15 * time.Second, Total: time.Minute, MaxBody: 64 << 10,
		MaxIdleConnsPerHost: 1,
		CAFile:              c.CAFile, Guard: guardOf(c.AllowPrivate),
	})
	if err != nil {
		w.Log("a message cannot be sent", "channel", n.Channel, "error", err)
		return sentAs{code: problem.CodeOf(err)}
	}
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return sentAs{code: "channel_secret"}
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("User-Agent", "rag-workbench")
	req.Header.Set(headerDelivery, n.ID)
	req.Header.Set(headerEvent, string(n.Kind))
	if key != "" {
		req.Header.Set(headerSignature, signature(key, w.Options.Now(), body))
	}
	resp, err := client.Do(req)
	if err != nil {
		return failed(err)
	}
	defer func() { _ = resp.Body.Close() }()
	reply, _ := io.ReadAll(resp.Body) // its end tells nothing: the status has
	return answered(resp, reply, c.Kind)
}

// signature is "t=SECONDS,v1=HEX": the HMAC-SHA256 of the timestamp in seconds since 1970, a dot and the body.
func signature(key string, at time.Time, body []byte) string {
	t := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}

// answered reads the status of a receiver.
func answered(resp *http.Response, reply []byte, kind string) sentAs {
	status := resp.StatusCode
	if kind == app.ChannelTeams && status == http.StatusOK && bytes.Contains(reply, []byte("HTTP error 429")) {
		status = http.StatusTooManyRequests // older connectors of Teams say so in the text alone
	}
	out := sentAs{code: "http_" + strconv.Itoa(status)}
	switch {
	case status >= 200 && status < 300:
		return sentAs{code: experiments.AttemptDelivered}
	case status == http.StatusUnauthorized, status == http.StatusForbidden: // somebody may set it right
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == http.StatusTooManyRequests, status >= 500:
		if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds > 0 {
			out.after = time.Duration(min(seconds, 3600)) * time.Second
		}
	default:
		out.final = true
	}
	return out
}

// failed names what kept an exchange from happening.
func failed(err error) sentAs {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // the rest of it is the address
	}
	var dns *net.DNSError
	var netErr net.Error
	switch {
	case errors.Is(err, outbound.ErrAddressRefused):
		return sentAs{code: "address_refused", final: true}
	case isRedirect(err):
		return sentAs{code: "redirect", final: true}
	case errors.As(err, &dns):
		return sentAs{code: "host_unknown"}
	case isTLS(err):
		return sentAs{code: "tls"}
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return sentAs{code: "timeout"}
	}
	return sentAs{code: "connection"}
}

func isRedirect(err error) bool {
	_, ok := errors.AsType[*outbound.RedirectError](err)
	return ok
}

func isTLS(err error) bool {
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var unknown x509.UnknownAuthorityError
	return errors.As(err, &verify) || errors.As(err, &record) || errors.As(err, &alert) || errors.As(err, &unknown) ||
		strings.Contains(err.Error(), "tls: ")
}

// cloudMetadata is where a cloud keeps credentials inside the private range of IPv6.
var cloudMetadata = netip.MustParseAddr("fd00:ec2::254")

// guardOf is the guard of a channel: the public internet, and where the configuration allows it private networks and this machine.
// The addresses where clouds keep credentials are never allowed.
func guardOf(private bool) outbound.Guard {
	if !private {
		return outbound.PublicOnly
	}
	return func(addr netip.Addr) error {
		plain := addr.Unmap()
		if plain.Zone() == "" && plain != cloudMetadata && (plain.IsPrivate() || plain.IsLoopback()) {
			return nil
		}
		return outbound.PublicOnly(addr)
	}
}
