/**
 * A report as one page of HTML that needs nothing else: no script, no other file, no request. Its own policy forbids them.
 *
 * The first screen answers what people ask; all the rest is folded below it, each part with its sum in its line.
 */
import * as HtmlPage from "#base/HtmlPage"
import { escape } from "#base/HtmlPage"
import { seconds } from "../summary.ts"
import { moment, type Section, shown, text } from "./html.ts"
import type { ReportModel } from "./ReportModel.ts"
import { verdictOf } from "./reportAnswers.ts"
import { askedSection } from "./reportAsked.ts"
import { historySection, pagesSection } from "./reportFigures.ts"
import { changedHtml, goodHtml, missingHtml, verdictHtml } from "./reportFront.ts"
import { changesSection, problemsSection, tablesSection } from "./reportTables.ts"

export const reportHtml = (model: ReportModel): string => {
  const { notes, pipeline, run } = model
  const folded = [
    changesSection(model),
    askedSection(model),
    problemsSection(model),
    pagesSection(model),
    historySection(model),
    tablesSection(model)
  ]
  const title = `${pipeline}: run ${run.run_id}`
  return HtmlPage.page({
    title: shown(title),
    style: reportStyle,
    policy: "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    head: `${HtmlPage.noReferrer}<meta name="generator" content="millrace">\n`,
    body: `<header>
<h1>${text(pipeline)} <span class="status ${verdictOf(model).tone}">${text(run.status)}</span></h1>
<p class="soft">${text(whenOf(model))} Run <code>${text(run.run_id)}</code></p>
</header>
<main>
${verdictHtml(model)}
<div class="front">
${question("good", "Is it good?", goodHtml(model))}
${question("changed", "What changed since the run before?", changedHtml(model))}
${question("missing", "What is missing, and why?", missingHtml(model))}
</div>
${notes.length === 0 ? "" : question("notes", "What this report cannot say", `<ul>${notes.map((note) => `<li>${text(note)}</li>`).join("")}</ul>`)}
<section class="rest" aria-labelledby="rest"><h2 id="rest">All the rest</h2>
${folded.flatMap((section) => (section === undefined ? [] : [fold(section)])).join("\n")}
</section>
</main>`
  })
}

const whenOf = ({ run }: ReportModel): string => {
  const began = `Began ${moment(run.started_at)} UTC`
  if (run.ended_at === null) return `${began}, has not ended.`
  const took =
    run.seconds === null
      ? ""
      : `, ${seconds(run.seconds * 1000)} from start to ${run.sinks.length === 0 ? "end" : "commit"}`
  return `${began}${took}${run.sinks.length === 0 ? "" : `, in ${run.sinks.join(", ")}`}.`
}

const question = (id: string, title: string, html: string): string =>
  `<section class="q-${id}" aria-labelledby="${id}"><h2 id="${id}">${escape(title)}</h2>\n${html}\n</section>`

const fold = ({ html, id, says, title }: Section): string =>
  `<details class="fold" id="${id}"><summary><h3>${escape(title)}</h3> <span class="soft">${text(says)}</span></summary>\n${html}\n</details>`

/** The style of a report: light and dark, on a phone and on paper. It loads nothing. */
const reportStyle = `
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#57606a;--line:#d0d7de;--card:#f6f8fa;
--c1:#0b62c4;--c2:#b35900;--c3:#1a7f37;--c4:#8250df;--c5:#bf3989;--c6:#57606a;--bad:#c0202b;--good:#1a7f37;--warn:#9a4d00;
--add:#1a7f3726;--del:#cf222e22;--link:#0b5cad;--good-card:#eaf6ed;--warn-card:#fdf3e4;--bad-card:#fdecec}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0f1419;--soft:#a3adb8;--line:#3a424d;--card:#181e25;
--c1:#6cb0ff;--c2:#f0a35c;--c3:#5bcf7a;--c4:#c49bff;--c5:#ff8fc4;--c6:#a3adb8;--bad:#ff7b72;--good:#5bcf7a;--warn:#f0a35c;
--add:#2ea04333;--del:#f8514933;--link:#7ab8ff;--good-card:#12251a;--warn-card:#2a1f10;--bad-card:#2c1618}}
*{box-sizing:border-box}
body{background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif;margin:0 auto;
max-width:82rem;overflow-wrap:anywhere;padding:1rem 1.5rem 3rem}
h1{font-size:1.6rem;line-height:1.2;margin:.2rem 0}
h2{font-size:1.1rem;margin:0 0 .4rem}
h3{display:inline;font-size:1rem;margin:0}
h4{font-size:1rem;margin:1.2rem 0 .3rem}
h5{font-size:.93rem;font-weight:600;margin:0}
p{margin:.3rem 0}a{color:var(--link)}small,.soft{color:var(--soft)}ul{margin:.3rem 0;padding-left:1.2rem}
code{font:0.92em ui-monospace,SFMono-Regular,Menlo,monospace}
.status{border:1px solid currentColor;border-radius:99px;font-size:.95rem;font-weight:600;padding:.1rem .6rem;vertical-align:.15em}
.status.good,.mark.good{color:var(--good)}.status.warn,.mark.warn{color:var(--warn)}.status.bad,.mark.bad{color:var(--bad)}
.mark{display:inline-block;font-weight:700;text-align:center;width:1.1em}
.verdict{background:var(--card);border-left:5px solid var(--line);border-radius:6px;font-size:1.05rem;margin:.8rem 0 1rem;padding:.7rem 1rem}
.verdict b{display:block;font-size:1.25rem}
.verdict.good{background:var(--good-card);border-color:var(--good)}
.verdict.warn{background:var(--warn-card);border-color:var(--warn)}
.verdict.bad{background:var(--bad-card);border-color:var(--bad)}
.front{display:grid;gap:1.1rem 2.2rem;grid-template-columns:minmax(0,1fr)}
@media (min-width:62rem){.front{grid-template:"good changed" auto "missing changed" 1fr/minmax(0,1.15fr) minmax(0,1fr)}
.q-good{grid-area:good}.q-changed{border-left:1px solid var(--line);grid-area:changed;padding-left:2.2rem}.q-missing{grid-area:missing}}
.signs,.some{list-style:none;padding:0}.signs li{display:grid;grid-template-columns:1.6em 1fr;margin:.15rem 0}
.some li{margin:.3rem 0}.signs b{font-weight:600}
.reasons{list-style:none;padding:0}.reasons li{border-top:1px solid var(--line);display:grid;gap:0 .9rem;grid-template-columns:2.6rem 1fr;padding:.3rem 0}
.reasons b{font-variant-numeric:tabular-nums;text-align:right}.reasons .example{grid-column:2;font-size:.9rem}
.q-notes{background:var(--card);border:1px solid var(--line);border-radius:6px;margin:1.2rem 0 0;padding:.5rem .9rem}
.q-notes h2{font-size:.95rem;margin:0}
.rest{margin-top:1.4rem}
.fold{border-top:1px solid var(--line);margin:0;padding:.1rem 0}.fold:last-child{border-bottom:1px solid var(--line)}
.fold>summary{padding:.55rem 0}.fold[open]{padding-bottom:1rem}
figure{margin:.6rem 0}figure svg{display:block;height:auto;max-width:38rem;width:100%}
.plot{font-family:inherit;font-size:13px}
.charts{display:grid;gap:0 1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr))}
.scroll{overflow-x:auto}.scroll:focus-visible{outline:2px solid var(--link)}
table{border-collapse:collapse;font-size:.9rem;min-width:100%;overflow-wrap:normal}
caption{color:var(--soft);font-size:.85rem;padding:.2rem 0;text-align:left}
th,td{border-bottom:1px solid var(--line);padding:.25rem .7rem .25rem 0;text-align:left;vertical-align:top}
thead th{white-space:nowrap}td.n,th.n{font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
tbody th{font-weight:500}
th.name{min-width:13rem}th.text,td.text{max-width:28rem;min-width:8rem;overflow-wrap:anywhere;white-space:pre-wrap}
.fill{border-left:1px solid var(--soft);display:block;height:5px;margin-top:2px;width:5rem}.fill span{background:var(--c1);display:block;height:100%}
tr.unusual .fill span{background:var(--bad)}
tr.unusual th,tr.unusual td{background:var(--del)}
details{margin:.4rem 0}summary{color:var(--link);cursor:pointer;padding:.15rem 0}
.change{border:1px solid var(--line);border-left-width:4px;border-radius:4px;margin:.7rem 0;padding:.5rem .7rem}
.change.added{border-left-color:var(--good)}.change.removed{border-left-color:var(--bad)}
.change.changed,.change.written{border-left-color:var(--c2)}
.change td{white-space:pre-wrap;overflow-wrap:anywhere}.change table{overflow-wrap:anywhere}.change th{min-width:5rem;padding-right:.9rem;width:18%}
.kind{border:1px solid var(--line);border-radius:3px;font-size:.78rem;font-weight:400;padding:0 .3rem}
ins{background:var(--add);text-decoration:underline var(--good)}del{background:var(--del);text-decoration:line-through var(--bad)}
.gap{color:var(--soft)}
@media (max-width:40rem){body{padding:.7rem}.fold>summary .soft{display:block;padding-left:1rem}}
@media print{body{max-width:none;padding:0}h2,h3,h4{break-after:avoid}figure,.change,tr,.verdict{break-inside:avoid}
table{font-size:.72rem;overflow-wrap:anywhere}thead th,td.n,th.n{white-space:normal}.fill span,ins,del{print-color-adjust:exact}details::details-content{block-size:auto;content-visibility:visible}.scroll{overflow:visible}a{color:inherit}}`
