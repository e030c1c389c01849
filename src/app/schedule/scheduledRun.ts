/**
 * One run for a scheduler, in a process of its own: `millrace schedule attempt`.
 *
 * The first line of stdin is the order, and the last line of stdout is the outcome. stdin stays open while the scheduler
 * lives. When stdin closes, this process ends at once, as in a crash, and the next scheduler continues the run.
 */
import { createInterface } from "node:readline"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import * as Run from "#engine/Run"
import { type Outcome, without } from "#engine/ScheduleRunner"
import { engine, withService } from "#library/services"
import { CliFailure, wrong, wrongInput } from "#see/CliFailure"
import { type Loaded, loadText } from "#see/loadPipeline"
import { failureOf } from "#see/runReport"

export const Order = Schema.Struct({
  path: Schema.String,
  text: Schema.String,
  vars: Schema.Record(Schema.String, Schema.String),
  allowPrivate: Schema.Boolean,
  resolve: Schema.Array(Schema.String),
  /** The key of the run, unless the file has one. */
  once: Schema.optionalKey(Schema.String),
  /** The parent of the run's spans. */
  trace: Schema.optionalKey(Schema.Struct({ traceId: Schema.String, spanId: Schema.String }))
})
export type Order = typeof Order.Type

export const scheduledRun = Effect.fn("scheduledRun")(function* () {
  const line = yield* Effect.promise(firstLine)
  const order = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Order))(line).pipe(
    Effect.mapError(() => wrong("only the scheduler starts millrace schedule attempt: use millrace run FILE"))
  )
  const traced =
    order.trace === undefined ? runOrder(order) : Effect.withParentSpan(runOrder(order), parent(order.trace))
  const outcome = yield* traced
  yield* Effect.callback<void>((resume) => {
    process.stdout.write(`${JSON.stringify(outcome)}\n`, () => resume(Effect.void))
  })
  // Standard input keeps the process alive.
  process.stdin.destroy()
})

/** Runs the pipeline of an order, and returns the outcome. */
const runOrder = Effect.fnUntraced(function* (order: Order) {
  const loaded = yield* Effect.result(loadText(order.path, order.text, order.vars, "none"))
  if (loaded._tag === "Failure") return without("wrong", loaded.failure.message)
  const began = yield* Clock.currentTimeMillis
  const outcome = yield* runLoaded(loaded.success, order)
  const folder = loaded.success.file.schedule?.report
  if (folder === undefined || !isOver(outcome)) return outcome
  // If the report cannot be made, the run keeps its status, and the message of the outcome has the reason.
  const { reportRun } = yield* Effect.promise(() => import("#see/reportFolder"))
  const reported = yield* Effect.exit(
    reportRun(order.path, loaded.success, { folder, runId: outcome.run_id, since: began })
  )
  if (Exit.isSuccess(reported)) return { ...outcome, run_id: outcome.run_id ?? reported.value ?? null }
  const reason = Cause.squash(reported.cause)
  const message = `the report was not made: ${reason instanceof Error ? reason.message : String(reason)}`
  return { ...outcome, message: outcome.message === null ? message : `${outcome.message}; ${message}` }
})

/** Whether a run took place. There is no report on a run that could not start. */
const isOver = ({ status }: Outcome): boolean => ["done", "behind", "held", "failed"].includes(status)

const runLoaded = Effect.fnUntraced(function* ({ file, pipeline }: Loaded, order: Order) {
  const ran = yield* Effect.flatMap(withService(file, pipeline, order, true), (ready) =>
    Run.run(ready, { once: file.once ?? order.once })
  ).pipe(Effect.provide(engine), Effect.result)
  if (ran._tag === "Success") return outcomeOf(ran.success)
  const error = ran.failure
  if (error._tag === "JournalError" && error.message.includes("is being run")) {
    return without("busy", error.message)
  }
  if (error._tag === "SinkError" && /is open in another (process|run)/.test(error.message)) {
    return without("blocked", error.message)
  }
  const failure = error instanceof CliFailure ? error : failureOf(file, error, false)
  return failure.exitCode === wrongInput ? without("wrong", failure.message) : without("failed", error.message)
}, Effect.scoped)

const outcomeOf = (report: Run.Report): Outcome => ({
  status: report.status,
  run_id: report.runId,
  rows: report.rows,
  changed: changedIn(report),
  message: messageOf(report)
})

const messageOf = ({ checks, failures, status }: Run.Report): string | null => {
  const behind = Object.entries(failures).map(([name, { message }]) => `sink ${name}: ${message}`)
  const wrongs = checks.filter(({ passed }) => !passed).map(({ check, found, table }) => `${table}: ${check}: ${found}`)
  const reasons = status === "held" ? wrongs : behind
  return reasons.length === 0 ? null : reasons.join("; ")
}

/** The number of changed rows, as the source counts it, or from the check `changed`: "12 of 390 known before changed". */
const changedIn = ({ checks, facts }: Run.Report): number | null => {
  const counted = checks.flatMap(({ check, found }) => {
    const number = check.startsWith("changed") ? /^([\d,]+) of [\d,]+ known/.exec(found)?.[1] : undefined
    return number === undefined ? [] : [Number(number.replaceAll(",", ""))]
  })
  return facts["changed"] ?? (counted.length === 0 ? null : Math.max(...counted))
}

const parent = ({ spanId, traceId }: NonNullable<Order["trace"]>) => Tracer.externalSpan({ spanId, traceId })

const firstLine = (): Promise<string> =>
  new Promise((done) => {
    const lines = createInterface({ input: process.stdin })
    lines.once("line", (line) => {
      done(line)
      // The scheduler has ended. The journal has the answers that the run has received so far.
      lines.once("close", () => process.stdin.destroyed || die())
    })
    lines.once("close", () => done(""))
  })

/** Kills this process and all that it has started, such as a browser: it leads its own process group. */
const die = (): void => {
  try {
    process.kill(-process.pid, "SIGKILL")
  } catch {
    process.kill(process.pid, "SIGKILL")
  }
}
