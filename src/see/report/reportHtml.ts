/**
 * A report as one page of HTML that needs nothing else: no script, no other file, no request. Its own policy forbids them.
 *
 * Sections that do not apply to a run say so in one sentence.
 */
import * as HtmlPage from "#base/HtmlPage"
import { escape } from "#base/HtmlPage"
import { count, seconds, size } from "../summary.ts"
import { moment, type Section, text } from "./html.ts"
import type { ReportModel } from "./ReportModel.ts"
import { changesSection, problemsSection } from "./reportDetails.ts"
import { historySection, ledgerSection, pagesSection } from "./reportFigures.ts"
import { reportStyle } from "./reportStyle.ts"
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
    title,
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
    run.seconds === null ? undefined : [seconds(run.seconds * 1000), "from begin to commit"],
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
