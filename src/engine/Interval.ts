/**
 * The period that one run of a backfill loads: from its start up to its end, without the end.
 *
 * Everything is UTC and in whole seconds. An interval runs as a pipeline of its own, whose name follows from its start and
 * its end. So what a destination keeps under that name is the state of this interval alone.
 */
import * as Instant from "./Instant.ts"

/** A period: it contains `start` and not `end`. Both are milliseconds since the epoch, and whole seconds. */
export interface Interval {
  /** Milliseconds since the epoch; part of the interval. */
  readonly start: number
  /** Milliseconds since the epoch; not part of the interval. */
  readonly end: number
}

/** The length of each interval: a number of milliseconds, or of calendar months. */
export type Every = { readonly millis: number } | { readonly months: number }

/**
 * Reads a duration: "30m", "1h", "1d", "1 week", "1 month". Undefined: the text is not a duration, or it is zero.
 *
 * @example
 * ```ts
 * import { Interval } from "millrace"
 *
 * console.log(Interval.parseEvery("1d"), Interval.parseEvery("1 month")) // { millis: 86400000 } { months: 1 }
 * ```
 */
export const parseEvery = (text: string): Every | undefined => {
  const [, count = "0", unit = ""] =
    /^(\d+) ?(s|m|h|d|w|seconds?|minutes?|hours?|days?|weeks?|months?)$/.exec(text) ?? []
  const n = Number(count)
  if (n === 0 || !Number.isSafeInteger(n * 604_800_000)) return undefined
  return unit.startsWith("month") ? { months: n } : { millis: n * (units[unit.charAt(0)] ?? 0) }
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/**
 * Reads a time, or a day, which stands for its beginning, as milliseconds since the epoch. A text without an offset is
 * UTC. Undefined: the text is neither, or is not a whole second.
 *
 * @see ISO 8601
 * @example
 * ```ts
 * import { Interval } from "millrace"
 *
 * console.log(Interval.parseMoment("2026-01-01")) // 1767225600000
 * ```
 */
export const parseMoment = (text: string): number | undefined => {
  const time = /^\d{4}-\d\d-\d\d$/.test(text)
    ? `${text}T00:00:00Z`
    : text.replace(
        /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d)(:\d\d)?$/,
        (_, minute: string, second = ":00") => `${minute}${second}Z`
      )
  const micros = Instant.microsOf(time)
  return micros === undefined || micros % 1_000_000n !== 0n ? undefined : Number(micros / 1000n)
}

/**
 * The maximum number of intervals of one backfill: more of them are most likely a mistake, such as seconds over years.
 *
 * @internal
 */
export const maxIntervals = 20_000

/**
 * Splits a period into intervals. The last one ends at `to` and may be shorter. Undefined: there are more than 20,000.
 *
 * @example
 * ```ts
 * import { Interval } from "millrace"
 *
 * const days = Interval.split(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 8), { millis: 86_400_000 })
 * console.log(days?.length) // 7
 * ```
 */
export const split = (from: number, to: number, every: Every): ReadonlyArray<Interval> | undefined => {
  const intervals: Array<Interval> = []
  for (let start = from; start < to; ) {
    if (intervals.length === maxIntervals) return undefined
    const end = Math.min(to, stepped(from, intervals.length + 1, every))
    intervals.push({ start, end })
    start = end
  }
  return intervals
}

/** A time after a number of steps. In a shorter month, the 31st becomes the last day. */
const stepped = (from: number, steps: number, every: Every): number => {
  if ("millis" in every) return from + steps * every.millis
  const date = new Date(from)
  const month = date.getUTCMonth() + steps * every.months
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return Date.UTC(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), last)) + (from % 86_400_000)
}

/**
 * The values of `${interval.X}` in a pipeline file.
 *
 * @internal
 */
export const variables = ({ end, start }: Interval): Readonly<Record<string, string>> => ({
  start: time(start),
  end: time(end),
  start_date: time(start).slice(0, 10),
  end_date: time(end).slice(0, 10)
})

/**
 * "2026-11-01 .. 2026-11-02"; with times if one of the two is not midnight.
 *
 * @internal
 */
export const shown = ({ end, start }: Interval): string =>
  start % 86_400_000 === 0 && end % 86_400_000 === 0
    ? `${time(start).slice(0, 10)} .. ${time(end).slice(0, 10)}`
    : `${time(start)} .. ${time(end)}`

/**
 * The name of the pipeline that loads an interval. The name of a pipeline file can never have this form.
 *
 * @internal
 */
export const pipelineOf = (name: string, { end, start }: Interval): string => `${name}@${basic(start)}..${basic(end)}`

/**
 * The interval that a pipeline loads; undefined: `pipeline` is not an interval of the pipeline `name`.
 *
 * @internal
 */
export const ofPipeline = (name: string, pipeline: string): Interval | undefined => {
  if (!pipeline.startsWith(`${name}@`)) return undefined
  const [, from, to] = /^(\d{8}T\d{6}Z)\.\.(\d{8}T\d{6}Z)$/.exec(pipeline.slice(name.length + 1)) ?? []
  if (from === undefined || to === undefined) return undefined
  const [start, end] = [unbasic(from), unbasic(to)]
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** @internal */
export const isSame = (a: Interval, b: Interval): boolean => a.start === b.start && a.end === b.end
/** @internal */
export const overlaps = (a: Interval, b: Interval): boolean => a.start < b.end && b.start < a.end

const time = (millis: number): string => Instant.textOf(BigInt(millis) * 1000n)
const basic = (millis: number): string => time(millis).replaceAll(/[-:]/g, "")
const unbasic = (text: string): number | undefined =>
  parseMoment(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"))
