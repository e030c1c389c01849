/**
 * Answers that are not in the schemas of the contract: rules, limits, errors and costs of the specification, and how to run
 * the service. Numbers come from the constants that the service uses.
 */
import * as Limits from "#contract/Limits"
import { retentionMillis as indexMillis } from "#web/PageIndex"
import { crawlRules } from "./crawlRules.ts"
import { errorRules, type RuleTopic } from "./errorRules.ts"

const mega = 1024 * 1024
const days = indexMillis / 86_400_000

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
