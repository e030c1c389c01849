/**
 * The tables of monitors: what each check found of pages, and the checks.
 *
 * A page is one row in a check; the row has the check and its time, so the history of a page is its rows in the order of
 * `checked_at`.
 */
import * as Schema from "effect/Schema"
import type { MonitorCheckDetail, MonitorPage } from "../../../src/api/MonitorCheck.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import * as Table from "../../../src/pipeline/Table.ts"

const text = Schema.NullOr(Schema.String)

export const pageChanges = Table.make({
  name: "page_changes",
  suffix: "_changes",
  description: "one row per page of a check: changed, new, removed or not readable, and how",
  key: ["check_id", "target_id", "url"],
  schema: Schema.Struct({
    check_id: Schema.String,
    target_id: Schema.String,
    url: Schema.String,
    status: Schema.String,
    status_code: Schema.NullOr(Schema.Int),
    title: text,
    diff: text,
    fields: Schema.NullOr(Schema.Json),
    meaningful: Schema.NullOr(Schema.Boolean),
    reason: text,
    judge: text,
    error: text,
    /** How often the page has gone back to a state of its last checks. */
    flips: Schema.NullOr(Schema.Int),
    checked_at: Column.Timestamp,
    _fetched_at: Column.Timestamp,
    _source_url: Schema.String
  })
})

export const monitorChecks = Table.make({
  name: "monitor_checks",
  suffix: "_checks",
  description: "one row per check: its result, and the number of pages of each status",
  key: ["check_id"],
  schema: Schema.Struct({
    check_id: Schema.String,
    monitor_id: Schema.String,
    status: Schema.String,
    trigger: text,
    started_at: Schema.NullOr(Column.Timestamp),
    finished_at: Schema.NullOr(Column.Timestamp),
    pages: Schema.Int,
    same: Schema.Int,
    changed: Schema.Int,
    new: Schema.Int,
    removed: Schema.Int,
    failed: Schema.Int,
    credits: Schema.NullOr(Schema.Int),
    error: text,
    _fetched_at: Column.Timestamp
  })
})

/** What a row says of a page; an event tells less than a check, and what is not told is null. */
export type Found = Pick<
  MonitorPage,
  "targetId" | "url" | "status" | "statusCode" | "diff" | "judgment" | "metadata" | "error" | "flips"
> & { readonly createdAt: string | null }

/** What a row says of a check. */
export type Ended = Pick<MonitorCheckDetail, "id" | "monitorId" | "status" | "summary" | "error"> & {
  readonly [K in "trigger" | "startedAt" | "finishedAt"]: string | null
} & { readonly actualCredits: number | null }

/** Whether a check could read no page: its targets failed, or each of its pages did. */
export const isUnread = ({ status, summary }: Pick<Ended, "status" | "summary">): boolean =>
  status === "failed" || (summary.totalPages > 0 && summary.error === summary.totalPages)

/** `now`: milliseconds since the epoch, when the answer came. */
export const changeRow = (check: Pick<MonitorCheckDetail, "id">, page: Found, now: number): Table.Row => {
  const { diff, judgment, metadata } = page
  const title = metadata?.["title"]
  const fields = diff?.json !== undefined && !("files" in diff.json) ? diff.json : null
  return {
    check_id: check.id,
    target_id: page.targetId,
    url: page.url,
    status: page.status,
    status_code: page.statusCode,
    title: typeof title === "string" ? title : null,
    diff: diff?.text ?? null,
    fields,
    meaningful: judgment?.meaningful ?? null,
    reason: judgment?.reason ?? null,
    judge: judgment?.judge ?? null,
    error: page.error,
    flips: page.flips ?? null,
    checked_at: instant(page.createdAt) ?? Column.timestampFromMillis(now),
    _fetched_at: Column.timestampFromMillis(now),
    _source_url: page.url
  }
}

export const checkRow = (check: Ended, now: number): Table.Row => {
  const { changed, error, new: added, removed, same, totalPages } = check.summary
  return {
    check_id: check.id,
    monitor_id: check.monitorId,
    status: check.status,
    trigger: check.trigger,
    started_at: instant(check.startedAt),
    finished_at: instant(check.finishedAt),
    pages: totalPages,
    same,
    changed,
    new: added,
    removed,
    failed: error,
    credits: check.actualCredits,
    error: check.error,
    _fetched_at: Column.timestampFromMillis(now)
  }
}

/** A time that the service wrote; null where it wrote none, or none that is one. */
export const instant = (written: string | null): bigint | null => {
  const millis = written === null ? Number.NaN : Date.parse(written)
  return Number.isNaN(millis) ? null : Column.timestampFromMillis(millis)
}
