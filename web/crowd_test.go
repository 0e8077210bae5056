package web

import "sync"

// crowd does the same many times at once and counts the statuses.
func crowd(n int, do func(i int) int) map[int]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	statuses, start := map[int]int{}, make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			status := do(i)
			mu.Lock()
			defer mu.Unlock()
			statuses[status]++
		})
	}
	close(start)
	wg.Wait()
	return statuses
}
