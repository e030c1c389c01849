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

/** The name of the time zone that times are shown in. */
export const timeZone = (): string => format.resolvedOptions().timeZone

export const durationText = (seconds: number): string => {
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${rest} s`
}
