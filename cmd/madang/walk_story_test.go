package main

import "madang/views"

// story is what people write on the board in a language. It holds what is
// wide: long words, code and tables must not widen a page.
type story struct {
	author, reader      string // nicknames
	title, newTitle     string
	body, addition      string
	heading, item, cell string // in the body
	thanks, praise      string
}

var stories = map[views.Lang]story{
	views.Korean: {
		author: "민수", reader: "지우_지우지우지우지우지우지우",
		title: "토요일 남산 산책, 함께 가실 분", newTitle: "토요일 남산 산책, 함께 가실 분 (시간이 바뀌었어요)",
		heading: "준비물", item: "물 한 병", cell: "남산공원",
		body: "아침 일찍 남산을 한 바퀴 돌아요. 천천히 걸으니 **누구나** 오셔도 좋아요.\n\n" +
			"## 준비물\n\n- 물 한 병\n- 편한 신발\n- 모자\n\n" +
			"## 일정\n\n| 때 | 곳 | 하는 일 | 걸리는 시간 |\n|---|---|---|---|\n| 토요일 아침 | 남산공원 | 산책 | 한 시간 |\n\n" +
			"```go\nfmt.Println(\"오실 분은 \", time.Date(2026, 5, 2, 7, 30, 0, 0, seoul), \" 전에 알려 주세요.\")\n```\n\n" +
			"길은 [지도](https://www.openstreetmap.org/)에서 볼 수 있어요: https://www.openstreetmap.org/?mlat=37.55&mlon=126.98#map=15/37.5512/126.9882",
		addition: "비가 오면 다음 주로 미뤄요.",
		thanks:   "질문은 여기에 남겨 주세요.", praise: "저도 갈게요! `07:30`에 봬요.",
	},
	views.English: {
		author: "morgan", reader: "Wolfeschlegelsteinha",
		title: "A walk around the hill on Saturday", newTitle: "A walk around the hill on Saturday (new time)",
		heading: "What to bring", item: "a bottle of water", cell: "Namsan Park",
		body: "We walk around Namsan early in the morning. **Anybody** can keep up.\n\n" +
			"## What to bring\n\n- a bottle of water\n- good shoes\n- a hat\n\n" +
			"## When and where\n\n| When | Where | What | How long |\n|---|---|---|---|\n| Saturday morning | Namsan Park | a walk | one hour |\n\n" +
			"```go\nfmt.Println(\"Tell us before \", time.Date(2026, 5, 2, 7, 30, 0, 0, seoul), \", please.\")\n```\n\n" +
			"The way is on [the map](https://www.openstreetmap.org/): https://www.openstreetmap.org/?mlat=37.55&mlon=126.98#map=15/37.5512/126.9882",
		addition: "If it rains, we go a week later.",
		thanks:   "Ask here if anything is unclear.", praise: "Count me in! See you at `07:30`.",
	},
}
