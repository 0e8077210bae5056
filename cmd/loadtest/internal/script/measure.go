package script

import (
	"maps"
	"strconv"

	"madang/cmd/loadtest/internal/client"
	"madang/cmd/loadtest/internal/metric"
)

// measure records one hop of a request. Of an iteration that was cut off
// nothing is recorded, as in k6.
func (u *User) measure(r *request, hop *client.Answer) {
	if u.ctx.Err() != nil {
		return
	}
	tags, failed := r.hopTags(hop)
	registry, t := u.script.host.Registry, hop.Timings
	registry.Metric("http_reqs").Add(1, tags)
	if r.expect != nil {
		registry.Metric("http_req_failed").Add(number(failed), tags)
	}
	for name, d := range map[string]float64{
		"http_req_duration": milliseconds(t.Duration()), "http_req_blocked": milliseconds(t.Blocked),
		"http_req_connecting": milliseconds(t.Connecting), "http_req_tls_handshaking": milliseconds(t.TLS),
		"http_req_sending": milliseconds(t.Sending), "http_req_waiting": milliseconds(t.Waiting),
		"http_req_receiving": milliseconds(t.Receiving),
	} {
		registry.Metric(name).Add(d, tags)
	}
	u.script.host.Timeline.Request(hop.Ended, tags["name"], milliseconds(t.Duration()), failed)
	u.script.host.Samples.Request(hop.Ended, milliseconds(t.Duration()), tags)
}

// hopTags are the tags of one hop; a hop of a redirect that has no name of its
// own goes by its address.
func (r *request) hopTags(hop *client.Answer) (metric.Tags, bool) {
	tags := maps.Clone(metric.Tags(r.base))
	tags["method"], tags["url"] = hop.Request.Method, hop.Request.URL.String()
	tags["status"], tags["proto"] = strconv.Itoa(hop.Status), hop.Proto
	if tags["name"] == r.URL {
		tags["name"] = tags["url"]
	}
	if code := hop.Code(); code != 0 {
		tags["error_code"] = strconv.Itoa(code)
	}
	failed := hop.Err != nil || hop.Status == 0
	if r.expect != nil {
		failed = failed || !r.expect(hop.Status)
		tags["expected_response"] = strconv.FormatBool(!failed)
	}
	return tags, failed
}
