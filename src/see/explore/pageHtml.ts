/** The page of `millrace explore` before its scripts: a frame for the views, and how it looks in light and dark. */
import * as HtmlPage from "#base/HtmlPage"

/** Where the parts of the page are. */
interface Parts {
  readonly style: string
  /** The first script of the page. */
  readonly entry: string
  /** More of the head, as HTML. */
  readonly head?: string
}

export const pageHtml = (pipeline: string, { entry, head = "", style }: Parts): string =>
  HtmlPage.page({
    title: `${pipeline} - millrace explore`,
    head: `${HtmlPage.noReferrer}<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
${head}<script type="module" src="${entry}"></script>
`,
    body: `<header>
<h1>${HtmlPage.escape(pipeline)}</h1>
<nav aria-label="Views"><ul>
<li><a href="#/tables">Tables</a></li>
<li><a href="#/sql">SQL</a></li>
<li><a href="#/runs">Runs</a></li>
<li><a href="#/diff">Differences</a></li>
</ul></nav>
</header>
<main id="view" tabindex="-1"></main>
<noscript>This page needs JavaScript.</noscript>`
  })

export const pageStyle = `:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#57606a;--line:#d0d7de;--faint:#eaeef2;--card:#f6f8fa;
--link:#0b5cad;--bar:#0b62c4;--active:#ddeeff;--bad:#c0202b;--good:#1a7f37;--warn:#8f4700;--add:#1a7f3726;--del:#cf222e22;--mark:#fff3b0}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0f1419;--soft:#a3adb8;--line:#3a424d;--faint:#222a33;--card:#181e25;
--link:#7ab8ff;--bar:#6cb0ff;--active:#1d3a5c;--bad:#ff7b72;--good:#5bcf7a;--warn:#f0a35c;--add:#2ea04333;--del:#f8514933;--mark:#5a4a00}}
*{box-sizing:border-box}
html,body{height:100%}
body{background:var(--paper);color:var(--ink);display:flex;flex-direction:column;font:15px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif;margin:0}
header{align-items:baseline;border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;padding:.5rem 1rem}
h1{font-size:1.15rem;margin:0;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:0 0 .3rem;overflow-wrap:anywhere}
h3{font-size:1rem;margin:1rem 0 .3rem;overflow-wrap:anywhere}
header ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem;list-style:none;margin:0;padding:0}
a{color:var(--link)}a[aria-current]{color:var(--ink);font-weight:650;text-decoration-thickness:2px}
main{flex:1;min-height:0;overflow:auto;padding:.8rem 1rem}main:focus{outline:none}
p{margin:.3rem 0}.soft{color:var(--soft)}.error{color:var(--bad);white-space:pre-wrap;overflow-wrap:anywhere}
code,textarea,pre{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,monospace}
button,select,input,textarea{background:var(--card);border:1px solid var(--line);border-radius:5px;color:inherit;font-size:14px;padding:.25rem .6rem}
button,select,input{font-family:inherit}button{cursor:pointer}button:disabled{color:var(--soft);cursor:default}
:focus-visible{outline:2px solid var(--link);outline-offset:1px}
label{display:inline-flex;align-items:center;gap:.4rem}label[hidden]{display:none}
.tools{align-items:center;display:flex;flex-wrap:wrap;gap:.4rem .8rem;margin:.4rem 0}
.split{display:grid;gap:1rem;grid-template-columns:15rem minmax(0,1fr);height:100%}
.list{list-style:none;margin:0;padding:0}.list li{overflow-wrap:anywhere}.list .list{padding-left:.8rem}
.list small{color:var(--soft);font-variant-numeric:tabular-nums}
a.table{align-items:baseline;border-radius:5px;display:flex;gap:.5rem;justify-content:space-between;padding:.15rem .5rem;text-decoration:none}
a.table:hover{background:var(--card)}a.table[aria-current]{background:var(--active)}
.side{min-height:0;overflow:auto}.side p,.side summary{color:var(--soft);font-size:13px;margin:.8rem 0 .2rem;padding:0 .5rem}.side summary{cursor:pointer}
.content{display:flex;flex-direction:column;min-height:0}
.back{display:none}.title{align-items:baseline;display:flex;flex-wrap:wrap;gap:0 .8rem}
.above>.tools{justify-content:flex-start}.above .tools .tools,.above form{margin:0}.above>.tools:first-child>form{flex:1}
.chips{display:flex;flex-wrap:wrap;gap:.3rem;list-style:none;margin:0;padding:0}.chips[hidden]{display:none}
.chips li{align-items:center;background:var(--active);border-radius:99px;display:flex;font-size:13px;overflow-wrap:anywhere;padding-left:.7rem}
.chips button{background:none;border:0;border-radius:99px;line-height:1.2;padding:.1rem .5rem}
.place{display:flex;flex:1;min-height:14rem}.answer .place{max-height:70vh}
.grid{border:1px solid var(--line);border-radius:5px;flex:1;min-width:0;overflow:auto;position:relative}
.layer{overflow:clip;position:sticky;top:0}
.row{display:flex;height:28px}
.head{background:var(--card);border-bottom:1px solid var(--line);height:32px}.profiled .head{height:103px}
.cell{border-right:1px solid var(--line);flex:none;font-size:13px;line-height:28px;overflow:hidden;padding:0 .5rem;text-overflow:ellipsis;white-space:pre}
.head .cell{cursor:pointer;line-height:31px;position:relative}.head .name{font-weight:600}
.profiled .head .cell{padding:0}.profiled .head .name{display:block;line-height:26px;overflow:hidden;padding:2px 1.8rem 0 .5rem;text-overflow:ellipsis}
.more{background:none;border:0;border-radius:4px;color:var(--soft);line-height:1;padding:.2rem .35rem;position:absolute;right:6px;top:4px}.more:hover{background:var(--active);color:var(--ink)}
.grip{cursor:col-resize;inset:0 0 0 auto;position:absolute;touch-action:none;width:7px;z-index:1}.grip:hover,.grip:active{background:var(--link);opacity:.5}
.words-of{color:var(--soft);font-size:12px;line-height:15px;min-height:15px;overflow:hidden;padding:0 .5rem;text-overflow:ellipsis}
.histogram{cursor:pointer;display:block;height:36px;margin-top:5px;width:100%}.histogram .bar{fill:var(--bar)}.histogram .place{fill:transparent}.histogram:hover .place{fill:var(--bar);fill-opacity:.25}svg .base{fill:var(--line)}
.tops{margin-top:5px}.top{cursor:pointer;display:flex;font-size:12px;gap:.4rem;height:17px;justify-content:space-between;line-height:16px;margin-bottom:1px;padding:0 .5rem;position:relative}
.top::before,.values button::before{background:var(--bar);content:"";inset:0 auto 0 0;opacity:.16;position:absolute;width:calc(100%*var(--share))}
.top:hover::before,.values button:hover::before{opacity:.3}.top span,.values span{overflow:hidden;text-overflow:ellipsis}.top small{font-size:12px}
.row .number{font-variant-numeric:tabular-nums;text-align:right}
.row .none{color:var(--soft);font-style:italic}
.body .row{background:var(--paper)}.body .row:hover{background:var(--card)}.body .row[aria-selected=true]{background:var(--active)}
.body .cell{border-bottom:1px solid var(--faint);border-right-color:var(--faint)}
.cell a{text-decoration:none}.cell a mark{color:var(--ink)}.cell a:hover{text-decoration:underline}
.frozen .cell:first-child{background:inherit;left:0;position:sticky;z-index:1}
.cell.active{box-shadow:inset 0 0 0 2px var(--link)}
.pick{border-radius:4px;font:600 13px/1 ui-monospace,monospace;height:22px;left:0;padding:0;position:absolute;top:0;width:22px;z-index:2}
.panel{border:1px solid var(--line);border-radius:5px;margin-left:.8rem;overflow:auto;padding:0 .9rem .6rem;width:min(34rem,45vw)}
.panel>.tools{background:var(--paper);border-bottom:1px solid var(--line);margin:0 0 .4rem;padding:.5rem 0;position:sticky;top:0;z-index:1}.panel>.tools h3{flex:1;margin:0}
.panel summary{color:var(--soft);cursor:pointer;margin-top:.8rem}
dl{margin:.4rem 0}dt{color:var(--soft);font-size:13px;margin-top:.6rem}dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}
.panel dl{display:grid;gap:.3rem .8rem;grid-template-columns:minmax(6rem,auto) minmax(0,1fr) auto}.panel dt{grid-column:1;margin:0;max-width:11rem;overflow-wrap:anywhere}
.panel .actions{font-size:12px;line-height:1.9;white-space:nowrap}.actions>*{font-size:12px;margin-left:.5rem}.panel .actions{grid-column:3;text-align:right}.panel .wide{grid-column:1/-1;margin-bottom:.5rem}
.plain{background:none;border:0;color:var(--link);padding:0;text-decoration:underline}
dd ul{margin:0;padding-left:1.1rem;white-space:normal}dd.code{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,monospace}
dd.read{white-space:normal}.read .turn{float:right;font-size:12px;margin:.2rem 0 .2rem .6rem}.read>div:not(.markdown){white-space:pre-wrap}
.markdown{border-left:3px solid var(--line);padding-left:.8rem}.markdown .heading{font-weight:650;margin:.7rem 0 .2rem}.markdown .level1{font-size:1.15em}
.markdown blockquote{border-left:3px solid var(--line);color:var(--soft);margin:.4rem 0;padding-left:.7rem}.markdown ul,.markdown ol{margin:.3rem 0;padding-left:1.3rem}
.markdown hr{border:0;border-top:1px solid var(--line)}
dialog.card{background:var(--paper);border:1px solid var(--line);border-radius:8px;color:inherit;max-height:min(44rem,90vh);overflow:auto;padding:.6rem 1rem 1rem;width:min(30rem,94vw)}
dialog.card::backdrop{background:#0007}.card>.tools h3{flex:1;margin:0}
.facts{display:grid;gap:.25rem 1rem;grid-template-columns:auto 1fr}.facts dt{margin:0}.facts dd{white-space:normal}
.values button{background:none;border:0;border-radius:3px;display:flex;gap:.8rem;justify-content:space-between;margin:1px 0;overflow:hidden;padding:.15rem .5rem;position:relative;text-align:left;width:100%}
kbd{background:var(--card);border:1px solid var(--line);border-radius:4px;font:12px ui-monospace,monospace;padding:0 .3rem;white-space:nowrap}
.asking{display:grid;gap:1rem;grid-template-columns:15rem minmax(0,1fr)}
.names-of{max-height:16.5rem;overflow:auto}.names-of summary{cursor:pointer;font-weight:600}.names-of ul ul{margin-left:1.3rem}
.names-of button{background:none;border:none;padding:0;text-align:left}.names-of .name{color:var(--link);font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:13px;overflow-wrap:anywhere}.names-of .name:hover{text-decoration:underline}
.names-of .fold{color:var(--soft);line-height:24px;min-width:24px;text-align:center}.names-of .fold[aria-expanded=true]{rotate:90deg}.names-of li{padding:.1rem 0}
button.first{background:var(--link);border-color:var(--link);color:var(--paper);font-weight:600}
.answer{margin-top:.6rem}.charted{margin-bottom:.6rem}.picture{min-width:0}
.plot{--plot-background:var(--paper);display:block;height:auto;max-width:100%;overflow:visible}.plot text{fill:var(--ink);font:12px system-ui,sans-serif;white-space:pre}
.plot-swatches{align-items:center;display:flex;flex-wrap:wrap;font:13px system-ui,sans-serif;gap:.2rem .9rem;margin:.3rem 0}.plot-swatches>span{align-items:center;display:inline-flex;gap:.3rem}figure{margin:0}
dialog{background:var(--paper);border:1px solid var(--line);border-radius:6px;color:var(--ink);max-width:min(32rem,94vw)}dialog::backdrop{background:#0006}
table{border-collapse:collapse;font-size:14px}caption{white-space:nowrap;color:var(--soft);text-align:left}
th,td{border-bottom:1px solid var(--line);padding:.25rem .9rem .25rem 0;text-align:left;vertical-align:top}
td.number,th.number{font-variant-numeric:tabular-nums;text-align:right}td.text{overflow-wrap:anywhere;white-space:pre-wrap}
.scroll{overflow-x:auto}
.runs td:nth-child(-n+3),.runs code{white-space:nowrap}
.status{white-space:nowrap;border:1px solid currentColor;border-radius:99px;font-size:13px;font-weight:600;padding:0 .5rem}
.status.ok{color:var(--good)}.status.warn{color:var(--warn)}.status.bad{color:var(--bad)}
.change{border:1px solid var(--line);border-left-width:4px;border-radius:4px;margin:.6rem 0;max-width:70rem;padding:.4rem .7rem}
.change.added{border-left-color:var(--good)}.change.removed{border-left-color:var(--bad)}.change.changed,.change.written{border-left-color:var(--warn)}
.change h3{margin:.1rem 0 .3rem}.change h3 small,.moved small{color:var(--soft);font-weight:400}.change dl{column-gap:1rem;display:grid;grid-template-columns:minmax(6rem,max-content) minmax(0,1fr);margin:.2rem 0}.change dt{margin:.1rem 0}.change dd{margin:.1rem 0}
.move{font-variant-numeric:tabular-nums;font-weight:600;margin-left:.6rem;white-space:nowrap}
.moved th:nth-child(n+2),.moved td:nth-child(n+2){font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
.sums{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;margin:.3rem 0;padding:0}
.reasons{list-style:none;margin:.3rem 0;max-width:70rem;padding:0}.reasons>li{border-bottom:1px solid var(--line);padding:.4rem 0}.reasons .sum{align-items:center;display:grid;gap:0 .6rem;grid-template-columns:3.5rem 7rem minmax(0,1fr)}.reasons strong{overflow-wrap:anywhere}.reasons .sum b{font-variant-numeric:tabular-nums;text-align:right}.reasons .bar{background:var(--bad);border-radius:2px;height:.7rem;min-width:2px}.reasons .example,.reasons details{margin-left:11.7rem}.reasons small,.example{color:var(--soft)}.example{overflow-wrap:anywhere}.reasons summary{color:var(--soft);cursor:pointer}
ins{background:var(--add)}del{background:var(--del)}mark{background:var(--mark);color:inherit;outline:2px solid var(--warn)}.cell mark,.panel mark{outline:none}
pre{background:var(--card);border:1px solid var(--line);border-radius:5px;margin:.4rem 0;max-width:70rem;overflow-wrap:anywhere;padding:.6rem;white-space:pre-wrap}
@media (max-width:50rem){.reasons .sum{grid-template-columns:2rem 4rem minmax(0,1fr)}.change dl{display:block}caption{white-space:normal}.runs thead{display:none}.runs tr{border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:0 .8rem;padding:.35rem 0}.runs td{border:0;padding:.05rem 0}.runs td:nth-child(n+4){flex-basis:100%}.runs td:empty{display:none}.reasons .example,.reasons details{margin-left:0}.asking{display:block}.names-of{margin-bottom:.5rem}.split{display:block;height:100%}.split.opened>.side{display:none}.back{display:block}.content{height:100%}
a.table{padding:.5rem}.panel{background:var(--paper);border:0;border-radius:0;inset:0;margin:0;position:fixed;width:auto;z-index:3}.facts{grid-template-columns:1fr}.facts dd{margin-bottom:.3rem}}
`
