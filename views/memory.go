package views

import "sync"

// memoryLimit bounds the rendered texts that are kept, in bytes of each of
// the two generations.
const memoryLimit = 4 << 20

// textKey is everything that a rendered text depends on.
type textKey struct {
	id        int64
	sink      int
	source    string
	mentioned string // see Page.mentioned
}

// memory keeps rendered texts, because the same few posts are read again and
// again and some texts are slow to render. When the young generation is full
// it becomes the old one, and what was old and not asked for since is gone.
type memory struct {
	limit      int
	mu         sync.Mutex
	young, old map[textKey]string
	size       int // of young
}

func (m *memory) recall(key textKey) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if html, ok := m.young[key]; ok {
		return html, true
	}
	html, ok := m.old[key]
	if ok {
		m.add(key, html)
	}
	return html, ok
}

func (m *memory) keep(key textKey, html string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(key, html)
}

func (m *memory) add(key textKey, html string) {
	if m.young == nil || m.size > m.limit {
		m.old, m.young, m.size = m.young, map[textKey]string{}, 0
	}
	m.young[key] = html
	m.size += len(key.source) + len(key.mentioned) + len(html)
}
