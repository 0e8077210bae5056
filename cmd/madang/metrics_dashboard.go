package main

import (
	_ "embed"
	"fmt"
)

// metricsCmd groups what belongs to the figures of a board.
type metricsCmd struct {
	Dashboard dashboardCmd `cmd:"" help:"Print a dashboard for Grafana, as JSON."`
}

// dashboardCmd prints a dashboard.
type dashboardCmd struct{}

//go:embed metrics_dashboard.json
var dashboard string

// Help goes on below the help of the flags.
func (dashboardCmd) Help() string {
	return `In Grafana choose Dashboards, New, Import, and give it the file. The data source is a Prometheus that asks a board for /metrics, see --metrics-addr of madang serve.

Examples:
  madang metrics dashboard > madang.json`
}

// Run prints the dashboard.
func (dashboardCmd) Run(s streams) error {
	_, err := fmt.Fprint(s.out, dashboard)
	return err
}
