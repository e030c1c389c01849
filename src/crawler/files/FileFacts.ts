/**
 * What a file says of itself beside its text, in the names that pages have for it. What a file does not say is not there.
 */

export interface FileFacts {
  readonly title?: string
  readonly author?: string
  readonly description?: string
  readonly keywords?: string
  readonly language?: string
  /** When it was written first, and last: as the file says it, in the form of ISO 8601. */
  readonly dcTermsCreated?: string
  readonly modifiedTime?: string
}

/** What is written, without what is empty or no text. */
export const make = (written: { readonly [name in keyof FileFacts]: unknown }): FileFacts =>
  Object.fromEntries(
    Object.entries(written).flatMap(([name, value]) => {
      const text =
        typeof value === "string"
          ? value
              .replaceAll(/[\s\0]+/g, " ")
              .trim()
              .slice(0, longest)
          : ""
      return text === "" ? [] : [[name, text]]
    })
  )

const longest = 1000

/** The time of a PDF (`D:20240305101500+01'00'`) as ISO 8601, as exact as it is written; undefined: it is none. */
export const pdfTime = (written: unknown): string | undefined => {
  const parts = typeof written === "string" ? times.exec(written) : null
  if (parts === null) return undefined
  const [, year = "", month, day, hour, minute, second, sign, zoneHour, zoneMinute] = parts
  const date = [year, month, day].filter((part) => part !== undefined).join("-")
  if (hour === undefined || minute === undefined) return date
  const zone = sign === undefined ? "" : sign === "Z" ? "Z" : `${sign}${zoneHour ?? "00"}:${zoneMinute ?? "00"}`
  return `${date}T${hour}:${minute}:${second ?? "00"}${zone}`
}

const times =
  /^\s*D:(\d{4})(?:(0[1-9]|1[0-2])(?:(0[1-9]|[12]\d|3[01])(?:([01]\d|2[0-3])(?:([0-5]\d)(?:([0-5]\d)(?:([Z+-])(?:(\d\d)'?(?:(\d\d)'?)?)?)?)?)?)?)?)?/
