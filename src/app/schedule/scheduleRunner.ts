/**
 * Runs of the scheduler as processes of their own: what one takes or breaks is its own.
 *
 * A run ends with its scheduler, however that dies, and the next scheduler continues it from the journal. A signal for
 * the scheduler, such as Ctrl-C, does not reach its runs. An interrupted run is asked to end, and killed if it does not.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Journal from "#engine/Journal"
import * as Journals from "#engine/Journals"
import { Outcome, Runner, without } from "#engine/ScheduleRunner"
import type { Task } from "#engine/ScheduleTask"
import type { NetworkFlags } from "#library/services"
import { ownCommand } from "#see/packageFolder"
import type { Order } from "./scheduledRun.ts"

interface Options extends NetworkFlags {
  readonly vars: Readonly<Record<string, string>>
  /** Whether other machines may run the same: then a run has the key of its time, which its destinations keep. */
  readonly isShared?: boolean
}

/** How long a run that is asked to end has, in milliseconds. */
const endMillis = 20_000
const tail = 4000

/** The processes under way: who ends now ends them too. */
const children = new Set<ChildProcess>()

export const layer = (options: Options) =>
  Layer.effect(
    Runner,
    Effect.map(Journal.Journals, (journals) =>
      Runner.of({
        run: (task, due) =>
          runApart(options.isShared === true ? { ...task, once: `due ${new Date(due).toISOString()}` } : task, options),
        ended: (task, startedAt) =>
          Effect.map(
            Effect.orElseSucceed(journals.look(task.name, dirname(task.path)), (): ReadonlyArray<Journal.Entry> => []),
            (entries) => {
              // The newest is the one: what was given up before it began has ended since, too.
              const last = entries.at(-1)?.state
              return last === undefined || (last.ended_at ?? 0) < startedAt ? undefined : outcomeOf(last)
            }
          )
      })
    )
  ).pipe(Layer.provide(Journals.layer))

/** Ends all runs at once, as a crash does: they are continued later. */
export const killAll = (): void => {
  for (const child of children) kill(child, "SIGKILL")
}

/** Whether no run is under way. */
export const isIdle = (): boolean => children.size === 0

/** A run by what its journal says of it. */
const outcomeOf = ({ message, rows, run_id: runId, status }: Journal.RunState): Outcome => ({
  status: status === "done" || status === "behind" || status === "failed" ? status : "held",
  run_id: runId,
  rows,
  changed: null,
  message
})

/** A run as a process of its own: it ends with this one. */
export const runApart = Effect.fnUntraced(function* (
  task: Pick<Task, "path" | "text"> & { readonly once?: string },
  { allowPrivate, resolve, vars }: Options
) {
  const span = Option.getOrUndefined(yield* Effect.option(Effect.currentSpan))
  const order: Order = {
    path: task.path,
    text: task.text,
    ...(task.once === undefined ? {} : { once: task.once }),
    vars,
    allowPrivate,
    resolve,
    ...(span === undefined ? {} : { trace: { traceId: span.traceId, spanId: span.spanId } })
  }
  return yield* Effect.callback<Outcome>((resume) => {
    const [program, ...first] = ownCommand()
    const child = spawn(program, [...first, "schedule", "attempt"], {
      stdio: ["pipe", "pipe", "pipe"],
      // A group of its own: a terminal's Ctrl-C is for the scheduler.
      detached: true
    })
    children.add(child)
    let [stdout, stderr] = ["", ""]
    child.stdout.on("data", (chunk) => (stdout = `${stdout}${chunk}`.slice(-1_000_000)))
    child.stderr.on("data", (chunk) => (stderr = `${stderr}${chunk}`.slice(-tail)))
    // A child that died before it read its order ends below.
    child.stdin.on("error", () => {})
    child.stdin.write(`${JSON.stringify(order)}\n`)
    child.on("error", (cause) => resume(Effect.succeed(without("failed", `the run cannot begin: ${cause.message}`))))
    child.on("close", (code, signal) => {
      children.delete(child)
      resume(Effect.succeed(reportedIn(stdout) ?? without("failed", crashed(code, signal, stderr))))
    })
    return stopped(child)
  })
})

/** Who is interrupted waits until the run has ended: its journal is free then. */
const stopped = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    const late = setTimeout(() => kill(child, "SIGKILL"), endMillis)
    child.once("close", () => {
      clearTimeout(late)
      resume(Effect.void)
    })
    kill(child, "SIGTERM")
  })

const kill = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return
  try {
    // With all that it has started; only its own first process is asked politely.
    process.kill(signal === "SIGKILL" ? -child.pid : child.pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Outcome))

/** The last line that it wrote says what came of it. */
const reportedIn = (stdout: string): Outcome | undefined =>
  Option.getOrUndefined(decode(stdout.trimEnd().split("\n").at(-1) ?? ""))

const crashed = (code: number | null, signal: NodeJS.Signals | null, stderr: string): string => {
  const how = code === null ? `it was killed by ${signal}` : `it ended with ${code}`
  // Progress is in lines of JSON.
  const output = stderr
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("{"))
    .join("\n")
  return output === "" ? how : `${how}: ${output}`
}
