/**
 * A URL of the contract: absolute, http or https, with a host. Anything else is 400 "Invalid URL" (specification, Errors).
 * A URL with a user name or password is refused too, because URLs are keys of rows, and are written to logs and journals.
 */
import * as Schema from "effect/Schema"
import * as JsonRules from "./api/JsonRules.ts"
import * as Limits from "./Limits.ts"

/** The message for a text that is not an absolute http or https URL. */
export const invalidUrlMessage = "Invalid URL: it must be an absolute http or https URL, as https://example.com/path"

/** The message for a URL with a user name or a password, which it does not repeat. */
export const credentialsMessage =
  "Invalid URL: it holds a name or a password, and a URL is stored and shown; send them in headers, as Authorization: Basic ..."

/**
 * Returns why a text is not a URL of the contract, or undefined if it is one.
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
