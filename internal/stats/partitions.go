package stats

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// PartitionMatch is how much two groupings of the same items have in common; names of groups do not matter.
type PartitionMatch struct {
	ARI float64 `json:"ari"` // adjusted Rand index (Hubert and Arabie 1985): 1 for equal groupings, 0 for chance
	NMI float64 `json:"nmi"` // mutual information over the mean of the two entropies, in [0, 1]
}

// ComparePartitions compares two groupings, given as one label for each item. Two groupings that both put all items
// together, or both all apart, are equal: both figures are 1. It fails without items and on lists of different lengths.
func ComparePartitions(a, b []int) (PartitionMatch, error) {
	if len(a) != len(b) || len(a) == 0 {
		return PartitionMatch{}, fmt.Errorf("partitions: %d labels against %d; both must label the same items", len(a), len(b))
	}
	inA, inB, both := map[int]int{}, map[int]int{}, map[[2]int]int{}
	for i := range a {
		inA[a[i]]++
		inB[b[i]]++
		both[[2]int{a[i], b[i]}]++
	}
	sizesA, sizesB, sizes := sortedSizes(inA), sortedSizes(inB), sortedSizes(both)
	n := float64(len(a))
	pairs, pairsA, pairsB := pairsWithin(sizes), pairsWithin(sizesA), pairsWithin(sizesB)
	var r PartitionMatch
	expected, most := ratio(pairsA*pairsB, n*(n-1)/2), (pairsA+pairsB)/2
	if most == expected {
		r.ARI = 1
	} else {
		r.ARI = (pairs - expected) / (most - expected)
	}
	entropyA, entropyB := entropy(sizesA, n), entropy(sizesB, n)
	if entropyA+entropyB == 0 {
		r.NMI = 1
	} else {
		r.NMI = max(0, min(1, 2*(entropyA+entropyB-entropy(sizes, n))/(entropyA+entropyB)))
	}
	return r, nil
}

// sortedSizes orders the sizes of groups, so that sums over them do not depend on the order of a map.
func sortedSizes[K comparable](groups map[K]int) []int {
	return slices.Sorted(maps.Values(groups))
}

func pairsWithin(sizes []int) float64 {
	sum := 0.0
	for _, k := range sizes {
		sum += float64(k) * float64(k-1) / 2
	}
	return sum
}

func entropy(sizes []int, n float64) float64 {
	sum := 0.0
	for _, k := range sizes {
		sum -= float64(k) / n * math.Log(float64(k)/n)
	}
	return sum
}

// Jaccard is the size of the intersection of two sets over that of their union; 1 for two empty sets.
func Jaccard[T comparable](a, b []T) float64 {
	inA, union, shared := map[T]bool{}, map[T]bool{}, 0
	for _, v := range a {
		inA[v], union[v] = true, true
	}
	seen := map[T]bool{}
	for _, v := range b {
		if inA[v] && !seen[v] {
			shared++
		}
		seen[v], union[v] = true, true
	}
	if len(union) == 0 {
		return 1
	}
	return float64(shared) / float64(len(union))
}
