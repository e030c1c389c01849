/**
 * Rows of the events of a monitor's webhook: of a page, and of a check that is over.
 *
 * The columns are those of checks; a fact that an event does not have is null.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CheckStatus, Judgment, MonitorDiff, MonitorSummary, PageStatus } from "#contract/MonitorCheck"
import { changeRow, checkRow } from "./monitorTables.ts"

const optional = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** The data of a page's event. */
const Page = Schema.Struct({
  checkId: Schema.String,
  url: Schema.String,
  status: PageStatus,
  targetId: optional(Schema.String),
  statusCode: optional(Schema.Int),
  error: optional(Schema.String),
  metadata: optional(Schema.Record(Schema.String, Schema.Json)),
  judgment: optional(Judgment),
  diff: optional(MonitorDiff),
  flips: Schema.optionalKey(Schema.Int),
  createdAt: optional(Schema.String)
})

/** The data of an ended check's event. */
const Check = Schema.Struct({
  checkId: Schema.String,
  monitorId: Schema.String,
  status: CheckStatus,
  summary: MonitorSummary,
  trigger: optional(Schema.String),
  startedAt: optional(Schema.String),
  finishedAt: optional(Schema.String),
  actualCredits: optional(Schema.Int),
  error: optional(Schema.String)
})

const decodePage = Schema.decodeUnknownEffect(Page)
const decodeCheck = Schema.decodeUnknownEffect(Check)

/** `receivedAt`: when the event arrived, in milliseconds since the epoch. */
export const pageRow = (item: unknown, receivedAt: number) =>
  Effect.map(decodePage(item), (page) => {
    const { checkId: id, createdAt, diff, error, judgment, metadata, statusCode, targetId } = page
    return changeRow(
      { id },
      {
        ...page,
        targetId: targetId ?? "",
        statusCode: statusCode ?? null,
        error: error ?? null,
        metadata: metadata ?? null,
        judgment: judgment ?? null,
        diff: diff ?? null,
        createdAt: createdAt ?? null
      },
      receivedAt
    )
  })

/** `error`: the event's error, which is outside its data. */
export const endRow = (item: unknown, error: string | null, receivedAt: number) =>
  Effect.map(decodeCheck(item), (check) =>
    checkRow(
      {
        ...check,
        id: check.checkId,
        trigger: check.trigger ?? null,
        startedAt: check.startedAt ?? null,
        finishedAt: check.finishedAt ?? null,
        actualCredits: check.actualCredits ?? null,
        error: check.error ?? error
      },
      receivedAt
    )
  )
