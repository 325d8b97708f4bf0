package outbound

import (
	"errors"
	"net/netip"
)

// Guard judges the address of a connection about to be made; an error, wrapping [ErrAddressRefused], prevents it.
type Guard func(netip.Addr) error

// ErrAddressRefused says that a guard did not allow a connection.
var ErrAddressRefused = errors.New("the address is not allowed")

type addressError struct {
	addr   netip.Addr
	reason string
}

func (e *addressError) Error() string {
	if !e.addr.IsValid() {
		return "the address is not allowed: it " + e.reason
	}
	return "the address " + e.addr.String() + " is not allowed: it " + e.reason
}

// Is makes errors.Is(err, ErrAddressRefused) true.
func (e *addressError) Is(target error) bool { return target == ErrAddressRefused }

// special lists what is not the public internet inside IPv4 and inside 2000::/3, after the IANA special-purpose
// registries. Everything in IPv6 outside 2000::/3 is refused without a list.
var special = []struct {
	prefix netip.Prefix
	reason string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "means this host"},
	{netip.MustParsePrefix("10.0.0.0/8"), "is private"},
	{netip.MustParsePrefix("100.64.0.0/10"), "is shared by carriers"},
	{netip.MustParsePrefix("127.0.0.0/8"), "is loopback"},
	{netip.MustParsePrefix("168.63.129.16/32"), "is a cloud platform's own service"},
	{netip.MustParsePrefix("169.254.0.0/16"), "is link-local, where clouds keep credentials"},
	{netip.MustParsePrefix("172.16.0.0/12"), "is private"},
	{netip.MustParsePrefix("192.0.0.0/24"), "is reserved for protocols"},
	{netip.MustParsePrefix("192.0.2.0/24"), "is for documentation"},
	{netip.MustParsePrefix("192.31.196.0/24"), "is reserved"},
	{netip.MustParsePrefix("192.52.193.0/24"), "is reserved"},
	{netip.MustParsePrefix("192.88.99.0/24"), "is a retired relay"},
	{netip.MustParsePrefix("192.168.0.0/16"), "is private"},
	{netip.MustParsePrefix("192.175.48.0/24"), "is reserved"},
	{netip.MustParsePrefix("198.18.0.0/15"), "is for benchmarks"},
	{netip.MustParsePrefix("198.51.100.0/24"), "is for documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "is for documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "is multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "is reserved"},
	{netip.MustParsePrefix("2001::/23"), "is reserved for protocols"},
	{netip.MustParsePrefix("2001:db8::/32"), "is for documentation"},
	{netip.MustParsePrefix("2002::/16"), "carries an IPv4 address through a relay"},
	{netip.MustParsePrefix("2620:4f:8000::/48"), "is reserved"},
	{netip.MustParsePrefix("3fff::/20"), "is for documentation"},
}

var (
	globalUnicast6 = netip.MustParsePrefix("2000::/3")
	translated     = netip.MustParsePrefix("64:ff9b::/96") // NAT64: the last four bytes are an IPv4 address
)

// PublicOnly is the ready-made [Guard] that allows public internet addresses alone. It refuses loopback, private,
// link-local, shared, multicast, documentation and reserved ranges. IPv4 inside IPv6 is judged as IPv4, and an address
// with a zone is refused, because a zone only makes sense on a local link.
func PublicOnly(addr netip.Addr) error {
	if !addr.IsValid() {
		return &addressError{reason: "is not an IP address"}
	}
	if addr.Zone() != "" {
		return &addressError{addr: addr, reason: "belongs to a local link"}
	}
	plain := addr.Unmap()
	if translated.Contains(plain) {
		b := plain.As16()
		plain = netip.AddrFrom4([4]byte(b[12:]))
	}
	if plain.Is6() && !globalUnicast6.Contains(plain) {
		return &addressError{addr: addr, reason: "is not a public IPv6 address"}
	}
	for _, s := range special {
		if s.prefix.Contains(plain) {
			return &addressError{addr: addr, reason: s.reason}
		}
	}
	return nil
}

// PrivateToo is the [Guard] for hosts that the owner of the machine allowed by name: private addresses and this machine besides those that
// [PublicOnly] allows. What clouds keep credentials at, and everything else that is special, stays refused.
func PrivateToo(addr netip.Addr) error {
	if plain := addr.Unmap(); plain.Zone() == "" && (plain.IsPrivate() || plain.IsLoopback()) {
		return nil
	}
	return PublicOnly(addr)
}
