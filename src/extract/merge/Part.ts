/** What several pages gave, in parts that are put together. */

import type { Json } from "#contract/JsonSchema"
import type { Extracted } from "../Candidates.ts"

export interface MergedPage {
  readonly url: string
  readonly extracted: Extracted
}

/** A part of what one page gave, and where it stands in it. */
export interface Part {
  readonly page: MergedPage
  readonly json: Json
  readonly pointer: string
}

/** Texts are the same whatever their case and white space. */
export const plain = (json: Json): string =>
  typeof json === "string" ? `"${json.toLowerCase().replaceAll(/\s+/g, " ").trim()}"` : JSON.stringify(json)

/** An address is the same with and without a slash at its end, a fragment, or the marks of a campaign. */
export const identity = (value: Json): string =>
  typeof value === "string" && /^https?:\/\//.test(value)
    ? value
        .replace(/#.*$/, "")
        .replaceAll(/(?<=[?&])utm_\w+=[^&]*&?/g, "")
        .replace(/[?&/]+$/, "")
        .toLowerCase()
    : plain(value)
