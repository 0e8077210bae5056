package client

import (
	"context"
	"errors"
	"net"
	"strings"
	"syscall"
)

// Code is k6's number for what went wrong; 0 when nothing did.
func (a *Answer) Code() int {
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case a.Err == nil && a.Status >= 400:
		return 1000 + a.Status
	case a.Err == nil:
		return 0
	case errors.Is(a.Err, context.DeadlineExceeded), errors.As(a.Err, &timeout) && timeout.Timeout():
		return 1050
	case errors.As(a.Err, &dns):
		return 1101
	case errors.Is(a.Err, syscall.ECONNREFUSED):
		return 1212
	case errors.Is(a.Err, syscall.ECONNRESET):
		return 1220
	default:
		return 1000
	}
}

// Reason is what went wrong in words; empty when nothing did.
func (a *Answer) Reason() string {
	switch {
	case a.Err == nil:
		return ""
	case errors.Is(a.Err, context.DeadlineExceeded):
		return "request timeout"
	default:
		return strings.TrimSpace(a.Err.Error())
	}
}
