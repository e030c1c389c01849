/**
 * What a person reads when a run is done: where everything went, and where to look now.
 */
import * as Option from "effect/Option"
import type * as Run from "../pipeline/Run.ts"

export const summary = (report: Run.Report): string => {
  const lines = [
    `${report.pipeline}: done in ${seconds(report.durationMillis)} (run ${report.runId})`,
    ...Object.entries(report.rows).map(([table, rows]) => `  ${table.padEnd(14)} ${count(rows).padStart(9)} rows`),
    ...Option.match(report.accounting, {
      onNone: () => [],
      onSome: (accounting) => [`  ${accountingLine(accounting)}`]
    }),
    ...Object.entries(report.receipts).map(
      ([name, { location, bytes }]) => `  ${name}: ${location}${bytes === undefined ? "" : ` (${size(bytes)})`}`
    )
  ]
  return `${lines.join("\n")}\n`
}

/** discovered = loaded + failed + blocked, and what a limit left, in numbers. */
export const accountingLine = ({ discovered, loaded, failed, blocked, left }: Run.Accounting): string => {
  const over = left === 0 ? "" : ` + ${count(left)} left by the limit`
  return `discovered ${count(discovered)} = ${count(loaded)} loaded + ${count(failed)} failed + ${count(blocked)} blocked${over}`
}

export const count = (n: number): string => n.toLocaleString("en-US")

export const seconds = (millis: number): string => {
  if (millis < 60_000) return `${(millis / 1000).toFixed(1)} s`
  return `${Math.floor(millis / 60_000)} min ${Math.round((millis % 60_000) / 1000)} s`
}

export const size = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(0)} kB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

/** A moment in microseconds, as "2026-11-21 02:00:07", in UTC. */
export const when = (micros: bigint): string =>
  new Date(Number(micros / 1000n)).toISOString().slice(0, 19).replace("T", " ")
