package app

import (
	"maps"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/wording"
	"github.com/rag-workbench/workbench/internal/text"
)

// NotificationsConfig is the part of the configuration file that says where messages go. Nothing of it can be set over HTTP: there,
// channels are named and never given.
type NotificationsConfig struct {
	Channels map[string]ChannelConfig `yaml:"channels"`
	Digest   DigestConfig             `yaml:"digest"`
	Mentions MentionsConfig           `yaml:"mentions"`
}

// MentionsConfig says which channel tells people that a comment names them. Without one they find it on the notebook's page only.
type MentionsConfig struct {
	Channel string            `yaml:"channel"` // of whoever has none of their own; "" tells nobody else
	People  map[string]string `yaml:"people"`  // names of accounts → channels
}

// Of is the channel of a person; "" where there is none.
func (m MentionsConfig) Of(name string) string {
	for person, channel := range m.People {
		if experiments.NameKey(person) == experiments.NameKey(name) {
			return channel
		}
	}
	return m.Channel
}

func (m MentionsConfig) validate(channels map[string]ChannelConfig) error {
	const field = "notifications.mentions"
	named := map[string]string{}
	if m.Channel != "" {
		named["channel"] = m.Channel
	}
	for person, channel := range m.People {
		named["people."+person] = channel
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if _, ok := channels[named[name]]; !ok {
			return channelWrong(field, name, "is %q, which is none of the channels", named[name]).
				WithHint("name one of notifications.channels")
		}
	}
	return nil
}

// ChannelConfig is one way to tell people. The address of a webhook is a secret: whoever knows it may post.
type ChannelConfig struct {
	Kind         string   `yaml:"kind"` // slack, teams, webhook or mail
	Lang         string   `yaml:"lang"` // en, ja or both; default en
	AllowPrivate bool     `yaml:"allow_private"`
	CAFile       string   `yaml:"ca_file"` // PEM file of certificates trusted in addition to the system's
	URL          string   `yaml:"url"`
	URLEnv       string   `yaml:"url_env"`    // environment variable that holds the address
	SecretEnv    string   `yaml:"secret_env"` // environment variable with the key of the signature; of webhook
	Host         string   `yaml:"host"`       // of mail, like all below
	Port         int      `yaml:"port"`       // default 587 for starttls, 465 for tls, 25 for none
	User         string   `yaml:"user"`
	PasswordEnv  string   `yaml:"password_env"`
	From         string   `yaml:"from"`
	To           []string `yaml:"to"`
	TLS          string   `yaml:"tls"` // starttls (default), tls or none
}

// DigestConfig says who gets the monthly digest of all schedules, and when. Without a channel there is none.
type DigestConfig struct {
	Channel string `yaml:"channel"`
	Day     int    `yaml:"day"`  // of the month, from 1 to 28; default 1
	Zone    string `yaml:"zone"` // IANA name; default UTC
}

// The kinds of channels.
const (
	ChannelSlack   = "slack"
	ChannelTeams   = "teams"
	ChannelWebhook = "webhook"
	ChannelMail    = "mail"
)

// The ways to encrypt mail.
const (
	tlsStart = "starttls"
	TlsWhole = "tls"
	TlsNone  = "none"
)

var (
	channelName  = text.Lazy(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)
	variableName = text.Lazy(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// withDefaults fills in what a channel does not say.
func (c ChannelConfig) withDefaults() ChannelConfig {
	c.Lang = firstOf(c.Lang, "en")
	if c.Kind != ChannelMail {
		return c
	}
	c.TLS = firstOf(c.TLS, tlsStart)
	if c.Port == 0 {
		c.Port = map[string]int{tlsStart: 587, TlsWhole: 465, TlsNone: 25}[c.TLS]
	}
	return c
}

// validate checks everything that can be known before a message is sent.
func (n NotificationsConfig) validate() error {
	for name, c := range n.Channels {
		field := "notifications.channels." + name
		if !channelName.MatchString(name) {
			return channelWrong(field, "", "is no name of a channel").WithHint("use up to 40 letters, digits, - and _")
		}
		if err := c.withDefaults().validate(field); err != nil {
			return err
		}
	}
	if err := n.Digest.validate(n.Channels); err != nil {
		return err
	}
	return n.Mentions.validate(n.Channels)
}

func (d DigestConfig) validate(channels map[string]ChannelConfig) error {
	const field = "notifications.digest"
	if d == (DigestConfig{}) {
		return nil
	}
	if _, ok := channels[d.Channel]; !ok {
		return channelWrong(field, "channel", "is %q, which is none of the channels", d.Channel).
			WithHint("name one of notifications.channels")
	}
	if d.Day < 0 || d.Day > 28 {
		return channelWrong(field, "day", "is %d; it must be from 1 to 28", d.Day).WithHint("every month has a 28th")
	}
	if _, err := time.LoadLocation(d.Zone); err != nil || d.Zone == "Local" {
		return channelWrong(field, "zone", "is %q, which is no time zone", d.Zone).
			WithHint("use a name such as Asia/Tokyo or Europe/Berlin")
	}
	return nil
}

// channelWrong is the Problem of a field of the notifications. Values of addresses are never repeated.
func channelWrong(field, name, message string, args ...any) *problem.Problem {
	if name != "" {
		field += "." + name
	}
	return problem.New(problem.Invalid, "config_channel", field+" "+message, args...).With("field", field)
}

func (c ChannelConfig) validate(field string) *problem.Problem {
	switch {
	case !slices.Contains([]string{ChannelSlack, ChannelTeams, ChannelWebhook, ChannelMail}, c.Kind):
		return channelWrong(field, "kind", "is %q; it must be slack, teams, webhook or mail", c.Kind)
	case !slices.Contains(wording.Languages(), c.Lang):
		return channelWrong(field, "lang", "is %q; it must be en, ja or both", c.Lang)
	}
	if err := c.foreign(field); err != nil {
		return err
	}
	for name, value := range map[string]string{"url_env": c.URLEnv, "secret_env": c.SecretEnv, "password_env": c.PasswordEnv} {
		if value != "" && !variableName.MatchString(value) {
			return channelWrong(field, name, "is not the name of an environment variable").
				WithHint("write the name of the variable here and the secret into the variable")
		}
	}
	if c.Kind == ChannelMail {
		return c.validateMail(field)
	}
	if (c.URL == "") == (c.URLEnv == "") {
		return channelWrong(field, "url_env", "or url is needed, and only one of them").
			WithHint("url_env names the environment variable with the address, which is a secret")
	}
	if c.URL != "" {
		if reason := AddressWrong(c.URL, c.AllowPrivate); reason != "" {
			return channelWrong(field, "url", "%s", reason)
		}
	}
	return nil
}

// foreign refuses fields that the kind of channel has no use for: what is written and not heeded would be a trap.
func (c ChannelConfig) foreign(field string) *problem.Problem {
	isMail := c.Kind == ChannelMail
	for _, f := range []struct {
		name   string
		set    bool
		wanted bool
	}{
		{"url", c.URL != "", !isMail},
		{"url_env", c.URLEnv != "", !isMail},
		{"secret_env", c.SecretEnv != "", c.Kind == ChannelWebhook},
		{"host", c.Host != "", isMail},
		{"port", c.Port != 0, isMail},
		{"user", c.User != "", isMail},
		{"password_env", c.PasswordEnv != "", isMail},
		{"from", c.From != "", isMail},
		{"to", len(c.To) > 0, isMail},
		{"tls", c.TLS != "", isMail},
	} {
		if f.set && !f.wanted {
			return channelWrong(field, f.name, "has no meaning for kind %s", c.Kind).WithHint("remove it")
		}
	}
	return nil
}

func (c ChannelConfig) validateMail(field string) *problem.Problem {
	switch {
	case c.Host == "" || strings.ContainsAny(c.Host, "/:@ \t\r\n\x00"):
		return channelWrong(field, "host", "is not the name of a mail server").
			WithHint("write the name alone, such as smtp.example; the port stands in port")
	case !slices.Contains([]string{tlsStart, TlsWhole, TlsNone}, c.TLS):
		return channelWrong(field, "tls", "is %q; it must be starttls, tls or none", c.TLS)
	case c.Port < 1 || c.Port > 65535:
		return channelWrong(field, "port", "is %d; it must be from 1 to 65535", c.Port)
	case (c.User == "") != (c.PasswordEnv == ""):
		return channelWrong(field, "password_env", "and user belong together").
			WithHint("give both, or none for a server that asks nobody who they are")
	case c.User != "" && c.TLS == TlsNone:
		return channelWrong(field, "tls", "is none, and the password could be read on the way").WithHint("use starttls or tls")
	case len(c.To) == 0 || len(c.To) > 100:
		return channelWrong(field, "to", "has %d addresses; it must have from 1 to 100", len(c.To))
	}
	if _, err := mail.ParseAddress(c.From); err != nil || strings.ContainsAny(c.From, "\r\n") {
		return channelWrong(field, "from", "is not a mail address").WithHint("for example Workbench <workbench@example.org>")
	}
	for _, to := range c.To {
		if _, err := mail.ParseAddress(to); err != nil || strings.ContainsAny(to, "\r\n") {
			return channelWrong(field, "to", "holds something that is not a mail address")
		}
	}
	return nil
}

// AddressWrong says what is wrong with the address of a webhook, "" for nothing. It does not repeat the address.
func AddressWrong(address string, private bool) string {
	u, err := url.Parse(address)
	switch {
	case err != nil || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }):
		return "is not a web address"
	case u.Scheme != "https" && (u.Scheme != "http" || !private):
		return "must begin with https:// (http:// is possible with allow_private: true)"
	case u.Hostname() == "":
		return "names no host"
	case u.User != nil:
		return "holds a user or password before the host"
	case u.Fragment != "" || strings.HasSuffix(address, "#"):
		return "has a part after #, which would not be sent"
	}
	return ""
}

// ChannelNames are the channels of the configuration, sorted.
func (c Config) ChannelNames() []string {
	names := make([]string, 0, len(c.Notifications.Channels))
	for name := range c.Notifications.Channels {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Channel returns a channel by its name, with defaults filled in. NotFound where the configuration has none.
func (c Config) Channel(name string) (ChannelConfig, error) {
	channel, ok := c.Notifications.Channels[name]
	if !ok {
		return channel, problem.New(problem.NotFound, "channel_unknown", "the configuration has no channel %q", name).With("channel", name).
			WithHint("channels stand in the configuration file under notifications.channels; `workbench notify list` shows them")
	}
	return channel.withDefaults(), nil
}

// Secrets returns what a channel keeps in the environment: the address, the key of the signature, the password. A Problem says
// which variable is empty or holds what cannot be used; it does not repeat the value.
func (c ChannelConfig) Secrets(name string, getenv func(string) string) (address, key, password string, err error) {
	field := "notifications.channels." + name
	for _, s := range []struct {
		variable, name string
		into           *string
	}{{c.URLEnv, "url_env", &address}, {c.SecretEnv, "secret_env", &key}, {c.PasswordEnv, "password_env", &password}} {
		if s.variable == "" {
			continue
		}
		if *s.into = getenv(s.variable); *s.into == "" {
			return "", "", "", channelWrong(field, s.name, "names the environment variable %s, which is not set", s.variable).
				With("variable", s.variable).
				WithHint("set it where the server runs")
		}
	}
	address = firstOf(c.URL, address)
	if c.URLEnv != "" {
		if reason := AddressWrong(address, c.AllowPrivate); reason != "" {
			return "", "", "", channelWrong(field, "url_env", "names the environment variable %s; what it holds %s", c.URLEnv, reason).
				With("variable", c.URLEnv)
		}
	}
	return address, key, password, nil
}
