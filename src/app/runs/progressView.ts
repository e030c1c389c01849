/**
 * The progress of a run: on a terminal, some lines that are redrawn; otherwise a plain line every five seconds; with `--json` a
 * line of JSON every second, for programs that show progress themselves.
 *
 * Progress goes to stderr, never to stdout. Escape sequences are written only to a terminal that accepts them. Drawing
 * is cheap and happens at most ten times a second; when the run ends, the lines are removed.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Run from "#engine/Run"
import { jsonLine, printable } from "#see/printable"
import { count, seconds } from "#see/summary"

interface ProgressView {
  readonly show: (progress: Run.Progress) => Effect.Effect<void>
  readonly clear: Effect.Effect<void>
}

export const progressView = (
  pipeline: string,
  json = false,
  stream: NodeJS.WriteStream = process.stderr
): Effect.Effect<ProgressView> =>
  Effect.sync(() => {
    const isPlain = (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb"
    return stream.isTTY && !isPlain && !json
      ? drawn(pipeline, stream)
      : json
        ? logged(stream, asJson, pipeline, 1000)
        : logged(stream, asLine, pipeline, 5000)
  })

/**
 * What is shown of a run whose service is this process itself: no credits, because nobody pays. Programs get all facts.
 */
export const unpaid = (view: ProgressView, json: boolean): ProgressView =>
  json
    ? view
    : {
        ...view,
        show: (progress) => {
          const { credits: _, ...facts } = progress.facts
          return view.show({ ...progress, facts })
        }
      }

const drawn = (pipeline: string, stream: NodeJS.WriteStream): ProgressView => {
  let height = 0
  let drawnAt = 0
  const erase = () => {
    if (height > 0) stream.write(`\u001b[${height}A\u001b[0J`)
    height = 0
  }
  return {
    show: Effect.fnUntraced(function* (progress) {
      const now = yield* Clock.currentTimeMillis
      if (progress.phase === "reading" && now - drawnAt < 100) return
      drawnAt = now
      erase()
      const lines = render(pipeline, progress, now).map((line) => line.slice(0, (stream.columns ?? 80) - 1))
      height = lines.length
      stream.write(`${lines.join("\n")}\n`)
    }),
    clear: Effect.sync(erase)
  }
}

type Shown = (pipeline: string, progress: Run.Progress, now: number) => string

const logged = (stream: NodeJS.WriteStream, shown: Shown, pipeline: string, everyMillis: number): ProgressView => {
  let loggedAt: number | undefined
  return {
    show: Effect.fnUntraced(function* (progress) {
      const now = yield* Clock.currentTimeMillis
      loggedAt ??= now
      if (now - loggedAt < everyMillis) return
      loggedAt = now
      stream.write(shown(pipeline, progress, now))
    }),
    clear: Effect.void
  }
}

const asJson: Shown = (pipeline, { facts, phase, rows, runId, startedAt }, now) =>
  jsonLine({ pipeline, run_id: runId, phase, elapsed_ms: now - startedAt, rows, ...facts })

const asLine: Shown = (pipeline, { facts, phase, rows, startedAt }, now) => {
  const { completed = 0, credits, total = 0 } = facts
  const parts = [
    phase,
    ...(total > 0 ? [`${count(completed)} of ${count(total)} pages`] : []),
    ...Object.entries(rows).flatMap(([table, n]) => (n === 0 ? [] : [`${table} ${count(n)}`])),
    ...(credits === undefined ? [] : [`${count(credits)} credits`]),
    seconds(now - startedAt)
  ]
  return printable(`${pipeline}: ${parts.join(", ")}\n`)
}

const render = (
  pipeline: string,
  { phase, rows, facts, startedAt }: Run.Progress,
  now: number
): ReadonlyArray<string> => {
  const elapsed = Math.max(1, now - startedAt)
  const { completed = 0, total = 0, credits } = facts
  const remaining =
    completed > 0 && total > completed ? `  ETA ${seconds((elapsed / completed) * (total - completed))}` : ""
  const pages = total > 0 ? `  ${bar(completed / total)} ${count(completed)}/${count(total)} pages` : ""
  const spent = credits === undefined ? "" : `  ${count(credits)} credits`
  return [
    `${pipeline}  ${phase}${pages}${spent}  ${seconds(elapsed)}${remaining}`,
    ...Object.entries(rows)
      .filter(([, n]) => n > 0)
      .map(
        ([table, n]) =>
          `  ${table.padEnd(14)} ${count(n).padStart(9)} rows  ${count(Math.round((n / elapsed) * 1000)).padStart(6)}/s`
      )
  ]
}

const bar = (share: number): string => {
  const full = Math.round(Math.min(1, share) * 20)
  return `[${"=".repeat(full)}${" ".repeat(20 - full)}]`
}
