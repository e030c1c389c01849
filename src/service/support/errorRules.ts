/**
 * Answers about errors, and what to do about them: keys, credits, limits, refused requests.
 */
import * as Limits from "#contract/Limits"

const mega = 1024 * 1024
const hours = Limits.retentionMillis / 3_600_000

/** A rule that is not in the schemas of the contract: words of questions about it, and the answer. */
export interface RuleTopic {
  readonly title: string
  /** The words with which people ask about it. */
  readonly asks: string
  readonly text: string
}

export const errorRules: ReadonlyArray<RuleTopic> = [
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
