package llm

import "sync"

// SideBySide does n pieces of work at the same time and returns when all of them are done. How many of their calls are in flight the
// limits of the providers decide. A panic in one goes on in the caller, as if the work had been done there.
func SideBySide(n int, work func(i int)) {
	var all sync.WaitGroup
	var once sync.Once
	var panicked any
	for i := range n {
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					once.Do(func() { panicked = p })
				}
			}()
			work(i)
		})
	}
	all.Wait()
	if panicked != nil {
		panic(panicked)
	}
}
