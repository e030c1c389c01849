/**
 * A URL as the contract takes it: absolute, http or https, with a host. Anything else is 400 "Invalid URL"
 * (specification, Errors).
 */
import * as Schema from "effect/Schema"
import * as JsonRules from "./JsonRules.ts"
import * as Limits from "./Limits.ts"

/** What is said of a text that is not an absolute http or https URL. */
export const invalid = "Invalid URL: it must be an absolute http or https URL, as https://example.com/path"

/**
 * An absolute http or https URL.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { HttpUrl } from "millrace/api"
 *
 * console.log(Schema.is(HttpUrl)("https://docs.example.com"), Schema.is(HttpUrl)("/docs")) // true false
 * ```
 */
export const HttpUrl = Schema.String.check(
  Schema.isMaxLength(Limits.maxUrlLength),
  Schema.makeFilter((text: string) => isHttpUrl(text) || invalid, JsonRules.as(JsonRules.url))
).annotate({ description: "an absolute http or https URL", examples: ["https://example.com/docs"] })

/**
 * Whether a text is an absolute http or https URL.
 *
 * @example
 * ```ts
 * import { isHttpUrl } from "millrace/api"
 *
 * console.log(isHttpUrl("https://docs.example.com/a"), isHttpUrl("docs.example.com"), isHttpUrl("file:///etc/passwd")) // true false false
 * ```
 */
export const isHttpUrl = (text: string): boolean => {
  const url = URL.parse(text.trim())
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== ""
}
