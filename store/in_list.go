package store

import (
	"strconv"
	"strings"
)

// inListStep keeps the statements few that differ by the length of a list: each
// of them is prepared once.
const inListStep = 20

// inList writes values as the list behind an IN, the first of them as the
// parameter with a number. It is filled up with the last value, again and again;
// of no values there is no list.
func inList[T any](first int, values []T) (list string, args []any) {
	var b strings.Builder
	for i := 0; i < len(values) || i%inListStep > 0; i++ {
		b.WriteString(",$" + strconv.Itoa(first+i))
		args = append(args, values[min(i, len(values)-1)])
	}
	if len(args) == 0 {
		return "(NULL)", nil
	}
	return "(" + b.String()[1:] + ")", args
}
