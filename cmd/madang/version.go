package main

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// versionCmd prints which build this is.
type versionCmd struct{}

// Run prints one line.
func (versionCmd) Run(s streams) error {
	_, err := fmt.Fprintln(s.out, "madang", version())
	return err
}

// version describes the build: the module's version, the commit, and the Go
// version, as far as the build knows them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	words := []string{info.Main.Version, info.GoVersion}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			words = append(words, "commit", setting.Value)
		}
	}
	return strings.Join(words, " ")
}
