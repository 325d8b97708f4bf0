// Package reviews holds what people agreed and said beside what runs measured.
package reviews
