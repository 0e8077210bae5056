package views

// englishWriting are the words around a text that is being written.
var englishWriting = catalogue{ //nolint:gochecknoglobals // a constant in all but name
	"write.preview":      "Preview",
	"write.preview_hint": "Preview. Nothing is published yet.",
	"write.help":         "How to write Markdown",
	"write.help_write":   "You write",
	"write.help_get":     "You get",
	"write.help_lines": "**bold** *italic* ~~struck~~ `code`" +
		"\n\n\n# Heading" +
		"\n\n\n- one\n- two\n\n1. first" +
		"\n\n\n- [x] done\n- [ ] to do" +
		"\n\n\n> quote" +
		"\n\n\n```go\nreturn \"code\" // coloured\n```" +
		"\n\n\n| tea | cups |\n|:--|--:|\n| green | 2 |" +
		"\n\n\nA fact.[^1]\n\n[^1]: Where it is from.",
	"write.help_link": "[words](%s)",

	"draft.from":        "Draft from",
	"draft.discard":     "Discard",
	"draft.save":        "Save draft",
	"draft.saved":       "Draft saved.",
	"draft.failed":      "The draft is not saved.",
	"draft.changed":     "What you edit has been changed since you began. Saving replaces that change.",
	"draft.changed_see": "See how it is now",

	"problem.form.too_often":    "That was too often. Your text is still here: try again in a little while.",
	"problem.form.other_member": "Another member has logged in since this form was opened. Your text is still here: send it again to go on as the one who is logged in now.",
}
