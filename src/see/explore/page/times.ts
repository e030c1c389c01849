/** Times and lengths of time as people write them. */
import { el } from "./dom.ts"

/** In the time zone of the reader; the element has the time itself as well. */
export const timeElement = (iso: string): HTMLTimeElement => el("time", { datetime: iso, title: iso }, timeText(iso))

export const timeText = (iso: string): string => {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? iso : format.format(time)
}

const format = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit"
})

/**
 * The ticks of an axis of times: "13:45", or "29 Nov" where they are days; what a reader knows by then (the day, the year) is
 * below the first tick of it alone. Undefined: the time zone of the reader.
 */
export const tickText = (timeZone?: "UTC"): ((at: Date, index: number, ticks?: ReadonlyArray<Date>) => string) => {
  const text = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", { ...options, timeZone })
  const [year, month, day] = [
    text({ year: "numeric" }),
    text({ month: "short" }),
    text({ day: "numeric", month: "short" })
  ]
  const [minute, second] = [{}, { second: "2-digit" } as const].map((more) =>
    text({ hour: "2-digit", minute: "2-digit", ...more })
  )
  return (at, index, ticks = [at]) => {
    const step = (Number(ticks[1] ?? at) - Number(ticks[0] ?? at)) / 3_600_000
    const [format, above] =
      step >= 300 * 24
        ? [year, undefined]
        : step >= 27 * 24
          ? [month, year]
          : step >= 23
            ? [day, year]
            : [step > 0 && step < 1 / 60 ? second : minute, day]
    const name = above?.format(at)
    const before = ticks[index - 1]
    const isNew = name !== undefined && (before === undefined || above?.format(before) !== name)
    return `${format?.format(at)}${isNew ? `\n${name}` : ""}`
  }
}

/** The name of the time zone that times are shown in. */
export const timeZone = (): string => format.resolvedOptions().timeZone

export const durationText = (seconds: number): string => {
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${rest} s`
}

/** Ends the task that the page is at, so that the browser can draw and listen: work that follows another is a task of its own. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Milliseconds of work after which somebody waits who scrolls or types. */
const longestWork = 8

/** For long work: ends the task when it has worked for so long that somebody would wait. */
export const taskPauses = (): (() => Promise<void>) => {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < longestWork) return
    await nextTask()
    began = performance.now()
  }
}
