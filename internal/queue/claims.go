package queue

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// claimSign stands between the name of a process and the number of its claim.
const claimSign = "#"

// processOf is the process of a claim.
func processOf(worker string) string {
	name, _, _ := strings.Cut(worker, claimSign)
	return name
}

// claims names the claims of this process and knows which of them are held.
type claims struct {
	mu   sync.Mutex
	last int
	held map[string]bool
}

// begin names a new claim and returns those held, the new one included.
func (c *claims) begin(process string) (name string, held []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	name = fmt.Sprint(process, claimSign, c.last)
	if c.held == nil {
		c.held = map[string]bool{}
	}
	c.held[name] = true
	return name, slices.Collect(maps.Keys(c.held))
}

func (c *claims) end(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.held, name)
}
