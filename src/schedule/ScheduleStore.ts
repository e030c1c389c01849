/**
 * What is known of runs: which times were decided, what became of each, and which notices were sent. A SQLite file.
 *
 * The law: a due time is decided once, and the progress of decisions is written in the same transaction; a run is
 * written down before it begins, and its end together with its notices; a notice is marked before it is sent, so it is
 * never sent twice.
 */
import type { DatabaseSync } from "node:sqlite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Event } from "../pipeline/Notify.ts"
import * as SqliteFile from "../sqlite/SqliteFile.ts"
import type { Outcome } from "./Runner.ts"
import * as ScheduleTables from "./ScheduleTables.ts"
import { ruleOf, type Task } from "./Task.ts"

export type { Notice, Run, State } from "./ScheduleTables.ts"

/** What a decision makes of a due time. */
export interface Decided {
  readonly due: number
  readonly state: "waiting" | "skipped" | "missed"
  readonly makesUp: boolean
  readonly beginAt: number
  readonly message: string | null
}

/** A task as it was when it was last good. */
export type Kept = typeof ScheduleTables.Task.Type

export class LedgerError extends Schema.TaggedError<LedgerError>()("LedgerError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

type Ask<A> = Effect.Effect<A, LedgerError>

export class Ledger extends Context.Service<
  Ledger,
  {
    readonly tasks: Ask<ReadonlyArray<Kept>>
    /** Takes a task up, as it is now. The answer: the time up to which is decided. A new rule begins now. */
    readonly adopt: (task: Task, now: number) => Ask<number>
    /** Forgets a task; what of it waits is dropped, and what runs too unless it is still under way. */
    readonly drop: (name: string, now: number, isUnderWay: boolean) => Ask<void>
    readonly decide: (name: string, decided: ReadonlyArray<Decided>) => Ask<void>
    /** A run that no schedule planned. */
    readonly add: (name: string, now: number, beginAt: number, skipped?: string) => Ask<void>
    /** Runs that are not over, the first to begin first. */
    readonly open: Ask<ReadonlyArray<ScheduleTables.Run>>
    readonly start: (id: number, now: number) => Ask<void>
    /** Lets a run wait for another attempt. One that did not count is taken back. */
    readonly again: (id: number, beginAt: number, message: string | null, counts: boolean) => Ask<void>
    readonly settle: (
      run: ScheduleTables.Run,
      end: { readonly state: ScheduleTables.State; readonly outcome: Outcome; readonly now: number },
      notices: ReadonlyArray<{ readonly event: Event; readonly target: number }>
    ) => Ask<void>
    /** The last run of a task before this one that came to an end, whatever it was. */
    readonly before: (name: string, id: number) => Ask<ScheduleTables.Run | undefined>
    readonly run: (id: number) => Ask<ScheduleTables.Run | undefined>
    readonly last: (name: string) => Ask<ScheduleTables.Run | undefined>
    readonly notices: (state: ScheduleTables.Notice["state"]) => Ask<ReadonlyArray<ScheduleTables.Notice>>
    /** Takes what is due to be told; false: somebody has. */
    readonly claim: (id: string) => Ask<boolean>
    /** due: it is to be tried again. */
    readonly told: (id: string, state: "sent" | "failed" | "due", message: string | null, now: number) => Ask<void>
  }
>()("millrace/schedule/Ledger") {
  static readonly layer = (file: string) =>
    Layer.effect(
      Ledger,
      Effect.map(
        Effect.acquireRelease(
          attempt(`cannot open ${file}`, () => SqliteFile.open(file, ScheduleTables.create)),
          (database) => Effect.sync(() => database.close())
        ),
        make
      )
    )
}

/** Runs that are over are known for this long, and the newest of each task for ever. */
const keepMillis = 90 * 24 * 3_600_000
const keepRuns = 100

const attempt = <A>(doing: string, run: () => A): Ask<A> =>
  Effect.try({
    try: run,
    catch: (cause) =>
      new LedgerError({ message: `${doing}: ${cause instanceof Error ? cause.message : String(cause)}`, cause })
  })

const make = (database: DatabaseSync) => {
  const ask = <A>(run: () => A) => attempt("cannot use the ledger of the schedule", run)
  const whole = <A>(run: () => A) => ask(() => SqliteFile.whole(database, run))
  const put = database.prepare(
    "INSERT INTO runs (task, due, makes_up, begin_at, state, message) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
  )
  const runs = (where: string, ...values: ReadonlyArray<string | number>) =>
    database
      .prepare(`SELECT * FROM runs WHERE ${where}`)
      .all(...values)
      .map(ScheduleTables.decodeRun)

  return Ledger.of({
    tasks: ask(() => database.prepare("SELECT * FROM tasks ORDER BY name").all().map(ScheduleTables.decodeTask)),
    adopt: (task, now) =>
      whole(() => {
        const rule = ruleOf(task.timing)
        const known = database.prepare("SELECT * FROM tasks WHERE name = ?").get(task.name)
        const before = known === undefined ? undefined : ScheduleTables.decodeTask(known)
        const decidedTo = before?.rule === rule ? before.decided_to : now
        database
          .prepare("INSERT OR REPLACE INTO tasks (name, path, text, rule, decided_to) VALUES (?, ?, ?, ?, ?)")
          .run(task.name, task.path, task.text, rule, decidedTo)
        return decidedTo
      }),
    drop: (name, now, isUnderWay) =>
      whole(() => {
        database.prepare("DELETE FROM tasks WHERE name = ?").run(name)
        database
          .prepare(
            "UPDATE runs SET state = 'dropped', ended_at = ?, message = ? WHERE task = ? AND state IN ('waiting', ?)"
          )
          .run(now, "its pipeline file is gone", name, isUnderWay ? "waiting" : "running")
      }),
    decide: (name, decided) =>
      whole(() => {
        for (const { beginAt, due, makesUp, message, state } of decided) {
          put.run(name, due, makesUp ? 1 : 0, beginAt, state, message)
        }
        const to = Math.max(...decided.map(({ due }) => due))
        database.prepare("UPDATE tasks SET decided_to = max(decided_to, ?) WHERE name = ?").run(to, name)
      }),
    add: (name, now, beginAt, skipped) =>
      whole(() => {
        const [state, message] = skipped === undefined ? ["waiting", null] : ["skipped", skipped]
        // Two of one millisecond each have a time of their own.
        for (let due = now; put.run(name, due, 0, beginAt, state, message).changes === 0; due += 1) {}
      }),
    open: ask(() => runs("state IN ('waiting', 'running') ORDER BY begin_at, id")),
    start: (id, now) =>
      ask(() => {
        database
          .prepare("UPDATE runs SET state = 'running', attempts = attempts + 1, attempt_at = ? WHERE id = ?")
          .run(now, id)
      }),
    again: (id, beginAt, message, counts) =>
      ask(() => {
        database
          .prepare(
            "UPDATE runs SET state = 'waiting', begin_at = ?, message = ?, attempts = max(0, attempts - ?) WHERE id = ?"
          )
          .run(beginAt, message, counts ? 0 : 1, id)
      }),
    settle: (run, { now, outcome, state }, notices) =>
      whole(() => {
        database
          .prepare(
            "UPDATE runs SET state = ?, ended_at = ?, run_id = ?, rows = ?, changed = ?, message = ? WHERE id = ?"
          )
          .run(state, now, outcome.run_id, JSON.stringify(outcome.rows), outcome.changed, outcome.message, run.id)
        for (const { event, target } of notices) {
          database
            .prepare("INSERT INTO notices (id, run, event, target, state, at) VALUES (?, ?, ?, ?, 'due', ?)")
            .run(crypto.randomUUID(), run.id, event, target, now)
        }
        database.prepare(ScheduleTables.prune).run(run.task, now - keepMillis, run.task, keepRuns)
      }),
    before: (name, id) =>
      ask(() => runs(`task = ? AND id < ? AND ${ScheduleTables.ended} ORDER BY id DESC LIMIT 1`, name, id)[0]),
    run: (id) => ask(() => runs("id = ?", id)[0]),
    last: (name) =>
      ask(() => runs("task = ? AND state NOT IN ('waiting', 'missed') ORDER BY due DESC, id DESC LIMIT 1", name)[0]),
    notices: (state) =>
      ask(() =>
        database
          .prepare("SELECT * FROM notices WHERE state = ? ORDER BY at, rowid")
          .all(state)
          .map(ScheduleTables.decodeNotice)
      ),
    claim: (id) =>
      ask(
        () =>
          database.prepare("UPDATE notices SET state = 'sending' WHERE id = ? AND state = 'due'").run(id).changes > 0
      ),
    told: (id, state, message, now) =>
      ask(() => {
        database.prepare("UPDATE notices SET state = ?, message = ?, at = ? WHERE id = ?").run(state, message, now, id)
      })
  })
}
