package storetest

import "testing"

// PostgresOnce returns the server of this test binary for what is about
// PostgreSQL alone, whatever the run of the tests is about. In a run on
// PostgreSQL it skips the test, since the other run has it.
func PostgresOnce(t testing.TB) *Server {
	t.Helper()
	if OnPostgres() {
		t.Skip("about PostgreSQL alone; it runs without MADANG_TEST_DATABASE")
	}
	return Postgres(t)
}
