package views

// koreanWriting are the words around a text that is being written.
var koreanWriting = catalogue{ //nolint:gochecknoglobals // a constant in all but name
	"write.preview":      "미리 보기",
	"write.preview_hint": "미리 보기예요. 아직 올리지 않았어요.",
	"write.help":         "마크다운 쓰는 법",
	"write.help_write":   "이렇게 쓰면",
	"write.help_get":     "이렇게 보여요",
	"write.help_lines": "**굵게** *기울임* ~~취소선~~ `코드`" +
		"\n\n\n# 제목" +
		"\n\n\n- 하나\n- 둘\n\n1. 첫째" +
		"\n\n\n- [x] 한 일\n- [ ] 할 일" +
		"\n\n\n> 인용" +
		"\n\n\n```go\nreturn \"코드\" // 색이 입혀져요\n```" +
		"\n\n\n| 차 | 잔 |\n|:--|--:|\n| 녹차 | 2 |" +
		"\n\n\n사실이에요.[^1]\n\n[^1]: 어디서 봤는지.",
	"write.help_link": "[글자](%s)",

	"draft.from":        "임시 저장한 글:",
	"draft.discard":     "버리기",
	"draft.save":        "임시 저장",
	"draft.saved":       "임시 저장했어요.",
	"draft.failed":      "임시 저장하지 못했어요.",
	"draft.changed":     "고치기 시작한 뒤에 원래 글이 바뀌었어요. 저장하면 그 내용을 덮어써요.",
	"draft.changed_see": "지금 글 보기",

	"problem.form.too_often":    "너무 자주 눌렀어요. 쓰신 내용은 그대로 있으니 잠시 뒤에 다시 해 주세요.",
	"problem.form.other_member": "이 글을 쓰기 시작한 뒤에 다른 회원으로 로그인했어요. 지금 로그인한 회원으로 계속하려면 다시 눌러 주세요.",
}
