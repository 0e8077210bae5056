// Package cpu says how much processor time a process has used. It imports
// nothing of ours.
package cpu

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of Linux in /proc, on every machine that Go runs on.
const tick = 10 * time.Millisecond

// Used is the processor time of a process so far. It is 0 where the system does
// not tell.
func Used(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	return parse(string(text))
}

// parse reads the fields utime and stime, which are 14 and 15. The second one,
// the name, is in brackets and may hold anything.
func parse(stat string) time.Duration {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	const user, system = 11, 12
	if len(fields) <= system {
		return 0
	}
	var ticks int64
	for _, field := range []string{fields[user], fields[system]} {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0
		}
		ticks += n
	}
	return time.Duration(ticks) * tick
}
