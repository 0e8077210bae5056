package web

import "sync"

// statuses sends so many requests at once and counts their answers.
func statuses(times int, send func() int) map[int]int {
	counts := map[int]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range times {
		wg.Go(func() {
			status := send()
			mu.Lock()
			defer mu.Unlock()
			counts[status]++
		})
	}
	wg.Wait()
	return counts
}
