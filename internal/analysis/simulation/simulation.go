package simulation

// Simulation is what the regression guard and its neighbours do in made-up worlds whose truth is known, beside what they
// were designed to do.
type Simulation struct {
	Seed     uint64       `json:"seed"`
	Worlds   []WorldTable `json:"worlds"`
	Flaky    []FlakyRow   `json:"flaky"`
	Clusters []ClusterRow `json:"clusters"`
	Gate     []GateRow    `json:"gate"`
}

// cheap is how many more runs the worlds of means get: a run of theirs takes a hundredth of the time.
const cheap = 10

// Run plays every world, runs times each, those of means ten times as often. tell, which may be nil, hears before each
// step how many are done and how many there are, and ends the work by an error. Equal seeds give equal figures.
func Run(runs int, seed uint64, tell func(done, of int, what string) error) (Simulation, error) {
	worlds := DesignWorlds()
	s := Simulation{Seed: seed}
	steps := len(worlds) + 3
	say := func(done int, what string) error {
		if tell == nil {
			return nil
		}
		return tell(done, steps, what)
	}
	for i, w := range worlds {
		if err := say(i, w.Name()); err != nil {
			return s, err
		}
		t, err := Guard(w, runs, seed)
		if err != nil {
			return s, err
		}
		s.Worlds = append(s.Worlds, t)
	}
	means := []struct {
		what string
		play func() error
	}{
		{"questions that are answered right only sometimes", func() (err error) { s.Flaky, err = Flaky(runs, seed); return err }},
		{"questions that share documents", func() (err error) { s.Clusters, err = Clusters(cheap*runs, seed); return err }},
		{"the release check", func() (err error) { s.Gate, err = Gate(cheap*runs, seed); return err }},
	}
	for i, m := range means {
		if err := say(len(worlds)+i, m.what); err != nil {
			return s, err
		}
		if err := m.play(); err != nil {
			return s, err
		}
	}
	return s, say(steps, "")
}
