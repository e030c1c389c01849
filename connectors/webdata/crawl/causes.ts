/**
 * Why pages could not be read, in the words of a run's summary: "3 of 392 could not be read (2 timed out, first ...)".
 * Tables and the API have the codes.
 */

/** A code that this version does not know is shown as it is. */
export const inWords = (code: string): string => words[code] ?? code

const words: Readonly<Record<string, string>> = {
  CRAWL_TRAP: "with an endless row of addresses",
  SCRAPE_ACTION_ERROR: "with an action that failed",
  SCRAPE_ADDRESS_BLOCKED: "at a private address",
  SCRAPE_BOT_CHECK: "with a check for bots in place of the page",
  SCRAPE_BROWSER_ERROR: "not shown by the browser",
  SCRAPE_BROWSER_UNAVAILABLE: "not readable without a browser",
  SCRAPE_CONNECTION_ERROR: "with a broken connection",
  SCRAPE_DNS_RESOLUTION_ERROR: "with an unknown host name",
  SCRAPE_ERROR: "for an unknown reason",
  SCRAPE_EXTRACTION_ERROR: "without data",
  SCRAPE_FETCH_ERROR: "not fetched",
  SCRAPE_FILE_BROKEN_ERROR: "with a damaged file",
  SCRAPE_FILE_ENCRYPTED_ERROR: "with a file behind a password",
  SCRAPE_FILE_TIMEOUT_ERROR: "with a file that took too long",
  SCRAPE_FILE_TOO_LARGE_ERROR: "with a file over the limit",
  SCRAPE_INVALID_RESPONSE: "with an invalid answer",
  SCRAPE_NO_CACHED_DATA: "without a stored copy",
  SCRAPE_PAGE_ENDED_PROCESS: "that ended the process",
  SCRAPE_PAGE_TOO_COSTLY: "too costly to read",
  SCRAPE_PAGE_TOO_LARGE: "too large",
  SCRAPE_PROMPT_INJECTION_DETECTED: "with text that instructs its reader",
  SCRAPE_PROXY_ERROR: "lost at the proxy",
  SCRAPE_REDIRECT_ERROR: "with a redirect to no page",
  SCRAPE_REDIRECT_LOOP: "redirected in a circle",
  SCRAPE_ROBOTS_ERROR: "without a readable robots.txt",
  SCRAPE_SITE_DOWN: "of a host that was given up",
  SCRAPE_SITE_ERROR: "answered with an error",
  SCRAPE_STORE_ERROR: "for want of room on this machine",
  SCRAPE_TIMEOUT: "timed out",
  SCRAPE_TLS_ERROR: "with an invalid certificate",
  SCRAPE_UNKNOWN_ERROR: "for an unknown reason",
  SCRAPE_UNSUPPORTED_FILE_ERROR: "of a kind that is not read"
}
