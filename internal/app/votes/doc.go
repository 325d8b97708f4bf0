// Package votes buys the votes that settle a comparison.
package votes
