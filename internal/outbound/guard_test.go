package outbound

import (
	"errors"
	"net/netip"
	"testing"
)

func TestPublicOnly(t *testing.T) {
	t.Parallel()
	refused := []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.9",
		"168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1",
		"192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1",
		"240.0.0.1", "255.255.255.255",
		"::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1",
		"64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:53aa::1", "2001:db8::1", "2002:7f00:1::",
		"3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "2606:4700::1%eth0", "fec0::1",
		"ff02::1", "::ffff:8.8.8.8%eth0",
	}
	for _, text := range refused {
		if err := PublicOnly(netip.MustParseAddr(text)); !errors.Is(err, ErrAddressRefused) {
			t.Errorf("PublicOnly(%s) = %v, want a refusal", text, err)
		}
	}
	if err := PublicOnly(netip.Addr{}); !errors.Is(err, ErrAddressRefused) {
		t.Errorf("PublicOnly(invalid) = %v, want a refusal", err)
	}
	allowed := []string{
		"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.255.255.255", "128.0.0.1",
		"172.15.255.255", "172.32.0.1", "192.167.255.255", "192.169.0.1", "198.17.255.255", "198.20.0.1",
		"223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::808:808", "2606:4700:4700::1111", "2001:4860:4860::8888",
	}
	for _, text := range allowed {
		if err := PublicOnly(netip.MustParseAddr(text)); err != nil {
			t.Errorf("PublicOnly(%s) = %v, want no error", text, err)
		}
	}
}

// FuzzPublicOnly checks the guard against the classification of the standard library, which knows fewer ranges: whatever
// that calls private or local must be refused, written as IPv4 or inside IPv6.
func FuzzPublicOnly(f *testing.F) {
	f.Add([]byte{127, 0, 0, 1})
	f.Add(netip.MustParseAddr("::ffff:10.0.0.1").AsSlice())
	f.Add(netip.MustParseAddr("fe80::1").AsSlice())
	f.Fuzz(func(t *testing.T, raw []byte) {
		addr, ok := netip.AddrFromSlice(raw)
		if !ok {
			return
		}
		plain := addr.Unmap()
		local := plain.IsLoopback() || plain.IsPrivate() || plain.IsUnspecified() || plain.IsMulticast() ||
			plain.IsLinkLocalUnicast()
		if local && PublicOnly(addr) == nil {
			t.Fatalf("PublicOnly(%s) allows a local address", addr)
		}
		if plain.Is4() {
			b := plain.As4()
			nat64 := netip.AddrFrom16([16]byte{0, 0x64, 0xff, 0x9b, 12: b[0], 13: b[1], 14: b[2], 15: b[3]})
			if (PublicOnly(addr) == nil) != (PublicOnly(nat64) == nil) {
				t.Fatalf("PublicOnly differs between %s and %s", addr, nat64)
			}
		}
	})
}

// TestPrivateToo: a host that was allowed may be in a private network or on this machine, and nowhere else that is special.
func TestPrivateToo(t *testing.T) {
	t.Parallel()
	for text, allowed := range map[string]bool{
		"10.1.2.3": true, "192.168.0.9": true, "127.0.0.1": true, "::1": true, "fd00::7": true, "::ffff:10.0.0.1": true, "8.8.8.8": true,
		"169.254.169.254": false, "0.0.0.0": false, "224.0.0.1": false, "fe80::1": false, "100.64.0.1": false,
		"::ffff:169.254.169.254": false,
	} {
		if err := PrivateToo(netip.MustParseAddr(text)); (err == nil) != allowed {
			t.Errorf("%s: %v, allowed is to be %v", text, err, allowed)
		}
	}
}
