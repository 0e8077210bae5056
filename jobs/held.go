package jobs

import (
	"context"
	"time"

	"madang/store"
)

// heldJob is a job that a worker of this pool has in its hands.
type heldJob struct {
	job   store.Job
	until time.Time // when the lease ends, as far as we know
	// settling is true once the handler has returned. The lease is extended
	// no more: a result that cannot be written must not hold the job for ever.
	settling bool
}

// holding is the number of jobs in the workers' hands.
func (p *Pool) holding() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.held)
}

// hold notes a claimed job. It reports false when a worker still has that very
// job in hand, which lost its lease while the database was out of reach: then
// the worker goes on under the new lease, and nothing runs twice.
func (p *Pool) hold(job store.Job, until time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if h := p.held[job.ID]; h != nil {
		h.job.Lease, h.until = job.Lease, until
		return false
	}
	p.held[job.ID] = &heldJob{job: job, until: until}
	return true
}

// letGo forgets a job and tells the claimer that a worker is free.
func (p *Pool) letGo(id int64) {
	p.mu.Lock()
	delete(p.held, id)
	p.mu.Unlock()
	signal(p.freed)
}

// lease returns the job with its newest lease, and when that ends.
func (p *Pool) lease(id int64) (store.Job, time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held[id].job, p.held[id].until
}

// settle notes that the handler of the job has returned.
func (p *Pool) settle(id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held[id].settling = true
}

// handled lists the jobs whose handlers are running.
func (p *Pool) handled() []store.Job {
	p.mu.Lock()
	defer p.mu.Unlock()
	jobs := make([]store.Job, 0, len(p.held))
	for _, h := range p.held {
		if !h.settling {
			jobs = append(jobs, h.job)
		}
	}
	return jobs
}

// beat extends the leases of the running jobs until ctx ends, which is after
// the last job is done: a pool that drains is still at work.
func (p *Pool) beat(ctx context.Context) {
	for ctx.Err() == nil {
		await(ctx, p.opts.Lease/3, nil, nil)
		if jobs := p.handled(); len(jobs) > 0 && ctx.Err() == nil {
			p.extend(ctx, jobs)
		}
	}
}

func (p *Pool) extend(ctx context.Context, jobs []store.Job) {
	ctx, cancel := context.WithTimeout(ctx, p.opts.Lease/3)
	defer cancel()
	until := p.opts.Now().Add(p.opts.Lease)
	if err := p.opts.Store.ExtendLeases(ctx, jobs, p.opts.Lease); err != nil {
		p.errors.add(ctx, "extending leases", err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, job := range jobs {
		if h := p.held[job.ID]; h != nil && h.job.Lease == job.Lease {
			h.until = until
		}
	}
}
