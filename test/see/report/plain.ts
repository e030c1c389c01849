/** The report of a plain crawl: a site of 400 pages, read each night, with a few broken pages. */
import type { ReportModel } from "#see/report/ReportModel"

const night = (day: number): ReportModel["history"][number] => ({
  run_id: `202611${String(day).padStart(2, "0")}T020003000Z-f3c107`,
  status: day % 7 === 0 ? "partial" : "done",
  started_at: `2026-11-${String(day).padStart(2, "0")}T02:00:03.000Z`,
  seconds: 40 + (day % 3),
  rows: { pages: 380 + day, page_links: 0, crawl_errors: 7 },
  credits: 391,
  pages_per_second: 9 + (day % 2),
  latency_p50_ms: 40,
  latency_p95_ms: 90 + day,
  wire_bytes: 650_000 + day * 1000,
  body_bytes: 2_500_000 + day * 1000,
  characters: 1_700_000 + day,
  bytes: 270_000 * day
})

const column = (name: string, filled: number): ReportModel["tables"][number]["columns"][number] => ({
  name,
  type: "VARCHAR",
  nullable: true,
  description: `what the page says as its ${name}`,
  profile: {
    table: "pages",
    column: name,
    type: "VARCHAR",
    rows: 400,
    filled,
    distinct: Math.min(filled, 37),
    distinct_exact: true,
    length: filled === 0 ? null : { min: 2, mean: 14.2, max: 80 },
    min: null,
    max: null,
    mean: null,
    quantiles: null,
    top: filled === 0 ? [] : [{ value: "en", count: filled }]
  },
  fill: filled / 400,
  usual_fill: { min: 0.9, median: 0.95, max: 1 },
  unusual: []
})

const names = Array.from({ length: 40 }, (_, at) => `column_${at}`)
const path = (at: number) => `https://docs.example.com/guides/a-page-with-a-long-name-${at}`

const changed = (at: number): ReportModel["changes"][number]["shown"][number] => ({
  kind: "changed",
  key: [["url", path(at)]],
  fields: [
    {
      name: "markdown",
      pieces: [
        { kind: "same", text: "The fee is " },
        { kind: "removed", text: "ten" },
        { kind: "added", text: "twelve" },
        { kind: "same", text: " euro." }
      ]
    }
  ]
})

export const plain: ReportModel = {
  format: "millrace-report-1",
  pipeline: "docs",
  run: {
    run_id: "20261128T020003000Z-f3c107",
    status: "partial",
    started_at: "2026-11-28T02:00:03.000Z",
    ended_at: "2026-11-28T02:00:44.000Z",
    seconds: 41,
    sinks: ["db", "lake"],
    message: null,
    rows: { pages: 400, page_links: 0, crawl_errors: 7 },
    facts: { discovered: 407, failed: 4, blocked: 3 }
  },
  compared_with: ["20261127T020003000Z-f3c107"],
  ledger: {
    discovered: 407,
    parts: [
      { name: "loaded", count: 400 },
      { name: "failed", count: 4 },
      { name: "blocked", count: 3 }
    ],
    dropped: 0
  },
  whole: { expected: 405, present: 400, missing: 5, not_met: 1 },
  asked: null,
  checks: [
    {
      check: "rows: at least 100 and at most 20% fewer than last time",
      table: "pages",
      passed: true,
      found: "400 rows, 399 rows in the last successful run"
    },
    { check: "url: a value in every row", table: "pages", passed: true, found: "0 of 400 rows have no url" }
  ],
  status_codes: [{ value: "200", count: 400 }],
  latency_ms: { min: 1, p50: 40, p95: 118, p99: 300, max: 900, mean: 51.5 },
  download: { wire_bytes: 678_000, body_bytes: 2_528_000, of: "run", page_wire_bytes: null },
  credits: { used: 391, changed_rows: 35, per_changed_row: 11.17 },
  history: Array.from({ length: 28 }, (_, at) => night(at + 1)),
  tables: [
    {
      name: "pages",
      description: "one row per page, with its text and metadata",
      key: ["url"],
      rows: 400,
      stored_rows: 520,
      stored_bytes: 1_100_000,
      columns: names.map((name, at) => column(name, at % 3 === 0 ? 0 : 400 - at))
    }
  ],
  rejects: [],
  errors: [
    {
      table: "crawl_errors",
      reason: "ROBOTS_BLOCKED",
      count: 3,
      examples: [1, 2, 3].map((at) => ({ where: path(at), text: "robots.txt of the site does not allow it" }))
    },
    {
      table: "crawl_errors",
      reason: "HTTP_500",
      count: 3,
      examples: [4, 5, 6].map((at) => ({ where: path(at), text: `the site answers 500 for page ${at}` }))
    },
    {
      table: "crawl_errors",
      reason: "SCRAPE_CONNECTION_ERROR",
      count: 1,
      examples: [{ where: path(7), text: "the host closed the connection before it answered" }]
    }
  ],
  changes: [
    {
      table: "pages",
      sink: "lake",
      from: "20261127T020003000Z-f3c107",
      write: "append",
      basis: "the rows that each run added",
      whole: true,
      counts: { added: 2, removed: 0, changed: 33, written: 0 },
      fields: { markdown: 33 },
      shown: Array.from({ length: 20 }, (_, at) => changed(at))
    }
  ],
  notes: []
}
