/**
 * Rules of the contract as JSON Schema has them, so that the OpenAPI document says what a check decides.
 *
 * A check that code decides alone has a `format` of its own name: what it means is in the description of the field.
 */
import * as Schema from "effect/Schema"

type Fragment = Readonly<Record<string, unknown>>

/** What a check means in JSON Schema. */
export const as = (fragment: Fragment) => ({ toJsonSchema: () => fragment })

/** A text with rules that JSON Schema cannot express: they are checked when it is read. */
export const format = (name: string) => Schema.makeFilter<string>(() => true, as({ format: name }))

/** Not white space alone. */
export const filled: Fragment = { pattern: "\\S" }

/** A URL of the web: scheme, host, and a port that there is; no name and no password. */
export const url: Fragment = {
  format: "uri",
  pattern:
    "^\\s*[Hh][Tt][Tt][Pp][Ss]?://(?:\\[[0-9A-Fa-f:.]+\\]|[^\\s/?#:@\\[\\]<>^|%\\\\]+)(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}))?(?:[/?#]|\\s*$)"
}

/** Where the condition holds, so does what follows from it. */
const implies = (condition: Fragment, consequence: Fragment): Fragment => ({ anyOf: [{ not: condition }, consequence] })

/** At least one of a list is a URL, where it has members; all are, where `ignoreInvalidURLs` is false. */
export const urls = (pattern: Fragment): Fragment => ({
  allOf: [
    implies(
      { properties: { urls: { type: "array", minItems: 1 } }, required: ["urls"] },
      { properties: { urls: { contains: pattern } } }
    ),
    implies(
      { properties: { ignoreInvalidURLs: { const: false } }, required: ["ignoreInvalidURLs"] },
      { properties: { urls: { items: pattern } } }
    )
  ]
})

const listed = { type: "array", minItems: 1 }

/** Two lists of which one may have members. */
export const notBoth = (one: string, other: string): Fragment => ({
  not: { required: [one, other], properties: { [one]: listed, [other]: listed } }
})

/** A field that has a value: null stands for silence. */
export const given = (name: string): Fragment => ({
  required: [name],
  properties: { [name]: { not: { type: "null" } } }
})

/** One of these fields has a value, and no other of them. */
export const exactlyOne = (...names: ReadonlyArray<string>): Fragment => ({ oneOf: names.map(given) })

const tracking = {
  contains: {
    anyOf: [
      { const: "changeTracking" },
      { properties: { type: { const: "changeTracking" } }, required: ["type"], type: "object" }
    ]
  }
}
const tracks: Fragment = {
  type: "object",
  required: ["formats"],
  properties: { formats: { type: "array", ...tracking } }
}

/** Of what may not be kept (`zeroDataRetention`) no history is kept: `options` holds the formats, where the request does not. */
export const keepsNoHistory = (options?: string): Fragment => ({
  not: {
    allOf: [
      { required: ["zeroDataRetention"], properties: { zeroDataRetention: { const: true } } },
      options === undefined ? tracks : { required: [options], properties: { [options]: tracks } }
    ]
  }
})

/** Where a member has this type, it is so. */
export const ofType = (type: string, consequence: Fragment): Fragment =>
  implies({ type: "object", properties: { type: { const: type } }, required: ["type"] }, consequence)
