// Package listing pages and orders the lists of the API.
package listing
