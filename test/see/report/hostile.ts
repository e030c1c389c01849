/** A report of a run whose every text is what a hostile page may say. */
import type { ReportModel } from "#see/report/ReportModel"

/** Markup, an end of the style, an event handler, text that turns around, half a surrogate, and a megabyte. */
export const evil = `</style></title><script>alert(1)</script><img src=x onerror="alert(2)">\u202Egnp.exe\u2066'"&\u0000\uD800`
export const huge = "A".repeat(1_000_000)

const profile = (column: string, filled: number): ReportModel["tables"][number]["columns"][number]["profile"] => ({
  table: evil,
  column,
  type: "VARCHAR",
  rows: 10,
  filled,
  distinct: 2,
  distinct_exact: true,
  length: { min: 1, mean: 5.5, max: 1_000_000 },
  min: null,
  max: null,
  mean: null,
  quantiles: null,
  top: [
    { value: evil, count: 4 },
    { value: huge, count: 1 }
  ]
})

const sheet = {
  pages_not_read: 1,
  pages_gone: 0,
  fields: [
    {
      field: `/${evil}`,
      found: 1,
      read_not_said: 2,
      not_understood: 0,
      given_not_said: 1,
      given: [evil],
      considered: [{ value: huge, kind: "table", place: evil, why: evil }]
    }
  ]
}

const point = (day: number): ReportModel["history"][number] => ({
  run_id: `run-${day}`,
  status: "done",
  started_at: `2026-11-${String(day).padStart(2, "0")}T02:00:00.000Z`,
  seconds: 10 + day,
  rows: { [evil]: 100 + day },
  credits: day * 3,
  pages_per_second: 9.5,
  latency_p50_ms: 40,
  latency_p95_ms: 90 + day,
  wire_bytes: 20_000 + day,
  body_bytes: 90_000 + day,
  characters: 1_000_000 + day,
  bytes: 2_000_000 + day
})

export const hostile: ReportModel = {
  format: "millrace-report-1",
  pipeline: evil,
  run: {
    run_id: "20261125T194148114Z-5c2729",
    status: "partial",
    started_at: "2026-11-25T19:41:48.114Z",
    ended_at: "2026-11-25T19:41:54.002Z",
    seconds: 5.888,
    sinks: ["warehouse", evil],
    message: huge,
    rows: { [evil]: 10 },
    facts: { discovered: 12, revalidated: 1 }
  },
  compared_with: ["run-1", "run-2", "run-3"],
  asked: { jobs: 2, jobs_again: 1, sheet, lacking: [{ page: evil, sheet }], lacking_jobs: 1 },
  ledger: {
    discovered: 12,
    parts: [
      { name: "loaded", count: 10 },
      { name: "failed", count: 2 }
    ],
    dropped: 1
  },
  whole: { expected: 12, present: 10, missing: 2, not_met: 1 },
  checks: [
    { check: evil, table: evil, passed: false, found: evil },
    { check: "rows", table: "pages", passed: true, found: "10 rows" }
  ],
  status_codes: [
    { value: "200", count: 9 },
    { value: evil, count: 1 }
  ],
  latency_ms: { min: 1, p50: 6, p95: 29, p99: 91, max: 305, mean: 10.4 },
  download: {
    wire_bytes: 20_005,
    body_bytes: 90_005,
    of: "run",
    page_wire_bytes: { min: 100, p50: 900, p95: 2000, p99: 2100, max: 2200, mean: 950.5 }
  },
  credits: { used: 12, changed_rows: 3, per_changed_row: 4 },
  history: [1, 2, 3, 4].map(point),
  tables: [
    {
      name: evil,
      description: evil,
      key: [evil],
      rows: 10,
      stored_rows: 12,
      stored_bytes: 3_000_000,
      columns: [
        {
          name: evil,
          type: "VARCHAR",
          nullable: true,
          description: evil,
          profile: profile(evil, 4),
          fill: 0.4,
          usual_fill: { min: 0.8, median: 0.9, max: 1 },
          unusual: ["fill below 0.8"]
        },
        {
          name: "title",
          type: "VARCHAR",
          nullable: false,
          description: null,
          profile: profile("title", 10),
          fill: 1,
          usual_fill: null,
          unusual: []
        }
      ]
    }
  ],
  rejects: [{ table: evil, reason: evil, count: 2, examples: [{ where: evil, text: huge }] }],
  errors: [{ table: "e", reason: evil, count: 1, examples: [{ where: `http://x.example/"${evil}`, text: evil }] }],
  changes: [
    {
      table: evil,
      sink: evil,
      from: evil,
      write: "merge",
      basis: evil,
      whole: true,
      counts: { added: 0, removed: 0, changed: 1, written: 0 },
      fields: { [evil]: 1 },
      shown: [
        {
          kind: "changed",
          key: [["url", `https://x.example/${evil}`]],
          fields: [
            {
              name: evil,
              pieces: [
                { kind: "same", text: huge },
                { kind: "removed", text: evil },
                { kind: "added", text: evil },
                { kind: "gap", text: huge }
              ]
            }
          ]
        }
      ]
    }
  ],
  notes: [evil]
}
