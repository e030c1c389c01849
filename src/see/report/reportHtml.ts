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
import { historySection, pagesSection } from "./reportFigures.ts"
import { changedHtml, goodHtml, missingHtml, verdictHtml } from "./reportFront.ts"
import { changesSection, problemsSection } from "./reportRows.ts"
import { reportStyle } from "./reportStyle.ts"
import { tablesSection } from "./reportTables.ts"

export const reportHtml = (model: ReportModel): string => {
  const { notes, pipeline, run } = model
  const folded = [
    changesSection(model),
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
${folded.map(fold).join("\n")}
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
