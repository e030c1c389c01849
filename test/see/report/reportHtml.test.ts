import { expect, it } from "vitest"
import type { ReportModel } from "#see/report/ReportModel"
import { reportHtml } from "#see/report/reportHtml"
import { hostile } from "./hostile.ts"
import { plain } from "./plain.ts"

const tagsOf = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/<([a-z!][a-z0-9]*)/gi)].map(([, name]) => name ?? ""))

it("no text of a page or a row becomes markup, turns the direction of reading or fills the page", () => {
  const html = reportHtml(hostile)

  expect(tagsOf(html)).not.toContain("script")
  expect(tagsOf(html)).not.toContain("img")
  expect(html.match(/<\/style>/g)).toHaveLength(1)
  expect(html.match(/<style>/g)).toHaveLength(1)
  expect(html).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/)
  expect(html).not.toContain("\u0000")
  expect(html).toContain("\\u202E")
  expect(html).not.toMatch(/\son[a-z]+=["']/)
  expect(html.isWellFormed()).toBe(true)
  expect(html.length).toBeLessThan(120_000)
})

it("a report loads nothing, and every chart has a title and a description", () => {
  const html = reportHtml(hostile)
  const charts = html.match(/<svg/g)?.length ?? 0

  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`)
  expect(html).not.toMatch(/url\(|@import|<(?:img|link|iframe|object|embed|source|base|meta http-equiv="refresh")\b/)
  expect(charts).toBeGreaterThan(8)
  expect(
    html.match(/<svg[^>]*role="img"[^>]*aria-label="[^"]+"[^>]*><title>[^<]+<\/title><desc>[^<]+<\/desc>/g)
  ).toHaveLength(charts)
  expect(html).not.toMatch(/NaN|undefined|Infinity|\[object/)
})

it("bytes that nobody reports are said not to be reported", () => {
  expect(reportHtml(hostile)).toContain("Bytes downloaded")
  expect(reportHtml({ ...hostile, download: null })).toContain("Bytes on the wire are not reported")
})

it("sections that do not apply say so in a sentence", () => {
  const empty: ReportModel = {
    ...hostile,
    run: { ...hostile.run, seconds: null, ended_at: null, message: null, status: "failed", sinks: [], facts: {} },
    pipeline: "rows",
    compared_with: [],
    ledger: null,
    checks: [],
    status_codes: null,
    latency_ms: null,
    download: null,
    credits: null,
    history: hostile.history.slice(0, 1),
    tables: [],
    rejects: [],
    errors: [],
    changes: [],
    notes: []
  }

  const html = reportHtml(empty)

  for (const sentence of [
    "The source of this pipeline does not count what it discovers.",
    "The results of all checks are stored with a commit, and this run has none.",
    "have no status code and no time of an answer, or no profile of them is kept.",
    "This is the first run: there is nothing to compare it with.",
    "No good run before this one has a profile to compare with.",
    "This run has committed nothing, so no destination has its rejects and errors.",
    "There is no earlier load that this run could be compared with."
  ]) {
    expect(html).toContain(sentence)
  }
  expect(html).toContain('class="status bad">failed')
  expect(html).not.toMatch(/NaN|undefined|Infinity|\[object/)
})

it("a report says what was asked of pages, what was found, why the rest is null, and what was considered", () => {
  const considered = [
    { value: "Maps URLs", kind: "table", place: "#alias > td", why: "it is one of several in a list" }
  ]
  const counts = { found: 51, read_not_said: 20, not_understood: 3, given_not_said: 0, given: [], considered }
  const all = { pages_not_read: 2, pages_gone: 0, fields: [{ field: "/description", ...counts }] }
  const one = { pages_not_read: 0, pages_gone: 0, fields: [{ field: "/description", ...counts, found: 0 }] }
  const page = "http://site.test/mod_alias"
  const html = reportHtml({
    ...plain,
    asked: { jobs: 76, jobs_again: 23, sheet: all, lacking: [{ page, sheet: one }], lacking_jobs: 23 }
  })
  const [, section = ""] = /<details class="fold" id="asked">(.*?)<details class="fold"/s.exec(html) ?? []
  const rows = [...section.matchAll(/<tr>(<th scope="row".*?)<\/tr>/g)].map(([, row = ""]) =>
    row.replaceAll(/<[^>]+>/g, "|").replaceAll(/\|+/g, "|")
  )
  const left = "&quot;Maps URLs&quot; (table: #alias &gt; td): it is one of several in a list"

  expect(section).toContain("1 field, 51 values found, 23 not")
  expect(section).toContain(
    "The sums of 76 jobs. 23 jobs that asked again for missing values are not in them. 2 pages not read: what they say is not known."
  )
  expect(rows).toEqual([`|/description|51|20|3|0|${left}|`, `|/description|0|20|3|0|${left}|`])
  expect(section).toContain(`<summary>${page}: /description</summary>`)
  expect(reportHtml(plain)).not.toContain("What was asked of the pages")
})

it("the first screen answers in the order that people ask: is it good, what changed, what is missing; the rest is folded", () => {
  const html = reportHtml(plain)
  const places = [
    "Partial: 5 of 405 could not be read",
    "Is it good?",
    "rows: at least 100 and at most 20% fewer than last time",
    "What changed since the run before?",
    "0 removed, 33 changed",
    "<del>ten</del> → <ins>twelve</ins>",
    "What is missing, and why?",
    "407 discovered = 400 loaded + 4 failed + 3 blocked",
    "robots.txt of the site does not allow it",
    "an earlier run had it, and this one met no link to it",
    "All the rest"
  ].map((words) => html.indexOf(words))

  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
  const folds = html.match(/<details class="fold"[^>]*>/g) ?? []
  expect(folds).toHaveLength(5)
  expect(folds.filter((fold) => fold.includes("open"))).toEqual([])
  // Each reason has one that it happened to; of several texts none stands for all.
  expect(html).toMatch(/<b>3<\/b> <span>HTTP_500<\/span> <span class="example"><a href="[^"]*long-name-4"/)
  const removed: ReportModel["changes"] = plain.changes.map((of) => ({
    ...of,
    shown: [4, 8].map((at) => ({ kind: "removed", key: [["url", `http://x.test/${at}`]], fields: [] }))
  }))
  const failed = (count: number): ReportModel["errors"] => [
    {
      table: "crawl_errors",
      reason: "HTTP_500",
      count,
      examples: [{ where: "http://x.test/4", text: "the site answers 500" }]
    }
  ]
  const notMet = (errors: ReportModel["errors"]) =>
    /met no link to it<\/span>(?: <span class="example"><a href="([^"]*)")?/.exec(
      reportHtml({ ...plain, changes: removed, errors })
    )?.[1]
  // What failed is not what was not met, and where not all that failed is listed nobody knows.
  expect([notMet(failed(1)), notMet(failed(2))]).toEqual(["http://x.test/8", undefined])
  expect(html).toContain('<th scope="col" class="n">distinct</th>')
  expect(html).toContain("41.0 s from start to commit")
})

it("the answer to the first question follows from the state, the checks and the columns of the run", () => {
  const verdict = (change: Partial<ReportModel>, status = "done") =>
    /<p class="verdict (\w+)">.*?<\/span> ([^<]*)<\/b> (.*?)<\/p>/
      .exec(reportHtml({ ...plain, errors: [], ...change, run: { ...plain.run, status, ...change.run } }))
      ?.slice(1)
  const unusual = plain.tables.map((table) => ({
    ...table,
    columns: table.columns.map((one, at) => ({ ...one, unusual: at < 2 ? ["fill below 0.9"] : [] }))
  }))

  expect(verdict({})).toEqual(["good", "Good", "400 rows of pages are in db and lake. 2 of 2 checks passed."])
  expect(verdict({ tables: unusual })?.slice(0, 2)).toEqual(["warn", "Good, with 2 unusual columns"])
  expect(verdict({ rejects: [{ table: "pages", reason: "too long", count: 1, examples: [] }] })).toEqual([
    "warn",
    "Good, with 1 row rejected",
    expect.stringContaining("<code>millrace rejects list</code>")
  ])
  expect(verdict({ run: { ...plain.run, status: "held", sinks: [] } }, "held")).toEqual([
    "bad",
    "Held by a check",
    expect.stringContaining(`<code>millrace commit ${plain.run.run_id}</code>`)
  ])
  expect(verdict({ run: { ...plain.run, status: "failed", sinks: [] } }, "failed")).toEqual([
    "bad",
    "Failed",
    "Nothing was committed."
  ])
  expect(verdict({}, "behind")?.slice(0, 2)).toEqual(["warn", "Partly done: not every destination has it"])
  expect(verdict({}, "stopped")?.[2]).toBe("What it had committed until then stays.")
})

it("a chart of one value is a sentence", () => {
  const titles = (model: ReportModel) =>
    [...reportHtml(model).matchAll(/<svg[^>]*><title>([^<]+)<\/title>/g)].map(([, title]) => title)
  const [last] = plain.history.slice(-1)
  const same = plain.history.map((point) => ({ ...point, ...last, run_id: point.run_id, started_at: point.started_at }))
  const flat: ReportModel = {
    ...plain,
    latency_ms: { min: 4, p50: 4, p95: 4, p99: 4, max: 4, mean: 4 },
    history: same
  }

  expect(titles(plain)).toContain("Rows of pages")
  expect(titles(plain)).toContain("Duration")
  expect(titles(plain)).not.toContain("Status codes")
  expect(titles(plain)).not.toContain("Credits")
  expect(reportHtml(plain)).toContain("All 400 answered with 200.")
  expect(reportHtml(plain)).toContain("Credits: 391 credits")
  expect(titles(flat)).not.toContain("Duration")
  expect(titles(flat)).not.toContain("Latencies in milliseconds")
  expect(reportHtml(flat)).toContain("All pages took 4 ms.")
  expect(titles({ ...plain, history: plain.history.slice(-1) })).not.toContain("Duration")
})

it("axes of time have days, and within a day the time with the day below it", () => {
  const ticks = (model: ReportModel, title: string) => {
    const svg = new RegExp(`<svg[^>]*><title>${title}</title>.*?</svg>`, "s").exec(reportHtml(model))?.[0] ?? ""
    return [...svg.matchAll(/>([^<>]*(?:Nov|\d:)[^<>]*)</g)]
      .map(([, text]) => text)
      .filter((text) => !text?.includes("of"))
  }
  const hours = plain.history.slice(0, 4).map((point, at) => ({
    ...point,
    started_at: `2026-11-28T0${at * 2}:00:00.000Z`
  }))

  expect(ticks(plain, "Duration")).toEqual(["Nov 2", "Nov 9", "Nov 16", "Nov 23"])
  expect(ticks(plain, "Rows of pages, run by run")).toEqual(["Nov 1", "Nov 7", "Nov 13", "Nov 19", "Nov 25"])
  expect(ticks({ ...plain, history: hours }, "Duration")).toEqual(["00:00", "Nov 28", "02:00", "04:00", "06:00"])
})
