/**
 * Parses the parameter `tbs`, which limits a search to a time: `qdr:w`, `qdr:h6`,
 * `cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`; `sbd:1`: the newest first.
 *
 * The time of a page is the time of publication that it declares. Days are in UTC, and the last one is included.
 */
export interface PublishedIn {
  readonly since?: number
  readonly until?: number
  readonly newestFirst: boolean
  /** The shortest range of web searches that includes the whole time. */
  readonly range?: "day" | "week" | "month" | "year"
}

/** Returns undefined if the text is not a time range. */
export const publishedIn = (tbs: string, now: number): PublishedIn | undefined => {
  const parts = new Map(tbs.split(",").map((part) => split(part.trim())))
  const newestFirst = parts.get("sbd") === "1"
  const [, unit = "", count = "1"] = /^([hdwmy])(\d{1,4})?$/.exec(parts.get("qdr") ?? "") ?? []
  const millis = units.get(unit)
  if (millis !== undefined) {
    const since = now - millis * Number(count === "" ? 1 : count)
    return { since, newestFirst, ...rangeOf(now - since) }
  }
  if (parts.get("cdr") === "1") {
    const [first, last] = [parts.get("cd_min"), parts.get("cd_max")]
    const [since, end] = [dayOf(first), dayOf(last)]
    if ((first !== undefined && since === undefined) || (last !== undefined && end === undefined)) return undefined
    return {
      newestFirst,
      ...(since === undefined ? {} : { since, ...rangeOf(now - since) }),
      ...(end === undefined ? {} : { until: end + dayMillis })
    }
  }
  return newestFirst && !parts.has("qdr") ? { newestFirst } : undefined
}

const dayMillis = 24 * 60 * 60 * 1000
const units = new Map([
  ["h", dayMillis / 24],
  ["d", dayMillis],
  ["w", 7 * dayMillis],
  ["m", 30 * dayMillis],
  ["y", 365 * dayMillis]
])

const split = (part: string): readonly [name: string, value: string] => {
  const at = part.indexOf(":")
  return [part.slice(0, at), part.slice(at + 1)]
}

const dayOf = (text: string | undefined): number | undefined => {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text ?? "") ?? []
  const millis = Date.UTC(Number(year), Number(month) - 1, Number(day))
  return new Date(millis).getUTCMonth() === Number(month) - 1 ? millis : undefined
}

const rangeOf = (millis: number): Pick<PublishedIn, "range"> => {
  const range = (["day", "week", "month", "year"] as const).find((name) => millis <= (units.get(name.charAt(0)) ?? 0))
  return range === undefined ? {} : { range }
}
