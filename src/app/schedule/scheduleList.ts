/**
 * The work behind `millrace schedule DIR --list`: prints the last and the next run of each pipeline, even while a scheduler works.
 */
import { existsSync } from "node:fs"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as SqliteRepair from "#base/SqliteRepair"
import * as DueTimes from "#engine/DueTimes"
import type { Timing } from "#engine/FileSchedule"
import * as ScheduleStore from "#engine/ScheduleStore"
import { failed } from "#see/CliFailure"
import { textTable } from "#see/printable"
import { moment } from "../notify/scheduleNews.ts"
import { scheduleFolder } from "../scheduleFolder.ts"
import { ledgerOf, sharedOf } from "./schedulePipelines.ts"

interface Options {
  readonly folder: string
  readonly vars: Readonly<Record<string, string>>
  readonly json: boolean
  readonly database: Option.Option<Redacted.Redacted>
}

export const scheduleList = Effect.fn("scheduleList")(function* ({ database, folder, json, vars }: Options) {
  const shared = yield* sharedOf({ database, folder })
  // A command that only reads creates no file.
  const file = existsSync(ledgerOf(folder)) ? ledgerOf(folder) : ":memory:"
  const ledger = shared === undefined ? ScheduleStore.layer(file) : ScheduleStore.layerShared(shared, "look")
  yield* Effect.provide(list(folder, vars, json), ledger).pipe(
    Effect.catchTag("LedgerError", (error) => failed(`${folder}: ${error.message}`))
  )
})

const list = Effect.fnUntraced(function* (folder: string, vars: Readonly<Record<string, string>>, json: boolean) {
  const ledger = yield* ScheduleStore.Ledger
  const now = yield* Clock.currentTimeMillis
  const { news, tasks } = yield* scheduleFolder(folder, vars, yield* ledger.tasks)
  const open = yield* ledger.open
  const rows = yield* Effect.forEach(
    tasks,
    Effect.fnUntraced(function* ({ name, timing }) {
      const last = yield* ledger.last(name)
      const waits = open.filter(({ state, task }) => task === name && state === "waiting").length
      return { name, timing, last, waits, next: DueTimes.of(timing).next(now) }
    })
  )
  if (json) for (const row of rows) process.stdout.write(`${JSON.stringify(asJson(row))}\n`)
  else if (rows.length > 0) process.stdout.write(textTable([head, ...rows.map(cells)]))
  else process.stdout.write(`no pipeline file in ${folder} has a schedule\n`)
  const broken = news.flatMap(({ message, _tag }) => (_tag === "Broken" && message !== undefined ? [message] : []))
  const lost = (yield* ledger.lost).map((one) => `the schedule's database was damaged: ${SqliteRepair.inWords(one)}`)
  const faults = [...broken, ...lost]
  if (faults.length > 0) return yield* failed(faults.join("\n"))
})

interface Row {
  readonly name: string
  readonly timing: Pick<Timing, "expression" | "timezone">
  readonly last: ScheduleStore.Run | undefined
  readonly waits: number
  readonly next: number | undefined
}

const head = ["PIPELINE", "SCHEDULE", "ZONE", "LAST", "STATUS", "NEXT", "WAITING"]

const cells = ({ last, name, next, timing, waits }: Row): ReadonlyArray<string> => [
  name,
  timing.expression,
  timing.timezone,
  last === undefined ? "" : moment(last.due),
  last?.state ?? "",
  next === undefined ? "never" : moment(next),
  waits === 0 ? "" : String(waits)
]

const iso = (millis: number | null | undefined): string | null =>
  millis === null || millis === undefined ? null : new Date(millis).toISOString()

const asJson = ({ last, name, next, timing, waits }: Row) => ({
  pipeline: name,
  cron: timing.expression,
  timezone: timing.timezone,
  last:
    last === undefined
      ? null
      : {
          due: iso(last.due),
          status: last.state,
          attempts: last.attempts,
          began_at: iso(last.attempt_at),
          ended_at: iso(last.ended_at),
          run_id: last.run_id,
          rows: last.rows,
          message: last.message
        },
  next: iso(next),
  waiting: waits
})
