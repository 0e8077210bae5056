package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

const (
	variablePrefix = "MADANG_"
	fileSuffix     = "_FILE"
)

// environment holds the variables that belong to us. It gives kong the value
// of each setting that the command line leaves out.
type environment map[string]string

func ourEnvironment(environ []string) environment {
	ours := environment{}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, variablePrefix) && !setByKubernetes(name) {
			ours[name] = value
		}
	}
	return ours
}

// setByKubernetes tells the variables that Kubernetes sets in each container
// beside a service called madang; they are no settings of ours.
func setByKubernetes(name string) bool {
	return name == "MADANG_PORT" || strings.HasPrefix(name, "MADANG_PORT_") ||
		strings.HasPrefix(name, "MADANG_SERVICE_")
}

// variable returns the name of the variable of a flag.
func variable(flag string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// isSetting tells a setting of the board from what one command alone is given,
// such as an administrator's address: that has no variable.
func isSetting(v *kong.Value) bool {
	return v.Flag != nil && v.Name != "help" && !v.Tag.Has("local")
}

// isSecret tells a setting that may also come from a file.
func isSecret(v *kong.Value) bool { return v.Tag.Has("secret") }

// Resolve returns the value of a flag, nil when the environment has none.
func (e environment) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if !isSetting(flag.Value) {
		return nil, nil
	}
	name := variable(flag.Name)
	if path, ok := e[name+fileSuffix]; ok && isSecret(flag.Value) {
		return readSecret(name+fileSuffix, path)
	}
	if value, ok := e[name]; ok {
		return value, nil
	}
	return nil, nil
}

// secretLimit is far more than any secret has. A file may have no end.
const secretLimit = 64 << 10

func readSecret(name, path string) (any, error) {
	text, err := readFile(path, secretLimit+1)
	if err != nil {
		return nil, fmt.Errorf("%s must name a file that can be read: %w", name, err)
	}
	if len(text) > secretLimit {
		return nil, fmt.Errorf("%s must name a file of at most 64 KiB, which %s is not", name, path)
	}
	text = bytes.TrimRight(text, "\r\n")
	if len(text) == 0 {
		return nil, fmt.Errorf("%s must name a file that holds the value; %s is empty", name, path)
	}
	return string(text), nil
}

// readFile reads a file to its end, or so many bytes of it.
func readFile(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	return io.ReadAll(io.LimitReader(file, limit))
}

// Validate refuses a variable that is no setting, and a setting given by both
// of its variables.
func (e environment) Validate(app *kong.Application) error {
	known := knownVariables(app)
	for _, name := range sortedNames(e) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("unknown variable %s; allowed are %s", name, strings.Join(known, ", "))
		}
		if _, both := e[name+fileSuffix]; both {
			return fmt.Errorf("%[1]s and %[1]s_FILE are both set; allowed is one of them", name)
		}
	}
	return nil
}

func knownVariables(app *kong.Application) []string {
	var names []string
	_ = kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok && isSetting(flag.Value) {
			names = append(names, variable(flag.Name))
			if isSecret(flag.Value) {
				names = append(names, variable(flag.Name)+fileSuffix)
			}
		}
		return next(nil)
	})
	slices.Sort(names)
	return slices.Compact(names)
}

func sortedNames(e environment) []string {
	names := make([]string, 0, len(e))
	for name := range e {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
