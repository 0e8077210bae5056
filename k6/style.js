// The style sheet of the page.
export const css = `
:root { color-scheme: light dark; --ink: #1d2327; --soft: #50575e; --rule: #dcdcde; --back: #fff; --raised: #f6f7f7;
  --good: #2f7d32; --bad: #c62828; --fast: #0b6e99; --slow: #c77700; --worst: #b3387b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ea; --soft: #a7adb3; --rule: #3a4047; --back: #16191c; --raised: #1f2327;
  --good: #7bc67e; --bad: #ff8a80; --fast: #5bb8e0; --slow: #f0b35a; --worst: #e78cbf; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0; } h2 { font-size: 1.1rem; margin: 0 0 .75rem; } section { margin-top: 2.5rem; }
header p { margin: .25rem 0; color: var(--soft); overflow-wrap: anywhere; }
.verdict { font-weight: 600; } .good, header .good { color: var(--good); } .bad, header .bad { color: var(--bad); }
dl { display: grid; grid-template-columns: repeat(4, 1fr); gap: .75rem; margin: 1.5rem 0 0; }
dl div { background: var(--raised); border-radius: .5rem; padding: .6rem .9rem; display: flex; flex-direction: column-reverse; justify-content: flex-end; }
dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; font-size: 1.35rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.legend { margin: 0 0 .5rem; color: var(--soft); font-size: .9rem; } .legend span { margin-right: 1rem; white-space: nowrap; }
.legend span::before { content: ""; display: inline-block; width: .75rem; height: .75rem; border-radius: .2rem; margin-right: .4rem; background: currentColor; }
.key0::before { color: var(--fast); } .key1::before { color: var(--slow); } .key2::before { color: var(--worst); }
.plot { display: grid; grid-template-columns: 4.5rem 1fr; grid-template-rows: 12rem auto; gap: .4rem .6rem; font-size: .8rem; color: var(--soft); }
.levels { display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin: -.6rem 0; font-variant-numeric: tabular-nums; }
.plot svg { width: 100%; height: 100%; overflow: visible; } .axis { grid-column: 2; display: flex; justify-content: space-between; }
svg line, svg polyline { vector-effect: non-scaling-stroke; fill: none; } .level { stroke: var(--rule); stroke-width: 1; }
polyline { stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
.line0 { stroke: var(--fast); } .line1 { stroke: var(--slow); } .line2 { stroke: var(--worst); }
.columns { display: flex; align-items: flex-end; gap: 2px; border-bottom: 1px solid var(--rule); border-top: 1px solid var(--rule); }
.columns i { flex: 1; background: var(--fast); border-radius: 2px 2px 0 0; }
.bar { display: grid; grid-template-columns: 13rem 1fr 9rem; gap: .75rem; align-items: center; padding: .2rem 0; }
.bar small { color: var(--soft); } .bar > :last-child { font-variant-numeric: tabular-nums; font-size: .9rem; text-align: right; }
.track { position: relative; height: 1.1rem; background: var(--raised); border-radius: .25rem; overflow: hidden; }
.track i { position: absolute; inset: 0 auto 0 0; } .p95 { background: var(--slow); } .p50 { background: var(--fast); }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th { font-weight: 600; color: var(--soft); white-space: nowrap; } th, td { text-align: left; vertical-align: top; padding: .35rem 1rem .35rem 0; border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; }
td:first-child { white-space: nowrap; } td:nth-child(2) { min-width: 9rem; } td:nth-child(n+3) { white-space: nowrap; font-variant-numeric: tabular-nums; }
details { margin-top: 2.5rem; } summary { font-size: 1.1rem; font-weight: 600; cursor: pointer; } details .wide { margin-top: .75rem; }
details td:first-child { white-space: normal; min-width: 12rem; } details td { font-size: .85rem; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr 1fr; } .plot { grid-template-columns: 3.6rem 1fr; grid-template-rows: 10rem auto; }
  .bar { grid-template-columns: 1fr auto; gap: 0 .5rem; padding: .35rem 0; } .track { grid-column: 1 / -1; grid-row: 2; } table { font-size: .8rem; }
  th, td { padding-right: .5rem; } td:nth-child(2) { min-width: 0; overflow-wrap: break-word; } }
`;
