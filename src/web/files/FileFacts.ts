/**
 * The metadata of a file, under the names that pages use. A fact that the file does not state is absent.
 */

export interface FileFacts {
  readonly title?: string
  readonly author?: string
  readonly description?: string
  readonly keywords?: string
  readonly language?: string
  /** The dates of creation and of the last change, as the file states them, in ISO 8601. */
  readonly dcTermsCreated?: string
  readonly modifiedTime?: string
}

/** The facts that are written, without empty values and values that are not text. */
export const of = (written: { readonly [name in keyof FileFacts]: unknown }): FileFacts =>
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

/**
 * The time of a PDF (`D:20240305101500+01'00'`) in ISO 8601, with the written precision; undefined: it is not a time.
 */
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
