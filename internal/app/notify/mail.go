package notify

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	netmail "net/mail"
	"net/netip"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/wneessen/go-mail"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/outbound"
)

// mailAttachment is the largest workbook that is sent along: many mail servers refuse messages of more than 10 MB, and the encoding
// adds a third.
const mailAttachment = 7 << 20

// sendMail makes one attempt to hand a message to the mail server.
func sendMail(ctx context.Context, w *app.Workbench, n experiments.Notice, c app.ChannelConfig, password string) sentAs {
	msg, err := MailOf(w, n, c)
	if err != nil {
		w.Log("a mail cannot be written", "channel", n.Channel, "error", err)
		return sentAs{code: "internal", final: true}
	}
	var conn net.Conn
	client, err := mailClient(c, password, func(dialled net.Conn) {
		conn = dialled
		context.AfterFunc(ctx, func() { _ = dialled.Close() }) // the library heeds the context only until it is connected
	})
	if err != nil {
		w.Log("a mail cannot be sent", "channel", n.Channel, "error", err)
		return sentAs{code: "channel_config"}
	}
	defer func() {
		if conn != nil {
			_ = conn.Close() // the library leaves it open when the dialogue fails early
		}
	}()
	if err := client.DialAndSendWithContext(ctx, msg); err != nil {
		return mailFailed(err)
	}
	return sentAs{code: experiments.AttemptDelivered}
}

// MailOf writes the mail: plain text, the same as HTML with one picture, and the workbook where there is one. Nothing of the data comes
// into a header but the name of the schedule, or of a notebook and of people, on one line.
func MailOf(w *app.Workbench, n experiments.Notice, c app.ChannelConfig) (*mail.Msg, error) {
	t := tell(n, c.Lang)
	m := mail.NewMsg(mail.WithCharset(mail.CharsetUTF8), mail.WithNoDefaultUserAgent())
	if err := m.From(c.From); err != nil {
		return nil, err
	}
	if err := m.To(recipients(n, c)...); err != nil {
		return nil, err
	}
	m.Subject(line(t.Title, 200))
	m.SetMessageIDWithValue(n.ID + "@workbench.invalid") // the same at every attempt, so that a second one can be told
	m.SetDateWithValue(n.CreatedAt)
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	unattached, err := attachWorkbook(w, m, n, c)
	if err != nil {
		return nil, err
	}
	if len(unattached.Lines) > 0 {
		t.Parts = append(t.Parts, unattached)
	}
	m.SetBodyString(mail.TypeTextPlain, t.plain())
	page, picture, err := t.page(n, languagesOf(c.Lang)[0])
	if err != nil {
		return nil, err
	}
	m.AddAlternativeString(mail.TypeTextHTML, page)
	if picture != nil {
		err = m.EmbedReader(pictureName, bytes.NewReader(picture), mail.WithFileContentType("image/png"),
			mail.WithFileContentID("<"+pictureName+">"))
	}
	return m, err
}

// recipients are those of the channel; of a comment that names somebody whose account is a mail address, that person alone.
func recipients(n experiments.Notice, c app.ChannelConfig) []string {
	if n.Facts.Mention != nil {
		if to, err := netmail.ParseAddress(n.Facts.Mention.Person); err == nil && to.Address == n.Facts.Mention.Person {
			return []string{to.Address}
		}
	}
	return c.To
}

// attachWorkbook attaches the workbook of an alarm, or says why it is not attached.
func attachWorkbook(w *app.Workbench, m *mail.Msg, n experiments.Notice, c app.ChannelConfig) (why toldPart, err error) {
	f := n.Facts.Fire
	if f == nil || f.Workbook == "" || n.Kind != experiments.NoticeAlert {
		return why, nil
	}
	path := filepath.Join(w.Options.DataDir, filepath.FromSlash(f.Workbook))
	info, err := os.Stat(path)
	switch {
	case err != nil || !info.Mode().IsRegular() || !filepath.IsLocal(filepath.FromSlash(f.Workbook)):
		return both(c.Lang, "The workbook is not attached: it cannot be read.", "ワークブックを読み込めないため添付していません。"), nil
	case info.Size() > mailAttachment:
		return both(c.Lang, "The workbook is not attached: it is too large. It lies on the server.",
			"サイズが大きいためワークブックは添付していません。サーバー上にあります。"), nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return why, err
	}
	const xlsx = mail.ContentType("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
	name := attachmentName(n.Facts.Experiment + "-" + inZone(f.NominalAt, n.Facts.Zone).Format("2006-01-02") + ".xlsx")
	return why, m.AttachReader(name, bytes.NewReader(content), mail.WithFileContentType(xlsx))
}

// both is a sentence in the languages of a channel, a line each.
func both(lang, en, ja string) (part toldPart) {
	for _, l := range languagesOf(lang) {
		part.Lines = append(part.Lines, map[bool]string{false: en, true: ja}[l == "ja"])
	}
	return part
}

// attachmentName is the file name of a workbook with letters, digits, dots and dashes alone, whatever a schedule is called.
func attachmentName(path string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, filepath.Base(filepath.FromSlash(path)))
}

// mailClient is a client whose connections pass the guard of the channel, and are told.
func mailClient(c app.ChannelConfig, password string, connected func(net.Conn)) (*mail.Client, error) {
	conf := &tls.Config{ServerName: c.Host, MinVersion: tls.VersionTLS12}
	if c.CAFile != "" {
		pem, err := os.ReadFile(c.CAFile)
		if err != nil {
			return nil, err
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, errors.New("the certificate file holds no PEM certificate")
		}
		conf.RootCAs = pool
	}
	options := []mail.Option{
		mail.WithPort(c.Port), mail.WithTimeout(100 * time.Second), mail.WithTLSConfig(conf), mail.WithHELO("localhost"),
		mail.WithoutNoop(), mail.WithDialContextFunc(func(ctx context.Context, network, address string) (net.Conn, error) {
			dialled, err := guardedDial(c, conf)(ctx, network, address)
			if err == nil {
				connected(dialled)
			}
			return dialled, err
		}),
	}
	switch c.TLS {
	case app.TlsWhole:
		options = append(options, mail.WithSSL())
	case app.TlsNone:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if c.User != "" {
		options = append(options, mail.WithUsername(c.User), mail.WithPassword(password),
			mail.WithOpportunisticSMTPAuth(mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthPlain, mail.SMTPAuthLogin, mail.SMTPAuthCramMD5))
	}
	return mail.NewClient(c.Host, options...)
}

// guardedDial connects to the mail server, with TLS from the first byte where the channel says so. The guard sees the resolved
// address just before the connection is made.
func guardedDial(c app.ChannelConfig, conf *tls.Config) mail.DialContextFunc {
	guard := guardOf(c.AllowPrivate)
	dialer := &net.Dialer{Timeout: 10 * time.Second, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil {
			return outbound.ErrAddressRefused
		}
		return guard(ap.Addr())
	}}
	if c.TLS == app.TlsWhole {
		return (&tls.Dialer{NetDialer: dialer, Config: conf}).DialContext
	}
	return dialer.DialContext
}

// mailFailed names what kept a mail from being taken over, by the code of the server where there is one.
func mailFailed(err error) sentAs {
	code := 0
	if refused, ok := errors.AsType[*mail.SendError](err); ok {
		code = refused.ErrorCode()
	}
	if said, ok := errors.AsType[*textproto.Error](err); ok && code == 0 {
		code = said.Code
	}
	signIn := code == 530 || code == 534 || code == 535 // somebody may set the password right
	switch {
	case code >= 400 && code < 600:
		return sentAs{code: "smtp_" + strconv.Itoa(code), final: code >= 500 && !signIn}
	case strings.Contains(err.Error(), "STARTTLS"):
		return sentAs{code: "tls"}
	case strings.Contains(err.Error(), "AUTH"):
		return sentAs{code: "smtp_auth"}
	}
	return failed(err)
}
