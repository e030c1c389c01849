import { expect, it } from "vitest"
import type { ReportModel } from "#see/report/ReportModel"
import { reportHtml } from "#see/report/reportHtml"
import { hostile } from "./hostile.ts"

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
    "No checks were made.",
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
