package notify

import (
	"fmt"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
)

const mailTo = "notifications: {channels: {mail: {kind: mail, host: %s, port: %d, tls: %s, from: bench@example.org, to: [owner@example.org], allow_private: %v%s}}}\n"

// TestMailIsEncrypted: with STARTTLS and with TLS from the first byte, with a password, and never in clear where TLS is asked for.
func TestMailIsEncrypted(t *testing.T) {
	t.Parallel()
	conf, ca := certificate(t)
	login := ", user: bench, password_env: MAIL_KEY, ca_file: " + ca
	for name, test := range map[string]struct {
		server *smtpServer
		tls    string
		more   string
		key    string
		want   string
	}{
		"starttls":                    {&smtpServer{tls: conf, password: "s3cret"}, "starttls", login, "s3cret", "delivered"},
		"tls":                         {&smtpServer{tls: conf, whole: true, password: "s3cret"}, "tls", login, "s3cret", "delivered"},
		"the wrong password":          {&smtpServer{tls: conf, password: "s3cret"}, "starttls", login, "wrong", "smtp_535"},
		"no password given":           {&smtpServer{tls: conf, password: "s3cret"}, "starttls", ", ca_file: " + ca, "", "smtp_530"},
		"an unknown certificate":      {&smtpServer{tls: conf}, "starttls", "", "", "tls"},
		"a server without encryption": {&smtpServer{}, "starttls", "", "", "tls"},
		"a refused recipient": {&smtpServer{tls: conf, refuse: "550 nobody of this name"}, "starttls", ", ca_file: " + ca,
			"", "smtp_550"},
		"a full mailbox": {&smtpServer{tls: conf, refuse: "452 later"}, "starttls", ", ca_file: " + ca, "", "smtp_452"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newSMTP(t, test.server)
			n := newNotified(t, fmt.Sprintf(mailTo, "127.0.0.1", server.port, test.tls, true, test.more),
				map[string]string{"MAIL_KEY": test.key})
			got, err := TestChannel(t.Context(), n.World.Workbench, "mail")
			if err != nil {
				t.Fatal(err)
			}
			if got.Attempts[0].Outcome != test.want {
				t.Errorf("the outcome is %s; want %s", got.Attempts[0].Outcome, test.want)
			}
			if took := len(server.took()); (took == 1) != (test.want == "delivered") || took == 1 && !server.secured {
				t.Errorf("the server took %d mails, encrypted: %v", took, server.secured)
			}
			if strings.Contains(n.log(), "s3cret") {
				t.Errorf("the password is in the log: %s", n.log())
			}
		})
	}
}

// TestMailGuard: a mail server inside is not even connected to unless the configuration allows it.
func TestMailGuard(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"127.0.0.1", "localhost"} {
		server := newSMTP(t, &smtpServer{})
		n := newNotified(t, fmt.Sprintf(mailTo, host, server.port, "none", false, ""), nil)
		got, err := TestChannel(t.Context(), n.World.Workbench, "mail")
		if err != nil || got.Attempts[0].Outcome != "address_refused" || server.talks != 0 {
			t.Errorf("%s: %v (%v), %d connections", host, got.Attempts, err, server.talks)
		}
	}
}

// TestMailHeaders: no text of others makes a header, ends the mail or is read as HTML.
func TestMailHeaders(t *testing.T) {
	t.Parallel()
	server := newSMTP(t, &smtpServer{})
	n := newNotified(t, fmt.Sprintf(mailTo, "127.0.0.1", server.port, "none", true, ", lang: both"), nil)
	notice := hostileNotice("mail")
	if _, err := n.Whole.AddNotices(t.Context(), []experiments.Notice{notice}); err != nil {
		t.Fatal(err)
	}
	n.set(notice.NextAt)
	if _, err := NewNotifier(n.World.Workbench).Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	mails := server.took()
	if len(mails) != 1 || len(mails[0].To) != 1 {
		t.Fatalf("%d mails, to %v", len(mails), mails)
	}
	got := mails[0].Open(t)
	for name := range got.Headers {
		switch name {
		case "Subject", "From", "To", "Date", "Message-Id", "Mime-Version", "Content-Type", "Content-Transfer-Encoding", "Auto-Submitted":
		default:
			t.Errorf("the mail has the header %s: %s", name, got.Headers.Get(name))
		}
	}
	if strings.ContainsAny(got.Subject, "\r\n") || !strings.Contains(got.Subject, "weekly Bcc: evil@example.org") ||
		got.Headers.Get("Message-Id") != "<"+notice.ID+"@workbench.invalid>" {
		t.Errorf("the subject is %q, the id %q", got.Subject, got.Headers.Get("Message-Id"))
	}
	if to, err := mail.ParseAddressList(got.Headers.Get("To")); err != nil || len(to) != 1 || to[0].Address != "owner@example.org" {
		t.Errorf("the mail is to %v", to)
	}
	if !strings.Contains(got.Text, "<!channel> <https://evil.example|free> & <@U1> *bold* . QUIT") ||
		strings.Join(got.Kinds, " ") != "text/plain text/html image/png" {
		t.Errorf("the text is %q of kinds %v", got.Text, got.Kinds)
	}
	for _, l := range strings.Split(mails[0].Raw, "\r\n") {
		if len(l) > 998 {
			t.Errorf("a line has %d bytes; SMTP takes 998", len(l))
		}
	}
}

// TestWorkbookOfAMail: a workbook that is too large, lost, or not in the data directory is not attached, and the mail says so.
func TestWorkbookOfAMail(t *testing.T) {
	t.Parallel()
	n := newNotified(t, fmt.Sprintf(mailTo, "127.0.0.1", 25, "none", true, ""), nil)
	c, err := n.Config.Channel("mail")
	if err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(n.Dir, "data", "fires", "large.xlsx")
	if err := os.MkdirAll(filepath.Dir(large), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, mailAttachment+1); err != nil {
		t.Fatal(err)
	}
	for book, want := range map[string]string{
		"fires/large.xlsx": "too large", "fires/lost.xlsx": "cannot be read", "../questions.jsonl": "cannot be read",
		"fires": "cannot be read",
	} {
		notice := hostileNotice("mail")
		notice.Facts.Fire.Workbook = book
		msg, err := MailOf(n.World.Workbench, notice, c)
		if err != nil {
			t.Fatal(err)
		}
		var raw strings.Builder
		if _, err := msg.WriteTo(&raw); err != nil {
			t.Fatal(err)
		}
		got := apptest.Mail{Raw: raw.String()}.Open(t)
		if len(got.Files) != 0 || !strings.Contains(got.Text, want) || !strings.Contains(got.Text, "Workbook on the server: "+book) {
			t.Errorf("%s: %d files; the mail says\n%s", book, len(got.Files), got.Text)
		}
	}
	if got := attachmentName("fires/品質 \"\r\nx/週次;a.xlsx"); strings.Trim(got, "_") != "a.xlsx" {
		t.Errorf("the attachment is called %q", got)
	}
}
