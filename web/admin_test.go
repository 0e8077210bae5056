package web

import (
	"net/http"
	"strings"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

func TestAnAdministratorSeesWhatIsOutOfOrder(t *testing.T) {
	b := newBoard(t)
	alarm := store.Alarm{Kind: store.AlarmMail, Reason: "535 wrong password"}
	if err := b.store.RaiseAlarm(t.Context(), alarm); err != nil {
		t.Fatal(err)
	}
	admin := b.as(storetest.Admin(t, b.store))
	admin.get("/admin").wants(http.StatusOK).has(alarm.Reason)
	if err := b.store.ClearAlarm(t.Context(), store.AlarmMail); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(admin.get("/admin").wants(http.StatusOK).body, alarm.Reason) {
		t.Error("the alarm still stands")
	}
}
