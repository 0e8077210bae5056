package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func TestTheReportIsOnePageWithPlots(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "report.html")
	load(t, siteOfForms(), `
import http from 'k6/http';
import { check } from 'k6';
export const options = { iterations: 3, thresholds: { http_reqs: ['count==4'] } };
export default function () { check(http.get(__ENV.BASE_URL + '/form', { tags: { name: '<form>' } }), { shown: true }); }`,
		"--report", file).ok(t, 99)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`(?i)(src|href|url\()\s*=?\s*["']?(https?:)?//|<script`).Find(text); found != nil {
		t.Errorf("the page loads something: %s", found)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := goquery.NewDocumentFromReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if n := doc.Find("svg[role=img] polyline").Length(); n != 6 {
		t.Errorf("%d lines in the plots, want 6", n)
	}
	contains(t, doc.Find(".verdict").Text(), "failed: a threshold is broken")
	contains(t, doc.Find("table").Text(), "<form>")
	contains(t, doc.Find("table").Text(), "✗ broken")
	contains(t, doc.Find(".cards").Text(), "100.00 %")
}
