/**
 * Answers that are not in the schemas of the contract: rules, limits, errors and costs of the specification, and how to run
 * the service. Numbers come from the constants that the service uses.
 */
import * as Limits from "#contract/Limits"
import { retentionMillis as indexMillis } from "#web/PageIndex"

const mega = 1024 * 1024
const days = indexMillis / 86_400_000

const hours = Limits.retentionMillis / 3_600_000

/** A rule that is not in the schemas of the contract: words of questions about it, and the answer. */
interface RuleTopic {
  readonly title: string
  /** The words with which people ask about it. */
  readonly asks: string
  readonly text: string
}

/** Answers about errors, and what to do about them: keys, credits, limits, refused requests. */
const errorRules: ReadonlyArray<RuleTopic> = [
  {
    title: "Authentication",
    asks: "how do I authenticate, pass, send, where does the api key go, authorization header bearer token, unauthorized invalid token 401, revoked missing key",
    text: "Send the key as `Authorization: Bearer KEY` with every request. A missing, malformed or revoked key is answered with 401 and the error `Unauthorized: Invalid token`. A service without keys accepts every caller."
  },
  {
    title: "Calls without a key",
    asks: "which endpoints work without an api key, keyless, anonymous, try without signing up",
    text: "Starting and reading a crawl (POST /v2/crawl) and the government search (/v2/search/gov) work without a key; a key gives higher rate limits. All other operations need a key if the service asks for keys."
  },
  {
    title: "Key lacks a permission",
    asks: "forbidden 403 key lacks scope permission plan feature not allowed",
    text: "403 Forbidden: the key lacks the scope or the plan feature that the operation needs; or the page's address is private or loopback and this service may not reach it (SCRAPE_ADDRESS_BLOCKED; the operator can allow it with the flag --allow-private)."
  },
  {
    title: "Credits are used up",
    asks: "error 402 payment required 402 status code 402 insufficient credits run out of credits exhausted",
    text: "402 Payment Required: the remaining credits do not cover the request. A crawl is checked against its `limit` before it starts: lower `limit`, or add credits. GET /v2/team/credit-usage shows what remains."
  },
  {
    title: "Rate limit",
    asks: "rate limit exceeded 429 too many requests retry-after per minute throttled how long to wait",
    text: "429 Rate limit exceeded: the plan's requests a minute are used up. Wait at least the seconds of the Retry-After header (they are in the error text too: `retry after N s`), then try again with backoff."
  },
  {
    title: "Concurrency limit",
    asks: "concurrency limit reached 429 pages in flight parallel at the same time simultaneously",
    text: "429 Concurrency limit reached: the team's pages in flight are all taken. Try again with backoff; jobs (crawl, batch) wait for their turn instead. GET /v2/concurrency-check shows `concurrency` and `maxConcurrency`."
  },
  {
    title: "Which errors to retry",
    asks: "which errors status codes can be retried retry backoff jitter how often attempts",
    text: "Retry 408, 429, 500, 502, 503 and 504, with exponential backoff and jitter: the delay doubles each time, up to 30 seconds, for at most 5 attempts; after 429, wait at least the time in Retry-After. Do not retry 400, 401, 402, 403, 404, 409 and 413."
  },
  {
    title: "Form of errors",
    asks: "what do errors look like error response format json shape details field success false code",
    text: "Every answer that is not 2xx is JSON: `success` (false), `error` (a text), and sometimes `code` and `details`, which lists each wrong field with its `path` and `message`."
  },
  {
    title: "Unknown fields",
    asks: "bad request 400 unknown field validation failed body unrecognized key not accepted",
    text: "400 Bad Request: the body does not fit the contract. Unknown fields are refused, not ignored; `details` names each one. The fields of a page's scrape (formats, onlyMainContent, waitFor ...) belong in `scrapeOptions` in a crawl or a search, and at the top in scrape and batch."
  },
  {
    title: "Invalid URL",
    asks: "invalid url 400 must be absolute http https scheme",
    text: "400 Invalid URL: `url` is missing or is not an absolute http or https address with a host, such as https://example.com/docs."
  },
  {
    title: "Request timeout",
    asks: "request timeout 408 scrape timed out page too slow took too long SCRAPE_TIMEOUT raise timeout milliseconds",
    text: `408 Request Timeout (SCRAPE_TIMEOUT): the page took longer than \`timeout\`. It is in milliseconds: default: ${Limits.defaultScrapeTimeoutMillis}, allowed: ${Limits.minScrapeTimeoutMillis} to ${Limits.maxScrapeTimeoutMillis}. Raise it, or leave out actions and waitFor.`
  },
  {
    title: "Body too large",
    asks: "413 payload too large maximum request body size megabytes",
    text: `413 Payload Too Large: a request body takes at most ${Limits.maxBodyBytes / mega} MB, a file that is uploaded to /v2/parse at most ${Limits.maxUploadBytes / mega} MB.`
  },
  {
    title: "Conflict",
    asks: "409 conflict cancel finished already ended idempotency key used twice",
    text: "409 Conflict: the state of the job does not allow it: cancelling one that has ended (`Agent already finished`, `Agent is already cancelled`), or an x-idempotency-key that has already started a job; its id is in `details`."
  },
  {
    title: "Unprocessable",
    asks: "422 unprocessable extraction schema error invalid json schema",
    text: "422 Unprocessable Entity: the JSON Schema is not valid, or no result that conforms to it could be made."
  },
  {
    title: "Not found",
    asks: "404 not found job id does not exist agent job not found snapshot not found expired",
    text: `404 Not Found: no such path, or no job of your team has this id. Results are gone ${hours} hours after the end of their job.`
  }
]

/** Answers about crawls: how to read one to its end, and why it has these pages. */
const crawlRules: ReadonlyArray<RuleTopic> = [
  {
    title: "How long results are kept",
    asks: "how long are results kept retention expire expiresAt available stored 24 hours download later",
    text: `Results of crawl, batch, extract and agent jobs are kept ${hours} hours after the job has ended; \`expiresAt\` is the end of that time. After that the answer is 404.`
  },
  {
    title: "Reading a crawl to its end",
    asks: "paging pagination next skip crawl results chunks 10 MB read all pages of result loop polling status",
    text: `GET /v2/crawl/{id} answers at most ${Limits.maxChunkBytes / mega} MB at a time; \`next\` is the URL of the next chunk. Poll until \`status\` is completed, failed or cancelled, then follow \`next\` until it is absent or a page of \`data\` is empty. \`limit\` is the number of documents in one answer; default: ${Limits.defaultPageSize}, maximum: ${Limits.maxPageSize}.`
  },
  {
    title: "Crawl gives fewer pages than expected",
    asks: "crawl only returns one page few pages missing pages zero pages 0 pages does not follow links stops early includePaths start url why",
    text: "A crawl follows links below the path of its start page only: `crawlEntireDomain: true` takes siblings and parents too, `allowSubdomains` subdomains, `allowExternalLinks` other sites for one hop. includePaths and excludePaths are matched against the path, the start page included, so a start URL that does not match can yield 0 pages. `limit`, `maxDiscoveryDepth` and robots.txt stop it too: GET /v2/crawl/{id}/errors lists failures and `robotsBlocked`."
  },
  {
    title: "Crawl limit",
    asks: "default crawl limit how many pages does a crawl take maximum number of pages, limit a crawl to 10 pages, crawl only some pages, crawl fewer pages",
    text: `\`limit\` is the maximum number of pages of a crawl; default: ${Limits.defaultCrawlLimit}. Set \`limit\` to take fewer or more, such as { "url": "https://example.com", "limit": 10 } in POST /v2/crawl. The remaining credits must cover it.`
  },
  {
    title: "Path patterns",
    asks: "includePaths excludePaths regex pattern lookahead lookaround re2 not compile backreference how many patterns",
    text: `includePaths and excludePaths are RE2 patterns, matched against the path of the URL, or the whole URL with \`regexOnFullURL: true\`. Lookaround and backreferences do not exist in RE2; such a pattern is answered with 400. At most ${Limits.maxPatterns} patterns a field, ${Limits.maxPatternLength} characters each, together ${Limits.maxPatternsCombined} patterns and ${Limits.maxPatternCharactersCombined} characters. A pattern that repeats much by number, such as (abc){1000}, can be too large: that is 400 too.`
  },
  {
    title: "robots.txt",
    asks: "robots.txt ignore robots blocked disallow ignoreRobotsTxt robotsUserAgent",
    text: "A crawl honours robots.txt; what it blocks is in `robotsBlocked` of GET /v2/crawl/{id}/errors. `ignoreRobotsTxt` and `robotsUserAgent` need a plan that allows them (403 otherwise). A scrape or a batch does not ask robots.txt, because the caller names each page."
  },
  {
    title: "EXTERNAL_LINK",
    asks: "EXTERNAL_LINK error code external site home page skipped",
    text: "EXTERNAL_LINK in the errors of a crawl: a link to the home page of another site was skipped on purpose. With `allowExternalLinks: true` other pages off the domain are followed for one hop, home pages are not."
  },
  {
    title: "Failed pages and the total",
    asks: "total completed counters failed pages not counted errors list crawl progress",
    text: "`total` counts completed pages and pages in progress; failed pages are not counted, so `completed` equals `total` at the end. GET /v2/crawl/{id}/errors lists the failures. A page that its site answered with an HTTP error such as 404 is in `data`, with that code in `metadata.statusCode`."
  }
]

export const rules: ReadonlyArray<RuleTopic> = [
  ...errorRules,
  ...crawlRules,
  {
    title: "What a crawl or scrape costs",
    asks: "how much does a crawl scrape cost credits per page billed price pdf json mode",
    text: "A page costs 1 credit, scraped or crawled; the format json costs 4 more for each page; a PDF costs 1 credit for each of its pages. Failed pages cost nothing."
  },
  {
    title: "What an extract costs",
    asks: "how much does extract cost tokens credit worth billing",
    text: `An extract is billed by tokens: 1 credit is ${Limits.tokensPerCredit} tokens. \`creditsUsed\` and \`tokensUsed\` in its status show its cost.`
  },
  {
    title: "What an agent run costs",
    asks: "agent cost maxCredits credits limit spend free runs per day failed runs billed refund",
    text: `An agent run spends at most \`maxCredits\`; default: ${Limits.defaultAgentCredits}. A run that reaches this limit fails with creditsUsed 0. Failed runs are not charged. ${Limits.freeAgentRuns} runs a day are free for each team.`
  },
  {
    title: "How often a monitor checks",
    asks: "minimum monitor interval, shortest interval of a monitor, how often can a monitor check, monitor schedule every minutes",
    text: `A monitor of POST /v2/monitor checks at most every ${Limits.minMonitorMinutes} minutes; a schedule that is shorter is answered with 400. The schedule is a cron expression or words such as "every 30 minutes", and a timezone; default: UTC.`
  },
  {
    title: "What a search costs",
    asks: "how much does a search cost credits results",
    text: `A search costs ${Limits.searchCredits} credits for each 10 results or part of them; nothing found costs nothing. With scrapeOptions each result costs what a scrape of it costs, too.`
  },
  {
    title: "What a search finds",
    asks: "search finds nothing empty results where does search look index web local searxng operators site phrase",
    text: `POST /v2/search finds the pages that your team has crawled or scraped in the last ${days} days, and those of the web if the operator has configured a web search (\`serve --web-search URL\`, a server that speaks SearXNG's JSON). It knows "phrases", -without, site:host, intitle:, inurl: and filetype:. If it finds nothing, crawl a site first, or configure a web search.`
  },
  {
    title: "Content of search results",
    asks: "search results with markdown full content scrape results scrapeOptions",
    text: 'Give `scrapeOptions` to POST /v2/search, such as { "formats": ["markdown"] }: each result then also has the content of its page, such as markdown, beside title, url and description.'
  },
  {
    title: "Government search",
    asks: "government law regulation search gov statutes k parameter results federal state citation historical versions",
    text: `GET or POST /v2/search/gov takes \`query\` (at least 1 character) and \`k\`, 1 to ${Limits.maxGovResults}, default: ${Limits.defaultGovResults} (not \`limit\`). Results are excerpts: check issuer, jurisdiction, status and version before citing. An empty answer does not prove that no law exists.`
  },
  {
    title: "Webhook signature",
    asks: "verify webhook signature hmac sha256 X-Service-Signature secret raw body",
    text: "Webhooks carry `X-Service-Signature: sha256=<hex>`: the HMAC-SHA256 of the raw request body with the webhook secret. Compute it over the raw body, compare in constant time, and process nothing before that."
  },
  {
    title: "Webhook events",
    asks: "webhook events crawl.page crawl.completed started which events does a webhook send agent.action metadata",
    text: "Give `webhook` with `url` and, if you want, `events` (started, page, completed, failed), `headers` and `metadata`. A crawl sends crawl.started, crawl.page, crawl.completed and crawl.failed; a batch batch_scrape.*; an extract extract.*; an agent run agent.started, agent.action, agent.completed, agent.failed and agent.cancelled."
  },
  {
    title: "Webhook retries",
    asks: "webhook delivery retry not delivered failed again how often timeout of webhook",
    text: "A delivery that is not answered with 2xx within 10 seconds is tried again after 1, 5 and 15 minutes. It may arrive twice: compare `webhookId`."
  },
  {
    title: "Formats",
    asks: "which formats output markdown html rawHtml links images summary json screenshot changeTracking attributes format supported",
    text: "Formats are markdown (the default), html, rawHtml, links, images, summary, branding, json (with schema, prompt or both), changeTracking, screenshot, attributes (with selectors), question (with question), highlights (with query) and query (with prompt), as text or as { type }. This service does not have product, menu, audio and video."
  },
  {
    title: "Structured data of one page",
    asks: "get structured json data from a page with schema extract json format prompt scrape",
    text: 'Scrape with `formats: [{ "type": "json", "schema": {...} }]`, or with a `prompt` beside or instead of the schema; the data is in `data.json`. For several pages use POST /v2/extract or POST /v2/agent.'
  },
  {
    title: "Pages that need JavaScript",
    asks: "javascript rendered page single page app wait dynamic content empty markdown waitFor actions click scroll browser",
    text: "Set `waitFor` (milliseconds that the page runs in a browser before it is read) or `actions` (wait, click, write, press, scroll, screenshot, executeJavascript ...; at most 50). The operator needs `playwright-core` and Chromium. If markdown is empty, `onlyMainContent: false` may help too."
  },
  {
    title: "Languages and countries",
    asks: "language of a page accept-language localized country location german french version",
    text: 'Set `location`, such as { "country": "DE", "languages": ["de"] }: the languages are sent to the site as Accept-Language, and the browser uses them if one is needed.'
  },
  {
    title: "Screenshots",
    asks: "take a screenshot of the whole full page picture image viewport quality",
    text: 'Ask for the format screenshot, such as { "type": "screenshot", "fullPage": true, "quality": 80, "viewport": { "width": 1280, "height": 800 } }; it comes as a data: URL. The operator needs `playwright-core` and a Chromium.'
  },
  {
    title: "OpenAPI document",
    asks: "where is the openapi swagger spec schema documentation description of the api endpoints",
    text: "GET /openapi.json describes every operation with its fields, answers and errors. Every path begins with /v2."
  },
  {
    title: "Main content",
    asks: "only main content without navigation header footer sidebar boilerplate menu onlyMainContent includeTags excludeTags selectors",
    text: "`onlyMainContent` (default: true) leaves out navigation, headers, footers and sidebars; false keeps all of the page. `includeTags` and `excludeTags` are CSS selectors of the elements to keep or to leave out."
  },
  {
    title: "Caching",
    asks: "cached copy cache fresh maxAge storeInCache stale old content force fetch",
    text: "A page is fetched anew unless `maxAge` (milliseconds) accepts a stored copy; `minAge` answers from a stored copy only. `storeInCache: false` keeps no copy."
  },
  {
    title: "Cancelling a job",
    asks: "how do I cancel stop a running crawl batch agent extract job delete abort",
    text: "DELETE /v2/crawl/{id}, /v2/batch/scrape/{id}, /v2/extract/{id} or /v2/agent/{id}. A crawl or batch answers `status: cancelled`. An agent run stops at its next clean point and ends failed. Cancelling a job that has ended is answered with 409."
  },
  {
    title: "States of jobs",
    asks: "what states status values processing scraping completed failed cancelled extract crawl agent job",
    text: "A crawl and a batch are scraping, completed, failed or cancelled; an extract is processing, completed, failed or cancelled; an agent run is processing, completed or failed (a cancelled run is failed)."
  },
  {
    title: "Agent models",
    asks: "which model agent core-2 core-1 spark effort deprecated model name",
    text: "The agent's model is `core-2`; `core-1*`, `spark-1-pro`, `spark-1-mini` and `spark-2` are accepted and redirected to it. `effort` is low, medium or high."
  },
  {
    title: "Extract is superseded",
    asks: "extract deprecated difference between extract and agent which should I use replaced superseded",
    text: "POST /v2/agent supersedes POST /v2/extract, which stays available. An agent takes a prompt with or without URLs, records a trace and snapshots; an extract reads the URLs it is given."
  },
  {
    title: "Prompt length",
    asks: "how long may a prompt be maximum characters prompt agent extract",
    text: `A prompt takes at most ${Limits.maxPromptLength} characters.`
  },
  {
    title: "Agent trace and snapshots",
    asks: "trace of agent run events snapshot what did the agent do steps artifacts thread",
    text: "GET /v2/agent/{id}/trace gives the events of a run, with ?liveView=true live views of its browser; group them by agent.id, then by producerSequence. GET /v2/agent/{id}/snapshots/{snapshotId} gives what it wrote at that point, GET /v2/agent/threads/{id} the turns of a thread (`threadId` continues a thread)."
  },
  {
    title: "Listing agent runs",
    asks: "list my agent runs history before pagination twenty per page",
    text: `GET /v2/agent lists the team's runs, the newest first, ${Limits.agentPageSize} a page; \`next\` has the \`before\` of the next page.`
  },
  {
    title: "Zero data retention",
    asks: "zero data retention zdr team extract agent not supported",
    text: "Teams with zero data retention have no extracts and no agent runs: 400 `Your team has zero data retention enabled. This is not supported on extract.` Their pages are not kept for searches either."
  },
  {
    title: "Batch scrape",
    asks: "scrape many urls list of urls at once in a single request batch ignoreInvalidURLs maximum urls",
    text: `POST /v2/batch/scrape takes \`urls\` (at most ${Limits.maxBatchUrls}) and the scrape options beside them, at the top. \`ignoreInvalidURLs: true\` lists invalid URLs in \`invalidURLs\`; otherwise the request fails with 400. The answer has an id; GET /v2/batch/scrape/{id} reads it like a crawl.`
  },
  {
    title: "Map",
    asks: "list all urls of a website without scraping sitemap links discover map limit",
    text: `POST /v2/map { url } lists the URLs of a site from its sitemaps and its start page: \`limit\` is their maximum number, up to ${Limits.maxMapLimit}; default: ${Limits.defaultMapLimit}. \`search\` puts URLs with the words first.`
  },
  {
    title: "Sitemaps",
    asks: "sitemap only skip include ignoreSitemap crawl use sitemap",
    text: "`sitemap` of a crawl is include (the sitemap and links), skip (links only) or only (the sitemap and the start page)."
  },
  {
    title: "Reading files",
    asks: "pdf docx word upload file parse document formats multipart form",
    text: `PDF and Word documents are read by scrape and crawl like pages. POST /v2/parse takes an upload (multipart/form-data with \`file\`, and \`options\` as JSON), at most ${Limits.maxUploadBytes / mega} MB.`
  },
  {
    title: "Usage",
    asks: "how many credits remain left usage token usage historical queue status account balance",
    text: "GET /v2/team/credit-usage and /v2/team/token-usage show what remains, each with /historical by month; /v2/team/queue-status shows waiting jobs; /v2/concurrency-check shows the pages in flight."
  },
  {
    title: "Watching a job live",
    asks: "websocket watcher real time pages stream live updates instead of polling",
    text: "Open a WebSocket on /v2/crawl/{id} or /v2/batch/scrape/{id}: a `catchup`, then one `document` for each page; or take webhooks. Agent runs have no stream: poll GET /v2/agent/{id}."
  },
  {
    title: "Running the service",
    asks: "self host run own server serve command port docker install start database postgres sqlite keys",
    text: "`millrace serve --port 3002 --data FOLDER` serves the API; `--key` or `--keys FILE` ask for keys, `--database postgres://...` keeps jobs on Postgres, which several processes may share."
  },
  {
    title: "Using a language model",
    asks: "use openai ollama local model llm configure model-url language model extraction own model",
    text: "`serve --model-url URL --model NAME --model-key KEY` (or MILLRACE_MODEL_URL, MILLRACE_MODEL, MILLRACE_MODEL_KEY) has a model at any endpoint of chat completions fill schemas and run agents. Without a model, rules do this; `engine` in an answer names which of them did."
  },
  {
    title: "Using an SDK",
    asks: "sdk client library python javascript node base url apiUrl FIRECRAWL_API_URL cli mcp point at this service",
    text: "Public clients of this API work unmodified: give them this service's base URL (`apiUrl`, `FIRECRAWL_API_URL`, `--api-url`) and your key."
  },
  {
    title: "Paying twice for one job",
    asks: "idempotency start job only once duplicate request x-idempotency-key lost answer",
    text: "Send the header `x-idempotency-key` with a request that starts a job: the same key again is answered with 409 and the id of the job that it started, so no job starts twice."
  },
  {
    title: "Hosts that do not resolve",
    asks: "SCRAPE_DNS_RESOLUTION_ERROR host does not resolve dns",
    text: "SCRAPE_DNS_RESOLUTION_ERROR, as 200 with success false: the host of the URL does not exist or does not resolve. Check its spelling."
  },
  {
    title: "Prompt injection",
    asks: "prompt injection detected SCRAPE_PROMPT_INJECTION_DETECTED checkPromptInjection",
    text: "403 SCRAPE_PROMPT_INJECTION_DETECTED: with checkPromptInjection true the page was found to instruct its reader. If this is a false alarm, leave the flag out."
  },
  {
    title: "Slowing a crawl down",
    asks: "slow down crawl delay between requests polite rate maxConcurrency one at a time",
    text: "`delay` is the number of seconds between two pages of a crawl, which are then read one at a time; `maxConcurrency` limits the pages in flight."
  }
]
