package main

import (
	"net/http"
	"strings"
	"testing"
)

func TestWhatIsOutsideTheSubsetIsNamedInOneLine(t *testing.T) {
	t.Parallel()
	const imports = "import http from 'k6/http'; import { parseHTML } from 'k6/html'; import exec from 'k6/execution'; import { Counter } from 'k6/metrics'; import crypto from 'k6/crypto';\n"
	in := func(code string) string {
		return imports + `const c = new Counter('c'); export const options = { duration: '60s' }; export default function () { ` + code + ` }`
	}
	for name, c := range map[string]struct{ script, named string }{
		"module":           {`import ws from 'k6/ws'; export default function () {}`, `import of "k6/ws"`},
		"remote module":    {`import { x } from 'https://jslib.k6.io/x.js'; export default function () {}`, `import of "https://jslib.k6.io/x.js"`},
		"export":           {`import { checkAll } from 'k6'; export default function () {}`, `checkAll of k6`},
		"star export":      {`import * as m from 'k6/metrics'; export default function () { m.Timer(); }`, `Timer of k6/metrics`},
		"default's member": {in(`http.asyncRequest('GET', 'x')`), `k6/http.asyncRequest`},
		"option":           {`export const options = { rps: 3 }; export default function () {}`, `option "rps"`},
		"scenario's key":   {`export const options = { scenarios: { a: { executor: 'constant-vus', speed: 3 } } }; export default function () {}`, `option "speed"`},
		"executor":         {`export const options = { scenarios: { a: { executor: 'externally-controlled' } } }; export default function () {}`, `"externally-controlled"`},
		"params":           {in(`http.get(__ENV.BASE_URL, { auth: 'basic' })`), `params.auth`},
		"response":         {in(`http.get(__ENV.BASE_URL).ocsp`), `Response.ocsp`},
		"timings":          {in(`http.get(__ENV.BASE_URL).timings.total`), `Response.timings.total`},
		"selection":        {in(`parseHTML('<p>').slice(1)`), `Selection.slice`},
		"metric's method":  {in(`c.inc()`), `Counter.inc`},
		"execution":        {in(`exec.vu.nothing`), `exec.vu.nothing`},
		"hidden by catch":  {in(`try { exec.vu.nothing } catch (e) {}`), `exec.vu.nothing`},
		"JSON path":        {in(`http.get(__ENV.BASE_URL + '/json').json('items.#.id')`), `items.#.id`},
		"global":           {in(`setTimeout(() => {}, 1)`), `setTimeout`},
		"waiting promise":  {`export const options = { duration: '60s' }; export default function () { return new Promise(() => {}); }`, `a promise that waits`},
		"hash":             {in(`crypto.hmac('ripemd160', 'a', 'b', 'hex')`), `ripemd160`},
		"submitForm":       {in(`http.get(__ENV.BASE_URL + '/form').submitForm({ form: 'x' })`), `submitForm.form`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := load(t, siteOfForms(), c.script).ok(t, 107)
			last := o.stderr[strings.LastIndex(strings.TrimSuffix(o.stderr, "\n"), "\n")+1:]
			if !strings.HasPrefix(last, "loadtest: ") || !strings.Contains(last, c.named) || !strings.Contains(last, "outside the subset") || o.stdout != "" {
				t.Errorf("want one line that names %s:\n%s%s", c.named, o.stderr, o.stdout)
			}
		})
	}
}

func TestTheOtherModulesWork(t *testing.T) {
	t.Parallel()
	load(t, http.NotFoundHandler(), `
import { check, randomSeed, sleep } from 'k6';
import { SharedArray } from 'k6/data';
import { b64decode, b64encode } from 'k6/encoding';
import crypto, { sha256 } from 'k6/crypto';
import { parseHTML } from 'k6/html';
const users = new SharedArray('users', () => [{ name: 'a', l: [1] }, { name: 'b' }]);
const self = open('./script.js');
export const options = { vus: 2, iterations: 4 };
export default function () {
  users[0].l.push(2);
  let changed = true;
  try { users[0] = 1; } catch (e) { changed = false; }
  randomSeed(7);
  const first = Math.random();
  randomSeed(7);
  const before = Date.now();
  sleep(0.05);
  check(null, {
    'shared array': () => users.length === 2 && users.map((u) => u.name).join('') === 'ab' && users[0].l.length === 1 && !changed,
    'open': () => self.includes('import { SharedArray }'),
    'base64': () => b64encode('hi?>') === 'aGk/Pg==' && b64encode('hi?>', 'rawurl') === 'aGk_Pg' && b64decode('aGk/Pg==', 'std', 's') === 'hi?>',
    'hash': () => sha256('abc', 'hex').slice(0, 8) === 'ba7816bf' && crypto.md5('', 'base64') === '1B2M2Y8AsgTpgAmY7PhCfg==',
    'hmac': () => crypto.hmac('sha256', 'key', 'text', 'hex').length === 64,
    'bytes': () => crypto.randomBytes(8).byteLength === 8,
    'html': () => parseHTML('<ul><li>1<li class=x>2</ul>').find('li').not('.x').text() === '1',
    'seed': () => first === Math.random(),
    'sleep': () => Date.now() - before >= 50,
    'iteration': () => __ITER >= 0 && (__VU === 1 || __VU === 2),
  });
}`).passed(t)
}
