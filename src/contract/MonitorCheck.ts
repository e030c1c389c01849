/**
 * A check of a monitor: its state, and its result for each page (specification, Monitor: page statuses).
 */
import * as Schema from "effect/Schema"
import { Sources, Unsupported } from "./Extract.ts"
import { Diff } from "./PageDocument.ts"

/** The result of a check for a page. */
export const PageStatus = Schema.Literals(["same", "changed", "new", "removed", "error"])
export type PageStatus = typeof PageStatus.Type

/** The state of a check: waiting, running, or how it ended. */
export const CheckStatus = Schema.Literals([
  "queued",
  "running",
  "completed",
  "failed",
  "partial",
  "skipped_overlap",
  "skipped_no_credits"
])
export type CheckStatus = typeof CheckStatus.Type

/** The counts of a check by the status of its pages. */
export const MonitorSummary = Schema.Struct({
  totalPages: Schema.Int,
  same: Schema.Int,
  changed: Schema.Int,
  new: Schema.Int,
  removed: Schema.Int,
  error: Schema.Int
}).annotate({ identifier: "MonitorSummary" })
export type MonitorSummary = typeof MonitorSummary.Type

/** The result of one target: the job that read its pages, or the results of its searches. */
export const TargetResult = Schema.Struct({
  targetId: Schema.String,
  type: Schema.Literals(["scrape", "crawl", "search"]),
  crawlId: Schema.optionalKey(Schema.String),
  expectedJobs: Schema.optionalKey(Schema.Array(Schema.String)),
  searchCompleted: Schema.optionalKey(Schema.Boolean),
  resultCount: Schema.optionalKey(Schema.Int),
  matches: Schema.optionalKey(Schema.Int),
  searchCredits: Schema.optionalKey(Schema.Int),
  error: Schema.optionalKey(Schema.String),
  warning: Schema.optionalKey(Schema.String),
  readAnew: Schema.optionalKey(Schema.Int).annotate({
    description:
      "extension: pages whose main content a newer version of Millrace found: it is not compared with the last text"
  })
})
export type TargetResult = typeof TargetResult.Type

/** A check of a monitor: its times, its cost, and how many pages were the same, changed, new, removed or errors. */
export const MonitorCheck = Schema.Struct({
  id: Schema.String,
  monitorId: Schema.String,
  status: CheckStatus,
  trigger: Schema.Literals(["scheduled", "manual"]),
  scheduledFor: Schema.NullOr(Schema.String),
  startedAt: Schema.NullOr(Schema.String),
  finishedAt: Schema.NullOr(Schema.String),
  estimatedCredits: Schema.NullOr(Schema.Int),
  reservedCredits: Schema.NullOr(Schema.Int),
  actualCredits: Schema.NullOr(Schema.Int),
  billingStatus: Schema.Literals(["not_applicable", "reserved", "confirmed", "released", "failed"]),
  summary: MonitorSummary,
  targetResults: Schema.Array(TargetResult),
  notificationStatus: Schema.NullOr(
    Schema.Struct({ email: Schema.Literals(["pending", "sent", "failed", "not_configured"]) })
  ),
  error: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({ identifier: "MonitorCheck" })
export type MonitorCheck = typeof MonitorCheck.Type

/** The changed fields, by their dotted names. */
export const FieldChanges = Schema.Record(Schema.String, Schema.Struct({ previous: Schema.Json, current: Schema.Json }))
export type FieldChanges = typeof FieldChanges.Type

/** The changes of a page between two checks, as text and as fields. */
export const MonitorDiff = Schema.Struct({
  text: Schema.optionalKey(Schema.String),
  json: Schema.optionalKey(Schema.Union([Diff.fields.json, FieldChanges]))
})
export type MonitorDiff = typeof MonitorDiff.Type

/** Whether a change matters to the goal, the reason, and who judged it. */
export const Judgment = Schema.Struct({
  meaningful: Schema.Boolean,
  confidence: Schema.Literals(["high", "medium", "low"]),
  reason: Schema.String,
  meaningfulChanges: Schema.Array(
    Schema.Struct({
      type: Schema.Literals(["added", "removed", "changed"]),
      before: Schema.NullOr(Schema.String),
      after: Schema.NullOr(Schema.String),
      reason: Schema.String
    })
  ),
  judge: Schema.String.annotate({ description: '"rules", or the name of the model' })
})
export type Judgment = typeof Judgment.Type

/** The watched fields of a page as they are now. */
export const MonitorSnapshot = Schema.Struct({
  json: Schema.Json,
  sources: Schema.optionalKey(Sources).annotate({
    description: "extension: where each value stands, and how sure it is, by its JSON pointer"
  }),
  unsupported: Schema.optionalKey(Schema.Array(Unsupported)).annotate({
    description: "extension: facts that a model gave and the page does not say"
  })
})
export type MonitorSnapshot = typeof MonitorSnapshot.Type

/** A page in a check: its status, and its changes. */
export const MonitorPage = Schema.Struct({
  id: Schema.String,
  targetId: Schema.String,
  url: Schema.String,
  status: PageStatus,
  statusCode: Schema.NullOr(Schema.Int),
  previousScrapeId: Schema.NullOr(Schema.String),
  currentScrapeId: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String),
  metadata: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
  judgment: Schema.NullOr(Judgment),
  diff: Schema.NullOr(MonitorDiff),
  snapshot: Schema.NullOr(MonitorSnapshot),
  flips: Schema.optionalKey(Schema.Int).annotate({
    description:
      "extension: how often the page has returned to a state of its last checks; it is reported as changed once, then as same"
  }),
  createdAt: Schema.String
}).annotate({ identifier: "MonitorPage" })
export type MonitorPage = typeof MonitorPage.Type

/** A check with a part of its pages and the URL of the next part. */
export const MonitorCheckDetail = Schema.Struct({
  ...MonitorCheck.fields,
  pages: Schema.Array(MonitorPage),
  next: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "MonitorCheckDetail" })
export type MonitorCheckDetail = typeof MonitorCheckDetail.Type
