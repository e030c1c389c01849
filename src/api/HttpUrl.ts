/**
 * A URL as the contract takes it: absolute, http or https, with a host. Anything else is 400 "Invalid URL"
 * (specification, Errors). So is one with a name and a password: a URL is a key of rows, and stands in logs and journals.
 */
import * as Schema from "effect/Schema"
import * as JsonRules from "./JsonRules.ts"
import * as Limits from "./Limits.ts"

/** What is said of a text that is not an absolute http or https URL. */
export const invalidUrlMessage = "Invalid URL: it must be an absolute http or https URL, as https://example.com/path"

/** What is said of a URL with a name or a password; it does not repeat them. */
export const credentialsMessage =
  "Invalid URL: it holds a name or a password, and a URL is stored and shown; send them in headers, as Authorization: Basic ..."

/**
 * Why a text is not a URL of the contract; undefined: it is one.
 *
 * @example
 * ```ts
 * import { urlFault } from "millrace/api"
 *
 * console.log(urlFault("https://docs.example.com"), urlFault("/docs")?.slice(0, 11)) // undefined Invalid URL
 * ```
 */
export const urlFault = (text: string): string | undefined => {
  const url = URL.parse(text.trim())
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "")
    return invalidUrlMessage
  return `${url.username}${url.password}` === "" ? undefined : credentialsMessage
}

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
  Schema.makeFilter(urlFault, JsonRules.as(JsonRules.url))
).annotate({
  description: "an absolute http or https URL, without a name and a password",
  examples: ["https://example.com/docs"]
})

/**
 * Whether a text is an absolute http or https URL, without a name and a password.
 *
 * @example
 * ```ts
 * import { isHttpUrl } from "millrace/api"
 *
 * console.log(isHttpUrl("https://docs.example.com/a"), isHttpUrl("docs.example.com"), isHttpUrl("file:///etc/passwd")) // true false false
 * ```
 */
export const isHttpUrl = (text: string): boolean => urlFault(text) === undefined
