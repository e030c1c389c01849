/**
 * The tables of monitors: the pages that each check reports, and the checks.
 *
 * A page is one row in a check. The row has the check and its time, so the history of a page is its rows in the order
 * of `checked_at`.
 */
import * as Schema from "effect/Schema"
import type * as MonitorCheck from "#contract/MonitorCheck"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"

const { described } = Column
const text = Schema.NullOr(Schema.String)

export const pageChanges = Table.make({
  name: "page_changes",
  suffix: "_changes",
  description: "one row per page of a check: changed, new, removed or not readable, and how",
  key: ["check_id", "target_id", "url"],
  schema: Schema.Struct({
    check_id: described(Schema.String, "the check that found it"),
    target_id: described(Schema.String, "the target of the monitor that has the page"),
    url: described(Schema.String, "the URL of the page"),
    status: described(Schema.String, "changed, new, removed, same or error"),
    status_code: described(Schema.NullOr(Schema.Int), "the HTTP status of the answer"),
    title: described(text, "the title of the page"),
    diff: described(text, "the change as a unified diff"),
    fields: described(Schema.NullOr(Schema.Json), "the fields that changed, with their values before and now"),
    fields_sources: described(
      Schema.NullOr(Schema.Json),
      "where the page says them now: by the JSON pointer of each, its places (url, kind, path, span, certainty)"
    ),
    fields_unsupported: described(Schema.NullOr(Schema.Json), "what a model gave for them that the page does not say"),
    meaningful: described(Schema.NullOr(Schema.Boolean), "whether the change matters for the goal of the monitor"),
    reason: described(text, "why it does or does not"),
    judge: described(text, "who says so: rules or a model"),
    error: described(text, "why the page could not be read"),
    flips: described(Schema.NullOr(Schema.Int), "how often the page has returned to a state of its last checks"),
    checked_at: described(Column.Timestamp, "when the page was checked"),
    _fetched_at: described(Column.Timestamp, "when the answer came"),
    _source_url: described(Schema.String, "the URL of the page")
  })
})

export const monitorChecks = Table.make({
  name: "monitor_checks",
  suffix: "_checks",
  description: "one row per check: its result, and the number of pages of each status",
  key: ["check_id"],
  schema: Schema.Struct({
    check_id: described(Schema.String, "the id of the check"),
    monitor_id: described(Schema.String, "its monitor"),
    status: described(Schema.String, "how the check ended"),
    trigger: described(text, "what started it"),
    started_at: described(Schema.NullOr(Column.Timestamp), "when it began"),
    finished_at: described(Schema.NullOr(Column.Timestamp), "when it ended"),
    pages: described(Schema.Int, "pages that were checked"),
    same: described(Schema.Int, "pages that did not change"),
    changed: described(Schema.Int, "pages that changed"),
    new: described(Schema.Int, "pages that were not there before"),
    removed: described(Schema.Int, "pages that no longer exist"),
    failed: described(Schema.Int, "pages that could not be read"),
    credits: described(Schema.NullOr(Schema.Int), "the credits that it cost"),
    error: described(text, "why it failed"),
    _fetched_at: described(Column.Timestamp, "when the answer came")
  })
})

/** The facts of a page's row. An event has fewer than a check; missing ones are null. */
type Found = Pick<
  MonitorCheck.MonitorPage,
  "targetId" | "url" | "status" | "statusCode" | "diff" | "snapshot" | "judgment" | "metadata" | "error" | "flips"
> & { readonly createdAt: string | null }

/** The facts of a check's row. */
type Ended = Pick<MonitorCheck.MonitorCheckDetail, "id" | "monitorId" | "status" | "summary" | "error"> & {
  readonly [K in "trigger" | "startedAt" | "finishedAt"]: string | null
} & { readonly actualCredits: number | null }

/** Whether a check could read no page: its targets failed, or each of its pages did. */
export const isUnread = ({ status, summary }: Pick<Ended, "status" | "summary">): boolean =>
  status === "failed" || (summary.totalPages > 0 && summary.error === summary.totalPages)

/** `now`: when the answer arrived, in milliseconds since the epoch. */
export const changeRow = (check: Pick<MonitorCheck.MonitorCheckDetail, "id">, page: Found, now: number): Table.Row => {
  const { diff, judgment, metadata, snapshot } = page
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
    ...fieldEvidence(fields, snapshot ?? {}),
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

/** The evidence of the fields that changed, from that of all fields of the page. */
export const fieldEvidence = (
  fields: MonitorCheck.FieldChanges | null,
  { sources, unsupported }: Pick<MonitorCheck.MonitorSnapshot, "sources" | "unsupported">
) => {
  const isOf = (pointer: string): boolean => fields !== null && Object.hasOwn(fields, dotted(pointer))
  const own = Object.entries(sources ?? {}).filter(([pointer]) => isOf(pointer))
  const facts = (unsupported ?? []).filter(({ path }) => isOf(path))
  return {
    fields_sources: own.length === 0 ? null : Object.fromEntries(own),
    fields_unsupported: facts.length === 0 ? null : facts
  }
}

/** "/offers/0/price" is "offers.0.price" among the fields. */
const dotted = (pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".")

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

/** A time of the service; null if it is missing or invalid. */
export const instant = (written: string | null): bigint | null => {
  const millis = written === null ? Number.NaN : Date.parse(written)
  return Number.isNaN(millis) ? null : Column.timestampFromMillis(millis)
}
