/**
 * Rules of the contract as JSON Schema, so that the OpenAPI document contains the checks of the code.
 *
 * A check that JSON Schema cannot express has a `format` with its own name; the description of the field explains it.
 */
import * as Schema from "effect/Schema"

type Fragment = Readonly<Record<string, unknown>>

/** The JSON Schema of a check. */
export const as = (fragment: Fragment) => ({ toJsonSchema: () => fragment })

/** A text with rules that JSON Schema cannot express: the service checks them. */
export const format = (name: string) => Schema.makeFilter<string>(() => true, as({ format: name }))

/** A text that is not only white space. */
export const filled: Fragment = { pattern: "\\S" }

/** An http or https URL with a host, and with a valid port, if any; without user name and password. */
export const url: Fragment = {
  format: "uri",
  pattern:
    "^\\s*[Hh][Tt][Tt][Pp][Ss]?://(?:\\[[0-9A-Fa-f:.]+\\]|[^\\s/?#:@\\[\\]<>^|%\\\\]+)(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}))?(?:[/?#]|\\s*$)"
}

/** If the condition holds, the consequence must hold. */
const implies = (condition: Fragment, consequence: Fragment): Fragment => ({ anyOf: [{ not: condition }, consequence] })

/** At least one member of a non-empty list `urls` is a URL; if `ignoreInvalidURLs` is false, all are. */
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

/** At most one of two lists has members. */
export const notBoth = (one: string, other: string): Fragment => ({
  not: { required: [one, other], properties: { [one]: listed, [other]: listed } }
})

/** The field has a value: null counts as absent. */
export const given = (name: string): Fragment => ({
  required: [name],
  properties: { [name]: { not: { type: "null" } } }
})

/** Exactly one of these fields has a value. */
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

/** `zeroDataRetention` excludes the format `changeTracking`. `options`: the field with the formats. Default: the request. */
export const keepsNoHistory = (options?: string): Fragment => ({
  not: {
    allOf: [
      { required: ["zeroDataRetention"], properties: { zeroDataRetention: { const: true } } },
      options === undefined ? tracks : { required: [options], properties: { [options]: tracks } }
    ]
  }
})

/** If an object has this type, the consequence must hold. */
export const ofType = (type: string, consequence: Fragment): Fragment =>
  implies({ type: "object", properties: { type: { const: type } }, required: ["type"] }, consequence)
