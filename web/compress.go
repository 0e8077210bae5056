package web

import (
	"bytes"
	"compress/gzip"
	"sync"
)

// compressFrom is the length in bytes from which a body is worth compressing.
const compressFrom = 1024

// content is the body of an answer. It is compressed once, when the first
// client asks for that.
type content struct {
	plain   []byte
	once    sync.Once
	gzipped []byte
}

// compressor compresses bodies with writers that it uses again and again.
type compressor struct{ writers sync.Pool }

func newCompressor() *compressor {
	return &compressor{sync.Pool{New: func() any { return gzip.NewWriter(nil) }}}
}

// gzipped returns the body in gzip, nil when it is to be sent as it is.
func (p *compressor) gzipped(c *content) []byte {
	c.once.Do(func() { c.gzipped = p.gzip(c.plain) })
	return c.gzipped
}

// gzip returns nil when the library fails, which it does not in memory.
func (p *compressor) gzip(plain []byte) []byte {
	w, ok := p.writers.Get().(*gzip.Writer)
	if !ok {
		return nil
	}
	defer p.writers.Put(w)
	var packed bytes.Buffer
	w.Reset(&packed)
	if _, err := w.Write(plain); err != nil {
		return nil
	}
	if err := w.Close(); err != nil {
		return nil
	}
	return packed.Bytes()
}
