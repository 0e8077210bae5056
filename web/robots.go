package web

import (
	"slices"
	"strings"
	"sync"
)

// robots tells programs from people by their User-Agent.
type robots struct {
	words []string
	mu    sync.RWMutex
	known map[string]bool
}

const (
	// robotMemory bounds the decisions that are remembered; past it they are made anew.
	robotMemory = 4096
	// robotAgent is how much of a User-Agent is looked at; no browser's is longer.
	robotAgent = 512
)

func newRobots() *robots {
	return &robots{words: strings.Fields(robotWords), known: make(map[string]bool)}
}

// is reports whether a User-Agent is that of a program, or empty. A browser is
// what does not say otherwise.
func (r *robots) is(agent string) bool {
	agent = agent[:min(len(agent), robotAgent)]
	if strings.TrimSpace(agent) == "" {
		return true
	}
	r.mu.RLock()
	robot, known := r.known[agent]
	r.mu.RUnlock()
	if known {
		return robot
	}
	robot = r.find(agent)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= robotMemory {
		clear(r.known)
	}
	r.known[strings.Clone(agent)] = robot
	return robot
}

func (r *robots) find(agent string) bool {
	// Cubot makes telephones.
	agent = strings.ReplaceAll(strings.ToLower(agent), "cubot", "")
	return slices.ContainsFunc(r.words, func(word string) bool { return strings.Contains(agent, word) })
}

// robotWords stand in the User-Agents of programs and of no browser of people,
// in-app browsers included. The names that the first, general lines do not
// cover are picked from github.com/monperrus/crawler-user-agents (MIT) and
// completed with what visits Korean sites.
const robotWords = `
bot crawl spider scrap slurp archiv headless lighthouse preview monitor fetch validat +http
checker linkcheck scanner feed rss

curl/ wget python perl libwww lwp- java/ ruby/ mechanize php/ go-http-client okhttp axios/ node-fetch undici/ got/
httpie/ httpclient http-client http_client httpunit httrack httpurlconnection apache-http ahc/ guzzle
postman insomnia/ aiohttp reqwest colly jetty/ zgrab nikto sqlmap openvas acunetix masscan nmap nuclei
phantomjs puppeteer playwright selenium webdriver cypress/ ptst/ gtmetrix pagespeed dareboost

google-inspectiontool googleother google-extended google-read-aloud google-safety google-site-verification
google-agent google-physicalweb google-xrawler mediapartners-google feedfetcher apis-google
googleimageproxy google-adwords googleassociationservice
facebookexternalhit facebookcatalog meta-externalagent meta-externalads meta-externalfetcher
chatgpt-user claude-user claude-web anthropic-ai cohere-ai perplexity-user bytespider manus-user
duckassist mistralai-user spawning-ai the-knowledge-ai
yeti/ daumoa daum/ kakaotalk-scrap coccoc sogou ichiro teoma
ia_archiver panscient netcraft dataprovider qwantify gigablast nutch larbin heritrix
whatsapp/ viber/ embedly disqus vkshare w3c_ nextcloud-news
pingdom uptime statuscake site24x7 newrelic datadog zabbix nagios check_http thousandeyes updown.io hydrozen
cloudflare-ssl github-camo imgproxy zapier integromat hatena instapaper newsblur inoreader
`
