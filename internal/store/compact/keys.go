package compact

import (
	"encoding/hex"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// Keys gives the stage keys of a result in the order in which it refers to them.
type Keys struct {
	reader
	list []string

	// in short there is no list
	short  bool
	prints []uint64 // of each key
	print  uint64   // of those that were asked for since it was 0
}

// ReadKeys reads the keys of a result into one string, of which they are parts.
func ReadKeys(stages []byte) *Keys {
	k := &Keys{reader: reader{data: stages}}
	n, size := k.uint(), 0
	if n > len(stages) {
		k.fail()
		return k
	}
	rest := k.data
	for range n { // first how long they are together
		head := k.uint()
		size += len(k.take(head/2)) * (2 - head%2)
	}
	all := make([]byte, 0, size)
	k.data = rest
	ends := make([]int, 0, 16)
	for range n {
		head := k.uint()
		if raw := k.take(head / 2); head%2 == 0 {
			all = hex.AppendEncode(all, raw)
		} else {
			all = append(all, raw...)
		}
		ends = append(ends, len(all))
	}
	whole, from := string(all), 0
	k.list = make([]string, n)
	for i, end := range ends {
		k.list[i], from = whole[from:end], end
	}
	return k
}

// ReadPrints reads the prints of the keys of a result instead of them, in place of what was read before.
func (k *Keys) ReadPrints(stages []byte) {
	*k = Keys{reader: reader{data: stages}, short: true, prints: k.prints[:0]}
	n := k.uint()
	if n > len(stages) {
		k.fail()
		return
	}
	for range n {
		head := k.uint()
		k.prints = append(k.prints, experiments.KeyPrint(k.take(head/2), head%2 == 0))
	}
}

func (k *Keys) next() string {
	switch at := k.uint(); {
	case k.short && at < len(k.prints):
		k.print = experiments.AddPrint(k.print, k.prints[at])
	case !k.short && at < len(k.list):
		return k.list[at]
	default:
		k.fail()
	}
	return ""
}

func (k *Keys) some() []string {
	n, there := k.length()
	if !there {
		return nil
	}
	if k.short {
		for range n {
			k.next()
		}
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = k.next()
	}
	return out
}
