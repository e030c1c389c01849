/**
 * A report as one page of HTML that needs nothing else: no script, no other file, no request. Its own policy forbids them.
 *
 * Sections that do not apply to a run say so in one sentence.
 */
import * as HtmlPage from "#base/HtmlPage"
import { escape } from "#base/HtmlPage"
import { count, seconds, size } from "../summary.ts"
import { type Cell, link, moment, number, pieces, type Section, shown, table, text } from "./html.ts"
import type { Problem, ReportModel, TableChanges } from "./ReportModel.ts"
import { historySection, ledgerSection, pagesSection } from "./reportFigures.ts"
import { tablesSection } from "./reportTables.ts"

export const reportHtml = (model: ReportModel): string => {
  const { notes, pipeline, run } = model
  const sections: ReadonlyArray<Section> = [
    ledgerSection(model),
    pagesSection(model),
    historySection(model),
    tablesSection(model),
    problemsSection(model),
    changesSection(model)
  ]
  const title = `${pipeline}: run ${run.run_id}`
  return HtmlPage.page({
    title: shown(title),
    style: reportStyle,
    policy: "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    head: `${HtmlPage.noReferrer}<meta name="generator" content="millrace">\n`,
    body: `<header>
<h1>${text(pipeline)}</h1>
<p>Run <code>${text(run.run_id)}</code> <span class="status ${tone(run.status)}">${text(run.status)}</span></p>
<p class="soft">${escape(`began ${moment(run.started_at)}${run.ended_at === null ? ", has not ended" : `, ended ${moment(run.ended_at)}`} (UTC)`)}${run.sinks.length === 0 ? "" : `; in ${text(run.sinks.join(", "))}`}</p>
${run.message === null ? "" : `<p>${text(run.message)}</p>`}
<ul class="cards">${cards(model)
      .map(([figure, what]) => `<li><b>${escape(figure)}</b> ${text(what)}</li>`)
      .join("")}</ul>
${notes.length === 0 ? "" : `<section class="notes" aria-label="What this report lacks"><ul>${notes.map((note) => `<li>${text(note)}</li>`).join("")}</ul></section>`}
<nav aria-label="Sections"><ul>${sections.map(({ id, title }) => `<li><a href="#${id}">${escape(title)}</a></li>`).join("")}</ul></nav>
</header>
<main>
${sections.map(({ html, id, title }) => `<section aria-labelledby="${id}"><h2 id="${id}">${escape(title)}</h2>\n${html}\n</section>`).join("\n")}
</main>`
  })
}

const tone = (status: string): string => {
  if (status === "done") return "ok"
  return ["partial", "held", "behind", "stopped", "reading", "read"].includes(status) ? "warn" : "bad"
}

const cards = ({ checks, credits, download, errors, ledger, rejects, run, tables }: ReportModel) => {
  const [main] = tables
  const unusual = tables.reduce((sum, { columns }) => sum + columns.filter((one) => one.unusual.length > 0).length, 0)
  const failed = checks.filter(({ passed }) => !passed).length
  const sum = (all: ReadonlyArray<{ readonly count: number }>) => all.reduce((n, one) => n + one.count, 0)
  const shown: ReadonlyArray<readonly [string, string] | undefined> = [
    main === undefined ? undefined : [count(main.rows ?? 0), `rows of ${main.name}`],
    ledger === null ? undefined : [count(ledger.discovered), "discovered"],
    run.seconds === null ? undefined : [seconds(run.seconds * 1000), "from start to commit"],
    download === null ? undefined : [size(download.wire_bytes), "downloaded"],
    credits === null ? undefined : [count(credits.used), "credits"],
    credits?.per_changed_row == null ? undefined : [String(credits.per_changed_row), "credits for each changed row"],
    [count(sum(rejects)), "rejects"],
    [count(sum(errors)), "errors"],
    checks.length === 0 ? undefined : [`${checks.length - failed} of ${checks.length}`, "checks passed"],
    unusual === 0 ? undefined : [count(unusual), unusual === 1 ? "unusual column" : "unusual columns"]
  ]
  return shown.filter((card) => card !== undefined)
}

/** The sections of a report about single rows: rejects and errors with examples, and what changed word by word. */
const problemsSection = ({ errors, rejects, run }: ReportModel): Section => ({
  id: "problems",
  title: "Rejects and errors",
  html: (run.sinks.length === 0
    ? ["<p>This run has committed nothing, so no destination has its rejects and errors.</p>"]
    : [
        rejects.length === 0
          ? "<p>No row was rejected.</p>"
          : table(
              "Rejects by their reason",
              ["reason", "table", { number: "rows" }, "examples"],
              rejects.map(problemRow)
            ),
        errors.length === 0
          ? "<p>No errors are recorded.</p>"
          : table("Errors by their code", ["error", "table", { number: "count" }, "examples"], errors.map(problemRow))
      ]
  ).join("\n")
})

const problemRow = ({ count: n, examples, reason, table: of }: Problem) => {
  const shown = examples.map(({ text: words, where }) =>
    [link(where), text(words)].filter((part) => part !== "").join("\n")
  )
  const cells: ReadonlyArray<Cell> = [
    { html: text(reason), kind: "text" },
    { html: text(of) },
    number(count(n)),
    { html: shown.join("\n\n"), kind: "text" }
  ]
  return { cells }
}

const changesSection = ({ changes }: ReportModel): Section => ({
  id: "changes",
  title: "What changed",
  html:
    changes.length === 0
      ? "<p>There is no earlier load that this run could be compared with.</p>"
      : changes.map((of, at) => tableChanges(of, at === 0)).join("\n")
})

/** The rows of the main table are open, and those of others where they are few. */
const tableChanges = (
  { basis, counts, fields, from, shown, sink, table: name, whole }: TableChanges,
  isMain: boolean
): string => {
  const kinds = whole ? ["added", "removed", "changed"] : ["written"]
  const all = kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0)
  const changed = Object.entries(fields).map(([field, n]) => `${field} ${count(n)}`)
  return `<h3>${text(name)}</h3>
<p>${kinds.map((kind) => `${count(counts[kind] ?? 0)} ${kind}`).join(", ")} since run <code>${text(from)}</code>, ${whole ? "" : "<strong>not the whole difference:</strong> "}by ${text(basis)} (sink ${text(sink)}).</p>
${changed.length === 0 ? "" : `<p>Fields that changed: ${text(changed.join(", "))}.</p>`}
${
  shown.length === 0
    ? ""
    : `<details${isMain || all <= 20 ? " open" : ""}><summary>${shown.length === all ? `${count(all)} rows` : `The first ${count(shown.length)} of ${count(all)} rows`} of ${text(name)}</summary>
${shown.map(change).join("\n")}
${shown.length < all ? `<p>All of them: <code>millrace diff ${text(name)}</code></p>` : ""}</details>`
}`
}

const change = ({ fields, key, kind }: TableChanges["shown"][number]): string => {
  const names = key.map(([column, value]) =>
    key.length === 1 ? link(value) : `<small>${text(column)}</small> ${link(value)}`
  )
  const rows = fields.map(
    (field) => `<tr><th scope="row">${text(field.name)}</th><td>${pieces(field.pieces)}</td></tr>`
  )
  return `<div class="change ${kind}"><h4><span class="kind">${kind}</span> ${names.join(" ")}</h4>
${rows.length === 0 ? "" : `<table>${rows.join("\n")}</table>`}</div>`
}

/** The style of a report: light and dark, on a phone and on paper. It loads nothing. */
const reportStyle = `
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#57606a;--line:#d0d7de;--card:#f6f8fa;--range:#c8d1da;
--c1:#0b62c4;--c2:#b35900;--c3:#1a7f37;--c4:#8250df;--c5:#bf3989;--c6:#57606a;--bad:#c0202b;--good:#1a7f37;
--add:#1a7f3726;--del:#cf222e22;--link:#0b5cad}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0f1419;--soft:#a3adb8;--line:#3a424d;--card:#181e25;--range:#3d4753;
--c1:#6cb0ff;--c2:#f0a35c;--c3:#5bcf7a;--c4:#c49bff;--c5:#ff8fc4;--c6:#a3adb8;--bad:#ff7b72;--good:#5bcf7a;
--add:#2ea04333;--del:#f8514933;--link:#7ab8ff}}
*{box-sizing:border-box}
body{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;margin:0 auto;
max-width:62rem;overflow-wrap:anywhere;padding:1rem}
h1{font-size:1.6rem;line-height:1.2;margin:.2rem 0}
h2{border-top:1px solid var(--line);font-size:1.25rem;margin:2.2rem 0 .4rem;padding-top:1rem}
h3{font-size:1.02rem;margin:1.4rem 0 .3rem;overflow-wrap:anywhere}
h4{font-size:.95rem;font-weight:600;margin:0;overflow-wrap:anywhere}
p{margin:.4rem 0}a{color:var(--link)}small,.soft{color:var(--soft)}
code{font:0.92em ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
.cards{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));list-style:none;margin:1rem 0;padding:0}
.cards li{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.5rem .7rem}
.cards b{display:block;font-size:1.3rem;font-weight:650;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.status{border:1px solid currentColor;border-radius:99px;font-weight:600;padding:.05rem .6rem}
.status.ok{color:var(--good)}.status.warn{color:var(--c2)}.status.bad{color:var(--bad)}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem;list-style:none;margin:.6rem 0;padding:0}
nav a{display:inline-block;padding:.15rem 0}
figure{margin:.6rem 0}figure svg{display:block;height:auto;max-width:40rem;width:100%}
.plot{font-family:inherit;font-size:13px}
.charts{display:grid;gap:0 1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr))}
.scroll{overflow-x:auto}.scroll:focus-visible{outline:2px solid var(--link)}
table{border-collapse:collapse;font-size:.9rem;min-width:100%}
caption{color:var(--soft);font-size:.85rem;padding:.2rem 0;text-align:left}
th,td{border-bottom:1px solid var(--line);padding:.25rem .7rem .25rem 0;text-align:left;vertical-align:top}
table{overflow-wrap:normal}thead th{white-space:nowrap}td.n,th.n{font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
td.text{max-width:28rem;min-width:10rem;overflow-wrap:anywhere;white-space:pre-wrap}
tr.unusual th,tr.unusual td{background:var(--del)}
details{margin:.4rem 0}summary{color:var(--link);cursor:pointer;padding:.15rem 0}
.change{border:1px solid var(--line);border-left-width:4px;border-radius:4px;margin:.7rem 0;padding:.5rem .7rem}
.change.added{border-left-color:var(--good)}.change.removed{border-left-color:var(--bad)}
.change.changed,.change.written{border-left-color:var(--c2)}
.change td{white-space:pre-wrap;overflow-wrap:anywhere}.change table{overflow-wrap:anywhere}.change th{min-width:5rem;padding-right:.9rem;width:18%}
.kind{border:1px solid var(--line);border-radius:3px;font-size:.78rem;font-weight:400;padding:0 .3rem}
ins{background:var(--add);text-decoration:underline var(--good)}del{background:var(--del);text-decoration:line-through var(--bad)}
.gap{color:var(--soft)}
.notes{background:var(--card);border:1px solid var(--line);border-radius:6px;margin:1rem 0;padding:.5rem .9rem}
.notes ul{margin:.3rem 0;padding-left:1.2rem}.notes h2{border:0;margin:0;padding:0;font-size:1rem}
@media (max-width:40rem){body{padding:.7rem}}
@media print{body{max-width:none}nav{display:none}h2,h3{break-after:avoid}figure,.change,tr{break-inside:avoid}
.scroll{overflow:visible}a{color:inherit}}`
