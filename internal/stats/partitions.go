package stats

// PartitionMatch is how much two groupings of the same items have in common; names of groups do not matter.
type PartitionMatch struct {
	ARI float64 `json:"ari"` // adjusted Rand index (Hubert and Arabie 1985): 1 for equal groupings, 0 for chance
	NMI float64 `json:"nmi"` // mutual information over the mean of the two entropies, in [0, 1]
}
