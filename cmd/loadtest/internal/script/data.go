package script

import (
	"crypto/hmac"
	"crypto/md5" //nolint:gosec // what the script asks for by name
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // what the script asks for by name
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"sync"

	"github.com/dop251/goja"
)

// sharedArray is made once by the first user and read by all.
type sharedArray struct {
	once  sync.Once
	items []string // as JSON
}

// sharing is the module k6/data.
func (u *User) sharing() *goja.Object {
	m := u.rt.NewObject()
	set(m, "SharedArray", func(c goja.ConstructorCall) *goja.Object {
		if u.booted {
			u.throw("a SharedArray is made at the top level of the script")
		}
		found, _ := u.script.arrays.LoadOrStore(c.Argument(0).String(), &sharedArray{})
		array, _ := found.(*sharedArray)
		array.once.Do(func() { array.items = u.items(c.Argument(1)) })
		return u.rt.NewDynamicArray(&view{u, array.items})
	})
	return m
}

func (u *User) items(maker goja.Value) []string {
	f, ok := goja.AssertFunction(maker)
	if !ok {
		u.throw("SharedArray: a name and a function")
	}
	made, err := f(goja.Undefined())
	if err != nil {
		panic(err)
	}
	o, ok := made.(*goja.Object)
	if !ok || o.ClassName() != "Array" {
		u.throw("SharedArray: the function must return an array")
	}
	var items []string
	for _, key := range o.Keys() {
		text, err := u.json(o.Get(key))
		if err != nil {
			u.throw("SharedArray: %w", err)
		}
		items = append(items, string(text))
	}
	return items
}

// view is one user's look at a shared array: each read is a fresh copy.
type view struct {
	u     *User
	items []string
}

// Len is goja's: how long the array is.
func (v *view) Len() int { return len(v.items) }

// Get is goja's: one element.
func (v *view) Get(i int) goja.Value {
	if i < 0 || i >= len(v.items) {
		return goja.Undefined()
	}
	value, err := v.u.parse(v.items[i])
	if err != nil {
		panic(err)
	}
	return value
}

// Set is goja's: nothing can be changed.
func (v *view) Set(int, goja.Value) bool { return v.refuse() }

// SetLen is goja's: nothing can be changed.
func (v *view) SetLen(int) bool { return v.refuse() }

func (v *view) refuse() bool {
	v.u.throw("a SharedArray cannot be changed")
	return false
}

// octets are the bytes of a string or an ArrayBuffer.
func (u *User) octets(v goja.Value) []byte {
	switch b := v.Export().(type) {
	case goja.ArrayBuffer:
		return b.Bytes()
	case []byte:
		return b
	default:
		return []byte(v.String())
	}
}

var encodings = map[string]*base64.Encoding{
	"": base64.StdEncoding, "undefined": base64.StdEncoding, "std": base64.StdEncoding,
	"rawstd": base64.RawStdEncoding, "url": base64.URLEncoding, "rawurl": base64.RawURLEncoding,
}

func (u *User) base64(v goja.Value) *base64.Encoding {
	e, ok := encodings[v.String()]
	if !ok {
		u.outside("the base64 encoding " + v.String())
	}
	return e
}

// encoding is the module k6/encoding.
func (u *User) encoding() *goja.Object {
	m := u.rt.NewObject()
	set(m, "b64encode", func(c goja.FunctionCall) goja.Value {
		return u.rt.ToValue(u.base64(c.Argument(1)).EncodeToString(u.octets(c.Argument(0))))
	})
	set(m, "b64decode", func(c goja.FunctionCall) goja.Value {
		text, err := u.base64(c.Argument(1)).DecodeString(c.Argument(0).String())
		if err != nil {
			u.throw("b64decode: %w", err)
		}
		if c.Argument(2).String() == "s" {
			return u.rt.ToValue(string(text))
		}
		return u.rt.ToValue(u.rt.NewArrayBuffer(text))
	})
	return m
}

var hashes = map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha512": sha512.New}

// crypto is the module k6/crypto.
func (u *User) crypto() *goja.Object {
	m := u.rt.NewObject()
	for name, kind := range hashes {
		set(m, name, func(c goja.FunctionCall) goja.Value {
			return u.digest(kind(), c.Argument(0), c.Argument(1))
		})
	}
	set(m, "hmac", func(c goja.FunctionCall) goja.Value {
		kind, ok := hashes[c.Argument(0).String()]
		if !ok {
			return u.outside("the hash " + c.Argument(0).String())
		}
		return u.digest(hmac.New(kind, u.octets(c.Argument(1))), c.Argument(2), c.Argument(3))
	})
	set(m, "randomBytes", func(c goja.FunctionCall) goja.Value {
		n := c.Argument(0).ToInteger()
		if n < 1 || n > 1<<20 {
			u.throw("randomBytes: between 1 and 1048576")
		}
		b := make([]byte, n)
		_, _ = rand.Read(b) // never fails
		return u.rt.ToValue(u.rt.NewArrayBuffer(b))
	})
	return m
}

func (u *User) digest(h hash.Hash, input, form goja.Value) goja.Value {
	_, _ = h.Write(u.octets(input)) // never fails
	sum := h.Sum(nil)
	switch form.String() {
	case "hex":
		return u.rt.ToValue(hex.EncodeToString(sum))
	case "binary":
		return u.rt.ToValue(u.rt.NewArrayBuffer(sum))
	}
	return u.rt.ToValue(u.base64(u.rt.ToValue(map[string]string{
		"base64": "std", "base64url": "url", "base64rawurl": "rawurl",
	}[form.String()])).EncodeToString(sum))
}
