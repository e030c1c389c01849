/**
 * What a schema wants of one value, and what a value of a page comes to as that.
 */
import type { Json, JsonSchema } from "#contract/JsonSchema"

export interface Expected {
  /** Resolved; several where the schema leaves a choice, the first that fits wins. */
  readonly schemas: ReadonlyArray<JsonSchema>
  /** What its name means: dates of a plain string are given as ISO too. */
  readonly kind: Kind
  /** The unit that its name ends in. */
  readonly unit?: string
  /** The currency that its name ends in, as ISO code. */
  readonly currency?: string
  /** Whether a sum of nothing is meant as it stands, as the cost of a delivery is. */
  readonly mayBeZero?: boolean
  /** Whether its name says what is not so: `sold_out`. */
  readonly isDenied?: boolean
}

export type Kind = "text" | "money" | "currency" | "number" | "date" | "url" | "email" | "phone" | "status" | "duration"

export interface Fit {
  readonly json: Json
  /** From 0 to 1: 1 where the value says that and nothing else. */
  readonly fit: number
}
