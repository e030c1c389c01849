/**
 * The arguments of the tools: their JSON Schemas, and the requests that they become.
 *
 * Names are those of the contract and of MCP servers that agents know already, so prompts and configurations keep working.
 * The service checks the values; here only arguments that differ from the contract are changed.
 */
import * as Predicate from "effect/Predicate"
import type { Arguments } from "./McpTool.ts"

export const text = (description: string) => ({ type: "string", description })
export const texts = (description: string) => ({ type: "array", items: { type: "string" }, description })
export const flag = (description: string) => ({ type: "boolean", description })
export const number = (description: string, minimum = 0) => ({ type: "integer", minimum, description })
export const choice = (values: ReadonlyArray<string>, description: string) => ({
  type: "string",
  enum: [...values],
  description
})

export const object = (description: string) => ({ type: "object", description })

const formats = [
  "markdown",
  "html",
  "rawHtml",
  "links",
  "images",
  "summary",
  "screenshot",
  "json",
  "query",
  "branding",
  "changeTracking"
]

/** The options of a scrape. */
export const scrapeProperties = {
  formats: {
    type: "array",
    items: { anyOf: [{ type: "string", enum: formats }, { type: "object" }] },
    description: "what to give of a page; default: markdown. json needs jsonOptions, query needs queryOptions"
  },
  jsonOptions: {
    type: "object",
    properties: { prompt: { type: "string" }, schema: { type: "object" } },
    description: "for the format json: the data that is wanted, as a JSON Schema or in words"
  },
  queryOptions: {
    type: "object",
    properties: { prompt: { type: "string" }, mode: { type: "string", enum: ["directQuote", "freeform"] } },
    description: "for the format query: a question about the page"
  },
  screenshotOptions: object("for the format screenshot: { fullPage, quality, viewport: { width, height } }"),
  onlyMainContent: flag("leave out headers, navigation and footers; default: true"),
  includeTags: texts("CSS selectors; only elements that match are kept"),
  excludeTags: texts("CSS selectors; elements that match are left out"),
  waitFor: number("milliseconds to wait in a browser before the page is read"),
  actions: {
    type: "array",
    items: { type: "object" },
    description: "what a browser does on the page before it is read"
  },
  mobile: flag("see the page as a phone's browser does"),
  location: object("{ country, languages }: as whom to ask for the page"),
  parsers: { type: "array", items: { type: "string", enum: ["pdf"] }, description: "files to read; default: pdf" },
  pdfOptions: object("{ maxPages }: how much of a PDF to read"),
  maxAge: number("a page that was read at most so many milliseconds ago is not asked for again"),
  removeBase64Images: flag("leave out images that stand in the page; default: true"),
  skipTlsVerification: flag("read pages whose certificate is not valid"),
  proxy: choice(["basic", "stealth", "enhanced", "auto"], "accepted; the proxy is what the service has"),
  storeInCache: flag("false: the page is not kept for later requests"),
  zeroDataRetention: flag("true: nothing of the page is kept after the answer")
} as const

export const scrapeOptions = object(
  "how each page is read: the fields of firecrawl_scrape, such as { formats, onlyMainContent, jsonOptions }"
)

/** Removes empty arguments: agents fill unused fields with "", [] or null. */
export const withoutEmpty = (given: Arguments): Arguments =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => !isEmpty(value)))

export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isFields(value) && Object.keys(value).length === 0)

export const isFields = (value: unknown): value is Arguments => Predicate.isObject(value)

/** Moves the options of formats, which are separate arguments, into the formats. */
export const scrapeRequest = (given: Arguments): Arguments => {
  const { jsonOptions, pdfOptions, queryOptions, screenshotOptions, ...rest } = withoutEmpty(given)
  const options: Readonly<Record<string, unknown>> = {
    json: jsonOptions,
    query: queryOptions,
    screenshot: screenshotOptions
  }
  const { formats, parsers } = rest
  return {
    ...rest,
    ...(Array.isArray(formats) ? { formats: formats.map((one: unknown) => withOptions(one, options)) } : {}),
    ...(Array.isArray(parsers) ? { parsers: parsers.map((one: unknown) => withOptions(one, { pdf: pdfOptions })) } : {})
  }
}

const withOptions = (name: unknown, options: Readonly<Record<string, unknown>>): unknown => {
  const option = typeof name === "string" ? options[name] : undefined
  return isFields(option) ? { type: name, ...option } : name
}

/** The same for the scrape options of a job. Also combines `webhook` and `webhookHeaders`. */
export const jobRequest = (given: Arguments): Arguments => {
  const { scrapeOptions, webhook, webhookHeaders, ...rest } = withoutEmpty(given)
  return {
    ...rest,
    ...(isFields(scrapeOptions) ? { scrapeOptions: scrapeRequest(scrapeOptions) } : {}),
    ...(webhook === undefined
      ? {}
      : {
          webhook:
            typeof webhook === "string" && isFields(webhookHeaders)
              ? { url: webhook, headers: webhookHeaders }
              : webhook
        })
  }
}
