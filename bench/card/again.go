package main

import (
	"encoding/json"
	"fmt"
	"math"
)

// reply is one recorded reply.
type reply struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

// lowest is the highest grade that is called low.
const lowest = 2

// body is what is compared of a reply; its other fields are reasons and wordings.
type body struct {
	Score    *int `json:"score"`
	Verdicts []struct {
		Claim   int    `json:"claim"`
		Passage int    `json:"passage"`
		Verdict string `json:"verdict"`
	} `json:"verdicts"`
	Parts []struct {
		Given string `json:"given"`
	} `json:"parts"`
	Neither []struct {
		Claim    int   `json:"claim"`
		Passages []int `json:"passages"`
	} `json:"neither"`
	OnTopic *bool `json:"on_topic"`
	Refuses *bool `json:"refuses"`
}

// row is a line of the table: what two readings of the same requests agree on.
type row struct {
	what                   string
	requests, things, same int
}

// rows are what is compared, in the order of the table.
func rows() []*row {
	return []*row{
		{what: "grade, the same level"}, {what: "grade, the same side of low"}, {what: "verdict on a claim and a passage"},
		{what: "share of the question's parts that is given"}, {what: "whether the answer keeps to the topic"},
	}
}

// compare counts what two readings of one request agree on.
func compare(table []*row, first, second string) error {
	var a, b body
	for text, into := range map[*string]*body{&first: &a, &second: &b} {
		if err := json.Unmarshal([]byte(*text), into); err != nil {
			return fmt.Errorf("a recorded reply is not JSON: %w", err)
		}
	}
	count := func(n, things, same int) {
		table[n].requests, table[n].things, table[n].same = table[n].requests+1, table[n].things+things, table[n].same+same
	}
	switch {
	case a.Score != nil && b.Score != nil:
		count(0, 1, truth(*a.Score == *b.Score))
		count(1, 1, truth((*a.Score <= lowest) == (*b.Score <= lowest)))
	case len(a.Parts) > 0 && len(b.Parts) > 0:
		count(3, 1, truth(math.Abs(a.given()-b.given()) < 1e-9))
	case a.OnTopic != nil && b.OnTopic != nil:
		count(4, 1, truth(*a.OnTopic == *b.OnTopic))
	case len(a.cells()) > 0:
		mine, theirs := a.cells(), b.cells()
		same := 0
		for cell, verdict := range mine {
			same += truth(theirs[cell] == verdict)
		}
		count(2, len(mine), same)
	}
	return nil
}

// cells are the verdicts of a reply by claim and passage.
func (b body) cells() map[[2]int]string {
	out := map[[2]int]string{}
	for _, v := range b.Verdicts {
		out[[2]int{v.Claim, v.Passage}] = v.Verdict
	}
	for _, n := range b.Neither {
		for _, p := range n.Passages {
			out[[2]int{n.Claim, p}] = "neither"
		}
	}
	return out
}

// given is the share of the parts that are given, half for those given in part.
func (b body) given() float64 {
	sum := 0.0
	for _, p := range b.Parts {
		sum += map[string]float64{"yes": 1, "partly": 0.5}[p.Given]
	}
	return sum / float64(len(b.Parts))
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
