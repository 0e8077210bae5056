package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"
)

func TestEachRequestIsALineOfCSV(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "samples.csv")
	load(t, siteOfForms(), `
import http from 'k6/http';
export const options = { iterations: 3 };
export function setup() { http.get(__ENV.BASE_URL + '/form', { tags: { name: 'before' } }); }
export default function () { http.get(__ENV.BASE_URL + '/none', { tags: { name: 'a, b' } }); }`,
		"--out", "csv="+file).ok(t, 0)
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 5 || rows[0][0] != "metric_name" || rows[0][7] != "name" {
		t.Fatalf("rows: %v", rows)
	}
	if first := rows[1]; first[7] != "before" || first[5] != "::setup" || first[4] != "true" || first[10] != "200" {
		t.Errorf("the request of setup: %v", first)
	}
	if last := rows[4]; last[0] != "http_req_duration" || last[7] != "a, b" || last[4] != "false" || last[10] != "404" {
		t.Errorf("the last request: %v", last)
	}
}

func TestOutIsCSVAlone(t *testing.T) {
	t.Parallel()
	o := load(t, nil, `export default function () {}`, "--out", "json=x").ok(t, statusUsage)
	contains(t, o.stderr, "--out must be csv=FILE.csv")
}
