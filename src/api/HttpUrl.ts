/**
 * A URL as the contract takes it: absolute, http or https, with a host. Anything else is 400 "Invalid URL"
 * (specification, Errors).
 */
import * as Schema from "effect/Schema"
import * as JsonRules from "./JsonRules.ts"
import * as Limits from "./Limits.ts"

/** What is said of a text that is not an absolute http or https URL. */
export const invalid = "Invalid URL: it must be an absolute http or https URL, as https://example.com/path"

/** An absolute http or https URL. */
export const HttpUrl = Schema.String.check(
  Schema.isMaxLength(Limits.maxUrlLength),
  Schema.makeFilter((text: string) => isHttpUrl(text) || invalid, JsonRules.as(JsonRules.url))
).annotate({ description: "an absolute http or https URL", examples: ["https://example.com/docs"] })

/** Whether a text is an absolute http or https URL. */
export const isHttpUrl = (text: string): boolean => {
  const url = URL.parse(text.trim())
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== ""
}
