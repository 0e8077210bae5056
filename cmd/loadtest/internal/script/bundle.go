// Package script reads a k6 script and runs it as one virtual user does: esbuild
// bundles it, goja runs it, and what it imports from k6 is written in Go here.
// It imports metric and client.
package script

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// Subset says where the part of the k6 API that is known here is listed.
const Subset = `outside the subset of k6 that this runner knows (README, "Load it")`

// exports are the names a script may import, by module.
var exports = map[string][]string{
	"k6":           {"check", "fail", "group", "randomSeed", "sleep"},
	"k6/http":      {"CookieJar", "batch", "cookieJar", "del", "expectedStatuses", "get", "head", "options", "patch", "post", "put", "request", "setResponseCallback", "url"},
	"k6/metrics":   {"Counter", "Gauge", "Rate", "Trend"},
	"k6/execution": {"instance", "scenario", "test", "vu"},
	"k6/data":      {"SharedArray"},
	"k6/encoding":  {"b64decode", "b64encode"},
	"k6/crypto":    {"hmac", "md5", "randomBytes", "sha1", "sha256", "sha512"},
	"k6/html":      {"parseHTML"},
}

// bundle returns the script and all it imports as one piece of CommonJS.
func bundle(path string) (string, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{path}, Bundle: true, Format: api.FormatCommonJS, Platform: api.PlatformNeutral,
		Target: api.ES2017, Sourcemap: api.SourceMapInline, SourcesContent: api.SourcesContentExclude,
		LogLevel: api.LogLevelSilent, Charset: api.CharsetUTF8, Plugins: []api.Plugin{{Name: "k6", Setup: modules}},
	})
	for _, m := range slices.Concat(result.Errors, result.Warnings) {
		if m.ID == "import-is-undefined" || slices.ContainsFunc(result.Errors, func(e api.Message) bool { return e.Text == m.Text }) {
			return "", fmt.Errorf("%s%s", place(m.Location), explain(m.Text))
		}
	}
	return string(result.OutputFiles[0].Contents), nil
}

func modules(build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: `^(k6$|k6/|https?:)`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		if _, ok := exports[a.Path]; !ok {
			return api.OnResolveResult{}, fmt.Errorf("import of %q: %s", a.Path, Subset)
		}
		return api.OnResolveResult{Path: a.Path, Namespace: "k6"}, nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "k6"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		var js strings.Builder
		fmt.Fprintf(&js, "const m = __k6(%q);\nexport default m;\n", a.Path)
		for _, name := range exports[a.Path] {
			fmt.Fprintf(&js, "export const %s = m.%s;\n", name, name)
		}
		contents := js.String()
		return api.OnLoadResult{Contents: &contents}, nil
	})
}

func place(l *api.Location) string {
	if l == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d: ", l.File, l.Line, l.Column+1)
}

var noExport = regexp.MustCompile(`^(?:No matching export in "k6:([^"]+)" for import "([^"]+)"|Import "([^"]+)" will always be undefined because there is no matching export in "k6:([^"]+)")`)

func explain(text string) string {
	if m := noExport.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s of %s: %s", m[2]+m[3], m[1]+m[4], Subset)
	}
	return strings.Join(strings.Fields(text), " ")
}
