package store

// AtGates counts who has passed a gate or waits at it, for each gate.
func (s *Store) AtGates() (all int) {
	s.gates.mu.Lock()
	defer s.gates.mu.Unlock()
	for _, one := range s.gates.named {
		all += one.at
	}
	return all
}

// Gates counts the gates that are there.
func (s *Store) Gates() int {
	s.gates.mu.Lock()
	defer s.gates.mu.Unlock()
	return len(s.gates.named)
}
