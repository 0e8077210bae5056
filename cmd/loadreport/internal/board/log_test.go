package board

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheLogOfABoardIsCounted(t *testing.T) {
	const lines = `{"time":"2026-01-01T00:00:00Z","level":"INFO","msg":"ready","addr":"127.0.0.1:1"}
{"time":"2026-01-01T00:00:01Z","msg":"request","method":"GET","path":"/auth/signup","status":200}
{"time":"2026-01-01T00:00:02Z","msg":"request","method":"POST","path":"/auth/signup","status":303}
{"time":"2026-01-01T00:00:12Z","msg":"request","method":"POST","path":"/auth/signup","status":200}
{"time":"2026-01-01T00:00:13Z","msg":"request","method":"POST","path":"/auth/signup","status":303}
{"time":"2026-01-01T00:00:14Z","msg":"request","method":"POST","path":"/auth/signup","status":422}
{"time":"2026-01-01T00:00:15Z","msg":"request","method":"POST","path":"/auth/signup","status":503}
{"time":"2026-01-01T00:00:16Z","msg":"request","method":"GET","path":"/","status":500}
{"time":"2026-01-01T00:00:17Z","msg":"job ended","status":"done"}
`
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := ReadLog(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Log{Requests: 7, Errors: 1, Refused: 1, SignUps: 3, Busiest: .2}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
