package serve

import (
	"testing"
)

// What may be reached from where, and what has to be said for it.
func TestAddressesOfServe(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		command Cmd
		refused bool
		local   bool
	}{
		{Cmd{Addr: "127.0.0.1:7700"}, false, true},
		{Cmd{Addr: "127.3.2.1:0"}, false, true},
		{Cmd{Addr: "[::1]:7700"}, false, true},
		{Cmd{Addr: "localhost:7700"}, false, true},
		{Cmd{Addr: "0.0.0.0:7700"}, true, false},
		{Cmd{Addr: ":7700"}, true, false},
		{Cmd{Addr: "[::]:7700"}, true, false},
		{Cmd{Addr: "192.168.1.7:7700"}, true, false},
		{Cmd{Addr: "bench.example:7700"}, true, false},
		{Cmd{Addr: "localhost.evil.example:7700"}, true, false},
		{Cmd{Addr: "0.0.0.0:7700", BehindProxy: true}, false, false},
		{Cmd{Addr: "0.0.0.0:7700", InsecureHTTP: true}, false, false},
		{Cmd{Addr: "7700"}, true, false},
		{Cmd{Addr: "127.0.0.1:7700", TLSCert: "cert.pem"}, true, false},
		{Cmd{Addr: "127.0.0.1:7700", TLSCert: "none.pem", TLSKey: "none.pem"}, true, false},
	} {
		local, _, err := test.command.check()
		if (err != nil) != test.refused || err == nil && local != test.local {
			t.Errorf("%+v: local %v, %v", test.command, local, err)
		}
	}
}
