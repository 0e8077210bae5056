package store

import (
	"fmt"
	"strings"
)

// An array made once is what both statements below take: a join could ask for
// the rows a second time and so take too many, and the planner, who cannot know
// how few they are, would walk through the whole table for them.

// promoteSQL passes over what another process promotes at the same time.
func (p *postgres) promoteSQL() string {
	return `WITH due AS MATERIALIZED (SELECT id FROM jobs WHERE kind = $1 AND state = 'scheduled' AND run_at <= $2
			ORDER BY run_at LIMIT $3 FOR UPDATE SKIP LOCKED)
		UPDATE jobs SET state = 'available' WHERE id = ANY (ARRAY(SELECT id FROM due))`
}

// claimSQL takes of each kind as many as are among the oldest of all, and what
// a kind before it left because others hold it. It locks what it takes and
// nothing else: a job that was locked in vain would be missed by everybody who
// looked meanwhile. Each kind is asked apart, along its index.
func (p *postgres) claimSQL(kinds int) string {
	last := 2*kinds + 4 // the limit
	var heads, taken, all []string
	for i := range kinds {
		kind, limit := 2*i+4, 2*i+5
		heads = append(heads, fmt.Sprintf(`(SELECT id, %d AS place FROM jobs WHERE kind = $%d AND state = 'available'
			ORDER BY id LIMIT $%d)`, i, kind, limit))
		others := strings.Repeat(" - (SELECT COUNT(*) FROM %s)", i)
		for before := range i {
			others = strings.Replace(others, "%s", fmt.Sprintf("taken%d", before), 1)
		}
		taken = append(taken, fmt.Sprintf(`taken%d AS MATERIALIZED (SELECT id FROM jobs WHERE kind = $%d AND state = 'available'
			ORDER BY id LIMIT (SELECT COUNT(*) FROM oldest WHERE place <= %d)%s FOR UPDATE SKIP LOCKED)`, i, kind, i, others))
		all = append(all, fmt.Sprintf("SELECT id FROM taken%d", i))
	}
	return fmt.Sprintf(`WITH oldest AS MATERIALIZED (SELECT id, place FROM (%s) AS heads ORDER BY id LIMIT $%d), %s
		UPDATE jobs SET state = 'running', lease = $1, lease_until = $2, started_at = $3, attempt = attempt + 1
		WHERE id = ANY (ARRAY(%s))
		RETURNING id, kind, attempt, forgiven, payload, created_at`,
		strings.Join(heads, " UNION ALL "), last, strings.Join(taken, ", "), strings.Join(all, " UNION ALL "))
}
