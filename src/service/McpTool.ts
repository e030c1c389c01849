/**
 * A tool that an agent may call by MCP.
 *
 * A tool never fails: an error is an answer that is marked as an error and says what to do, so that the agent can read it
 * and correct itself.
 */
import type * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

export type Arguments = Readonly<Record<string, unknown>>

export interface Outcome {
  /** The answer, and notes about it. */
  readonly texts: ReadonlyArray<string>
  readonly isError?: boolean
}

/** Reports progress to the client, if it asked for that. */
export type Progress = (completed: number, total: number | undefined, message: string) => Effect.Effect<void>

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The JSON Schemas of its arguments, and which of them it needs. */
  readonly properties: Readonly<Record<string, object>>
  readonly required: ReadonlyArray<string>
  /** Whether all other arguments are passed to the service too, which refuses those that it does not know. */
  readonly isPassedOn?: boolean
  /** Whether it neither changes nor starts anything. */
  readonly isReadOnly: boolean
  readonly call: (given: Arguments, progress: Progress) => Effect.Effect<Outcome>
}

/** About 15,000 tokens. */
const maxLength = 60_000

/** The arguments of `millrace_read` for the rest of an answer; undefined: only a narrower request gives it. */
type RestArguments = Readonly<Record<string, string | number>>

/**
 * The text of an answer: a part that is not too long for an agent, and how to read the rest.
 *
 * A client gives the whole answer to a model, so long answers are cut. The rest stays at the service for 24 hours, where
 * `millrace_read` reads it.
 */
export const answerText = (
  text: string,
  offset: number,
  place: RestArguments | undefined,
  narrower: string
): Outcome => {
  const start = Math.min(Math.max(0, offset), text.length)
  const end = endOf(text, start + maxLength)
  const part = text.slice(start, end)
  if (start === 0 && end === text.length) return { texts: [part] }
  const shown = `This is a part of the answer: characters ${start} to ${end} of ${text.length}.`
  if (end === text.length) return { texts: [part, `${shown} It is the last part.`] }
  const next =
    place === undefined
      ? narrower
      : `For the rest, call millrace_read with ${JSON.stringify({ ...place, offset: end })}. ${narrower}`
  return { texts: [part, `${shown} ${next}`] }
}

/** Does not cut between two surrogates. */
const endOf = (text: string, end: number): number => {
  if (end >= text.length) return text.length
  const code = text.charCodeAt(end - 1)
  return code >= 0xd8_00 && code <= 0xdb_ff ? end - 1 : end
}

/*
 * The arguments of the tools: their JSON Schemas, and the requests that they become.
 *
 * Names are those of the contract and of MCP servers that agents know already, so prompts and configurations keep working.
 * The service checks the values; here only arguments that differ from the contract are changed.
 */

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
  const found = typeof name === "string" ? options[name] : undefined
  return isFields(found) ? { type: name, ...found } : name
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
