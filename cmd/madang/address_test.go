package main

import "testing"

func TestPublicAddressOfAListener(t *testing.T) {
	tests := []struct{ addr, want string }{
		{"localhost:8080", "http://localhost:8080"},
		{":8080", "http://localhost:8080"},
		{"0.0.0.0:8080", "http://localhost:8080"},
		{"[::]:8080", "http://localhost:8080"},
		{"127.0.0.1:8080", "http://127.0.0.1:8080"},
		{"[::1]:8080", "http://[::1]:8080"},
		{"board.example.org:8080", "http://board.example.org:8080"},
	}
	for _, test := range tests {
		var a address
		if err := a.UnmarshalText([]byte(test.addr)); err != nil {
			t.Errorf("%s: %v", test.addr, err)
			continue
		}
		if got := a.publicURL(8080).String(); got != test.want {
			t.Errorf("%s is seen at %s, want %s", test.addr, got, test.want)
		}
	}
}

func TestPublicAddressIsCanonical(t *testing.T) {
	tests := []struct{ given, want, prefix string }{
		{"https://example.org", "https://example.org", ""},
		{"https://example.org/", "https://example.org", ""},
		{"https://example.org/board/", "https://example.org/board", "/board"},
		{"https://example.org/a/b~c_d.e", "https://example.org/a/b~c_d.e", "/a/b~c_d.e"},
		{"HTTPS://Example.ORG:443/board", "https://example.org/board", "/board"},
		{"http://example.org:80", "http://example.org", ""},
		{"http://example.org:443", "http://example.org:443", ""},
		{"http://[::1]:8080", "http://[::1]:8080", ""},
		{"http://[::1]", "http://[::1]", ""},
		{"https://마당.example", "https://xn--ok1b32k.example", ""},
	}
	for _, test := range tests {
		var p publicURL
		if err := p.UnmarshalText([]byte(test.given)); err != nil {
			t.Errorf("%s: %v", test.given, err)
			continue
		}
		if got := p.String(); got != test.want || p.prefix() != test.prefix {
			t.Errorf("%s is %s with prefix %q, want %s with %q", test.given, got, p.prefix(), test.want, test.prefix)
		}
	}
}

func TestSenderOfASite(t *testing.T) {
	tests := map[string]sender{
		"https://example.org/board": "Madang <no-reply@example.org>",
		"http://localhost:8080":     "Madang <no-reply@localhost>",
		"http://127.0.0.1:8080":     "Madang <no-reply@localhost>",
		"http://[::1]:8080":         "Madang <no-reply@localhost>",
	}
	for given, want := range tests {
		var p publicURL
		if err := p.UnmarshalText([]byte(given)); err != nil {
			t.Errorf("%s: %v", given, err)
			continue
		}
		if got := p.defaultSender(); got != want {
			t.Errorf("the sender of %s is %q, want %q", given, got, want)
		}
		if err := new(sender).UnmarshalText([]byte(p.defaultSender())); err != nil {
			t.Errorf("the sender of %s: %v", given, err)
		}
	}
}
