// Package progress sets runs beside what people agreed and said, and beside the runs before them: agreements, reviews, trend.
package progress
