package app

import (
	_ "embed"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

//go:embed prices_public.yaml
var publicPricesFile []byte

// PublicPrices are list prices that ship with the program: from where, of which day, and for which addresses they hold.
type PublicPrices struct {
	Source   string                `json:"source" yaml:"source"`
	Date     string                `json:"date" yaml:"date"` // YYYY-MM-DD
	Currency string                `json:"currency" yaml:"currency"`
	Host     string                `json:"host" yaml:"-"` // addresses, separated by commas
	Hosts    map[string]llm.Prices `json:"-" yaml:"hosts"`
}

// Public is the table of list prices that ships with the program.
var Public = sync.OnceValue(func() PublicPrices {
	var p PublicPrices
	if err := yaml.ReadStrict(publicPricesFile, &p); err != nil {
		panic(fmt.Sprintf("prices_public.yaml: %v", err)) // embedded at build time
	}
	p.Host = strings.Join(slices.Sorted(maps.Keys(p.Hosts)), ", ")
	return p
})

// public are the public prices of a provider's models: none where it is not at a maker's own address, or the currency is another.
func (c Config) public(provider string) llm.Prices {
	u, err := url.Parse(c.Providers[provider].BaseURL)
	if err != nil || c.Currency != Public().Currency {
		return nil
	}
	return Public().Hosts[u.Host]
}

// PricesOf are the prices of a provider's models: those of the configuration and, at the address they hold for, public ones for models
// that it does not name. A model without a price is unknown, not free.
func (c Config) PricesOf(provider string) llm.Prices {
	out := llm.Prices{}
	maps.Copy(out, c.public(provider))
	maps.Copy(out, c.Prices)
	return out
}

// CostOf is what this usage of a provider's model costs in millionths of the currency; known is false without a price.
func (c Config) CostOf(provider, model string, u llm.Usage) (micros int64, known bool) {
	price, own := c.Prices[model]
	if !own {
		price, own = c.public(provider)[model]
	}
	if !own {
		return 0, false
	}
	return llm.Prices{model: price}.Cost(model, u)
}
