// Package intake reads what people bring: question sheets, answers, scores, results of other tools, draft sheets, reviews.
package intake
