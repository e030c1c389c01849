/**
 * The tools of the web data service: each is one operation of the contract, with the same names of arguments.
 */
import * as Effect from "effect/Effect"
import { type Arguments, answerText, type McpTool, type Outcome } from "./McpTool.ts"
import { kinds, partOf, readJob, startJob, wholeNumber } from "./mcpJobs.ts"
import { isGood, problem, type ServiceCall } from "./ServiceCall.ts"
import {
  choice,
  flag,
  isFields,
  jobRequest,
  number,
  object,
  scrapeOptions,
  scrapeProperties,
  scrapeRequest,
  text,
  texts,
  withoutEmpty
} from "./toolArguments.ts"

/** The default wait for a job: less than 60 seconds, after which many clients give up. */
const waitSeconds = 45

const wait = (otherwise: number) =>
  number(`seconds to wait for the end of the job; then the answer has its id; default: ${otherwise}`)

export const webTools = (service: ServiceCall): ReadonlyArray<McpTool> => [
  scrapeTool(service),
  mapTool(service),
  searchTool(service),
  govSearchTool(service),
  crawlTool(service),
  status(
    service,
    "firecrawl_check_crawl_status",
    "crawl",
    "Look at a crawl: how far it is, and its pages, ten at once."
  ),
  batchScrapeTool(service),
  status(
    service,
    "firecrawl_check_batch_status",
    "batch",
    "Look at a batch: how far it is, and its pages, ten at once."
  ),
  extractTool(service),
  status(service, "firecrawl_extract_status", "extract", "Look at an extract and its data."),
  agentTool(service),
  status(service, "firecrawl_agent_status", "agent", "Look at an agent run: its data, or what it waits for."),
  readTool(service)
]

const scrapeTool = (service: ServiceCall): McpTool => ({
  name: "firecrawl_scrape",
  title: "Read a page",
  description:
    "Read one web page or PDF: as Markdown, as HTML, its links, or data from it in the shape of a JSON Schema (format json). The best tool when the URL is known.",
  properties: { url: text("the page"), ...scrapeProperties, timeout: number("milliseconds; at least 1000") },
  required: ["url"],
  isPassedOn: true,
  isReadOnly: true,
  call: (given) => scrape(service, given)
})

const mapTool = (service: ServiceCall): McpTool => ({
  name: "firecrawl_map",
  title: "List the URLs of a site",
  description: "Find the URLs of a website without reading its pages; with search, those about some words come first.",
  properties: {
    url: text("the site"),
    search: text("words to search for in the links"),
    sitemap: choice(["include", "skip", "only"], "whether sitemaps are used; default: include"),
    includeSubdomains: flag("also URLs of subdomains"),
    ignoreQueryParameters: flag("URLs without their query"),
    limit: number("the maximum number of URLs", 1)
  },
  required: ["url"],
  isPassedOn: true,
  isReadOnly: true,
  call: (given) => direct(service, "/v2/map", withoutEmpty(given), "A smaller limit, or search, gives less.")
})

const searchTool = (service: ServiceCall): McpTool => ({
  name: "firecrawl_search",
  title: "Search",
  description:
    "Search pages by words: those that this service has read, and the web, if its operator has configured a web search. With scrapeOptions the results have the content of their pages.",
  properties: {
    query: text('words; also "a phrase", -without, site:host, intitle:word, filetype:pdf'),
    limit: number("the number of results; default: 10", 1),
    sources: { type: "array", items: {}, description: "web, news or images; default: web" },
    categories: {
      type: "array",
      items: {},
      description: "only pages of these kinds: github, research, pdf, developer"
    },
    includeDomains: texts("only pages of these hosts"),
    excludeDomains: texts("no pages of these hosts"),
    tbs: text("when pages were published: qdr:d, qdr:w, qdr:m, qdr:y"),
    location: text("accepted and ignored"),
    scrapeOptions
  },
  required: ["query"],
  isPassedOn: true,
  isReadOnly: true,
  call: (given) => direct(service, "/v2/search", jobRequest(given), "A smaller limit gives less.")
})

const govSearchTool = (service: ServiceCall): McpTool => ({
  name: "millrace_gov_search",
  title: "Search government texts",
  description:
    "Search laws and regulations of US federal, state and local governments by a question or a citation. Check issuer, status and version before you cite; no result does not mean that no law exists.",
  properties: {
    query: text("a question, words, or a citation; with the state, the agency and the date where they are known"),
    k: number("the number of results, 1 to 100; default: 10", 1)
  },
  required: ["query"],
  isPassedOn: true,
  isReadOnly: true,
  call: (given) => direct(service, "/v2/search/gov", withoutEmpty(given), "A smaller k gives less.")
})

const crawlTool = (service: ServiceCall): McpTool => ({
  name: "firecrawl_crawl",
  title: "Crawl a site",
  description:
    "Read many pages of a website by following its links. Set a limit: each page costs a credit. Waits for the end, or answers with the id of the job.",
  properties: {
    url: text("where to begin"),
    prompt: text("the pages that are wanted, in words; sets the options that are not set"),
    limit: number("the maximum number of pages; set it", 1),
    includePaths: texts("regular expressions; only paths that match are read"),
    excludePaths: texts("regular expressions; paths that match are not read"),
    maxDiscoveryDepth: number("how many links away from the first page"),
    sitemap: choice(["include", "skip", "only"], "whether sitemaps are used; default: include"),
    crawlEntireDomain: flag("also pages that are not below the first one"),
    allowSubdomains: flag("also subdomains"),
    allowExternalLinks: flag("also pages of other domains, one link away"),
    ignoreQueryParameters: flag("one page for all queries of a path"),
    deduplicateSimilarURLs: flag("accepted: variants of one page are one page"),
    delay: { type: "number", description: "seconds between two pages" },
    maxConcurrency: number("pages at the same time", 1),
    webhook: text("a URL that gets a request for each page"),
    webhookHeaders: object("headers for the webhook"),
    scrapeOptions,
    wait: wait(waitSeconds)
  },
  required: ["url"],
  isPassedOn: true,
  isReadOnly: false,
  call: ({ wait, ...given }, progress) =>
    startJob(service, kinds.crawl, jobRequest(given), wholeNumber(wait, waitSeconds), progress)
})

const batchScrapeTool = (service: ServiceCall): McpTool => ({
  name: "firecrawl_batch_scrape",
  title: "Read several pages",
  description: "Read several pages whose URLs are known. Waits for the end, or answers with the id of the job.",
  properties: { urls: texts("the pages"), options: scrapeOptions, wait: wait(waitSeconds) },
  required: ["urls"],
  isPassedOn: true,
  isReadOnly: false,
  call: ({ options, wait, ...given }, progress) => {
    const body = scrapeRequest({ ...(isFields(options) ? options : {}), ...given })
    return startJob(service, kinds.batch, body, wholeNumber(wait, waitSeconds), progress)
  }
})

const extractTool = (service: ServiceCall): McpTool => ({
  name: "firecrawl_extract",
  title: "Take data out of pages",
  description:
    "Take data out of one or more pages, or of a whole site (https://example.com/*), in the shape of a JSON Schema. Each value says where it stands; what no page says is null.",
  properties: {
    urls: texts("pages; with /* at the end all pages of a site"),
    prompt: text("the data that is wanted, in words"),
    schema: object("the data that is wanted, as JSON Schema"),
    enableWebSearch: flag("also read pages that a search for the prompt finds"),
    allowExternalLinks: flag("a whole site: also pages of other domains, one link away"),
    includeSubdomains: flag("a whole site: also its subdomains"),
    wait: wait(waitSeconds)
  },
  required: ["urls"],
  isPassedOn: true,
  isReadOnly: false,
  call: ({ wait, ...given }, progress) => {
    const body = { ...jobRequest(given), urls: given["urls"] ?? [] }
    return startJob(service, kinds.extract, body, wholeNumber(wait, waitSeconds), progress)
  }
})

const agentTool = (service: ServiceCall): McpTool => ({
  name: "firecrawl_agent",
  title: "Let an agent find data",
  description:
    "Start an agent that searches, reads pages and gathers data for a goal, where the URLs are not known. Answers with the id of the run; look at it with firecrawl_agent_status.",
  properties: {
    prompt: text("the data that is wanted, in words; at most 10,000 characters"),
    urls: texts("pages to begin with"),
    schema: object("the data that is wanted, as JSON Schema"),
    effort: choice(["low", "medium", "high"], "how far the run searches"),
    maxCredits: number("the maximum number of credits; default: 2500", 1),
    strictConstrainToURLs: flag("only the pages in urls are read"),
    threadId: text("continues a thread"),
    mode: choice(["extract", "chat"], "chat: a follow-up may be answered in words"),
    exchange: object(
      "data providers: { enabled, onTermsRequired: skip or ask, requireApproval, approve: { approvalId, callIds, always }, decline: { approvalId } }; always: such calls for the rest of the thread; approve only what the user has agreed to"
    ),
    wait: wait(0)
  },
  required: ["prompt"],
  isPassedOn: true,
  isReadOnly: false,
  call: ({ wait, ...given }, progress) =>
    startJob(service, kinds.agent, withoutEmpty(given), wholeNumber(wait, 0), progress)
})

const readTool = (service: ServiceCall): McpTool => ({
  name: "millrace_read",
  title: "Continue reading",
  description:
    "Continue reading an answer that was cut, or the pages of a job. The answer that was cut says the arguments. Results are kept for 24 hours.",
  properties: {
    of: choice(["scrape", ...Object.keys(kinds)], "what the id is of"),
    id: text("the id of the page (scrapeId) or of the job"),
    offset: number("characters of the answer to pass over"),
    skip: number("pages of the job to pass over"),
    limit: number("pages of the job; default: 10", 1)
  },
  required: ["of", "id"],
  isReadOnly: true,
  call: (given) => read(service, given)
})

const status = (service: ServiceCall, name: string, kind: keyof typeof kinds, description: string): McpTool => ({
  name,
  title: `Status of ${kind === "extract" || kind === "agent" ? "an" : "a"} ${kind}`,
  description,
  properties: {
    id: text("the id of the job"),
    ...(kinds[kind].isPaged ? { skip: number("pages to pass over"), limit: number("pages; default: 10", 1) } : {})
  },
  required: ["id"],
  isReadOnly: true,
  call: (given) => readJob(service, kinds[kind], String(given["id"] ?? ""), partOf(given))
})

const direct = Effect.fnUntraced(function* (service: ServiceCall, path: string, body: Arguments, narrower: string) {
  const answer = yield* service({ method: "POST", path, body })
  return isGood(answer) ? answerText(JSON.stringify(answer.body), 0, undefined, narrower) : problem(answer)
})

/**
 * Reads one page, and the rest of an answer that was cut.
 */
const scrape = Effect.fnUntraced(function* (service: ServiceCall, given: Arguments) {
  if (given["catalog"] !== undefined || given["alexandria"] !== undefined) return termsNeedAPerson
  const answer = yield* service({ method: "POST", path: "/v2/scrape", body: scrapeRequest(given) })
  return isGood(answer) ? pageText(answer.body, 0) : problem(answer)
})

/** A model may call tools by itself, so no tool accepts terms or pays a provider. */
const termsNeedAPerson: Outcome = {
  texts: [
    "Calls of data providers cost money and need terms that a person has accepted, so this tool does not make them. What to do: use firecrawl_agent, which asks for approval before it calls one."
  ],
  isError: true
}

const pageText = (body: Arguments, offset: number): Outcome => {
  const { data } = body
  const metadata = isFields(data) ? data["metadata"] : undefined
  const id = isFields(metadata) ? metadata["scrapeId"] : undefined
  const restArguments = typeof id === "string" ? { of: "scrape", id } : undefined
  return answerText(JSON.stringify(data ?? body), offset, restArguments, "includeTags, or the format json, gives less.")
}

const read = Effect.fnUntraced(function* (service: ServiceCall, given: Arguments) {
  const { id, of } = given
  const kind = Object.values(kinds).find((one) => one.of === of)
  if (kind !== undefined) return yield* readJob(service, kind, String(id ?? ""), partOf(given))
  if (of !== "scrape") {
    return { texts: [`of must be scrape, ${Object.keys(kinds).join(", ")}, not ${JSON.stringify(of)}`], isError: true }
  }
  const answer = yield* service({ method: "GET", path: `/v2/scrape/${encodeURIComponent(String(id ?? ""))}` })
  return isGood(answer) ? pageText(answer.body, partOf(given).offset) : problem(answer)
})
