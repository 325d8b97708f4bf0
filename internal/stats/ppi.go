package stats

import (
	"fmt"
	"math"
)

// crossFitFolds is the number of folds of [CrossFitPPI].
const crossFitFolds = 5

// PPIEstimate is a mean corrected by few true labels: prediction-powered inference (arXiv 2301.09633, 2311.01453).
type PPIEstimate struct {
	Estimate float64 `json:"estimate"`
	SE       float64 `json:"se"`
	Lambda   float64 `json:"lambda"` // weight of the predictions: 0 uses the labels alone, 1 trusts predictions fully
	Low      float64 `json:"ci_low"`
	High     float64 `json:"ci_high"`
}

// tunedLambda divides a covariance by (1 + n/N) times the variance of all predictions, within [0, 1].
func tunedLambda(covariance float64, predicted, unlabelled []float64, share float64) float64 {
	pooled := Variance(append(append([]float64{}, predicted...), unlabelled...), 1)
	return max(0, min(1, ratio(covariance, pooled*(1+share))))
}

// CrossFitPPI is [PPIPlusPlus] for few labels: the lambda of item i comes from the items of the other folds, where fold
// is i mod 5, with ddof 1; standard error with ddof 1, interval from Student's t with n-1 degrees of freedom. It also
// returns the lambda of each labelled item; Lambda is their mean. It fails as [PPI], and on fewer than four labels,
// because a fold must leave two.
func CrossFitPPI(truth, predicted, unlabelled []float64, confidence float64) (PPIEstimate, []float64, error) {
	if err := labelled("cross-fitted PPI", truth, predicted, unlabelled, 4, confidence); err != nil {
		return PPIEstimate{}, nil, err
	}
	n, m := float64(len(truth)), float64(len(unlabelled))
	lambdas := make([]float64, len(truth))
	for fold := range min(crossFitFolds, len(truth)) {
		var y, f []float64
		for i := range truth {
			if i%crossFitFolds != fold {
				y, f = append(y, truth[i]), append(f, predicted[i])
			}
		}
		// The variance is that of all predictions, those of the fold too: it does not see the truth.
		lambda := tunedLambda(Covariance(y, f, 1), predicted, unlabelled, n/m)
		for i := fold; i < len(lambdas); i += crossFitFolds {
			lambdas[i] = lambda
		}
	}
	return powered(truth, predicted, unlabelled, lambdas, 1, StudentQuantile(0.5+confidence/2, n-1)), lambdas, nil
}

// powered combines the two samples with a lambda for each labelled item; quantile widens the interval.
func powered(truth, predicted, unlabelled, lambdas []float64, ddof int, quantile float64) PPIEstimate {
	rest := make([]float64, len(truth))
	for i := range truth {
		rest[i] = truth[i] - lambdas[i]*predicted[i]
	}
	r := PPIEstimate{Lambda: Mean(lambdas)}
	r.Estimate = r.Lambda*Mean(unlabelled) + Mean(rest)
	r.SE = math.Sqrt(r.Lambda*r.Lambda*Variance(unlabelled, ddof)/float64(len(unlabelled)) +
		Variance(rest, ddof)/float64(len(truth)))
	r.Low, r.High = r.Estimate-quantile*r.SE, r.Estimate+quantile*r.SE
	return r
}

func labelled(method string, truth, predicted, unlabelled []float64, least int, confidence float64) error {
	if len(truth) != len(predicted) {
		return fmt.Errorf("%s: %d labels but %d predictions for them", method, len(truth), len(predicted))
	}
	if err := sample(method+", labels", truth, least); err != nil {
		return err
	}
	if err := finite(method+", predictions", predicted); err != nil {
		return err
	}
	if err := sample(method+", unlabelled predictions", unlabelled, 2); err != nil {
		return err
	}
	return level(method, "level", confidence)
}
