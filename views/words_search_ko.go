package views

// koreanSearch holds the words of the search.
var koreanSearch = catalogue{
	"search.title":      "검색",
	"search.title_of":   "검색: %s",
	"search.label":      "검색어",
	"search.do":         "검색",
	"search.hint":       "모든 낱말이 한 글 안에 있어야 해요. `\"…\"`로 묶으면 붙어 있는 것만, `-낱말`을 쓰면 그 낱말이 없는 글만, `word*`는 그렇게 시작하는 낱말을 찾아요.",
	"search.nothing":    "찾을 낱말이 없어요. 글자나 숫자를 넣어 주세요.",
	"search.none":       "찾는 글이 없어요.",
	"search.count":      "글 %s개를 찾았어요",
	"search.count_more": "글 %s개 넘게 찾았어요",
	"search.narrow":     "더 있지만 여기까지 보여 드려요. 낱말을 하나 더 넣으면 좁힐 수 있어요.",
	"search.widened":    "똑같은 낱말은 없어서, 그렇게 시작하는 낱말을 찾았어요.",
	"search.filling":    "찾아보기를 새 글부터 만드는 중이에요. 오래된 글은 아직 안 나올 수 있어요.",
	"search.unfinished": "찾는 데 너무 오래 걸려 멈췄어요. 더 있을 수 있어요.",
	"search.comment":    "댓글:",
	"search.pages":      "결과 더 보기",
	"search.newer":      "이전",
	"search.older":      "다음",
}
