package views

// englishSearch holds the words of the search.
var englishSearch = catalogue{
	"search.title":      "Search",
	"search.title_of":   "Search: %s",
	"search.label":      "What to look for",
	"search.do":         "Search",
	"search.hint":       "All words must be in the same text. `\"…\"` keeps words together, `-word` leaves texts out, `word*` finds longer words.",
	"search.nothing":    "There is no word in this to look for.",
	"search.none":       "Nothing was found.",
	"search.count":      "%s post found|%s posts found",
	"search.count_more": "%s post and more found|%s posts and more found",
	"search.narrow":     "There is more than this. Another word narrows it down.",
	"search.widened":    "No text has exactly these words. These have longer ones.",
	"search.filling":    "The index is still being made, the newest first. Old texts are not found yet.",
	"search.unfinished": "This search took too long and was ended. There may be more.",
	"search.comment":    "In a comment by",
	"search.pages":      "More results",
	"search.newer":      "Previous",
	"search.older":      "Next",
}
