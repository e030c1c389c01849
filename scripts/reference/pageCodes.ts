/**
 * What the codes of pages that could not be read mean: those of `crawl_errors.code`, and of `code` in answers of the API.
 *
 * The generator holds this list against the sources: a code that is made there and has no sentence here fails it, and so
 * does a sentence of a code that is not made any more.
 */
export const pageCodes: Readonly<Record<string, string>> = {
  CRAWL_RANDOM_WORDS:
    "pages of random words only led to more of them, so the addresses that they name were no longer followed; the run is held",
  CRAWL_TRAP:
    "an endless series of addresses, such as a calendar, was no longer followed after `trapBudget` pages without new content",
  EXTERNAL_LINK:
    "a redirect, or an empty page that redirects, leads to another site without `allowExternalLinks`; or a link " +
    "leads to the home page of another site",
  NOT_A_PAGE:
    "an address that is named like a file, in a folder whose samples of this extension were files: it was not read",
  PATH_FILTER:
    "the start page does not pass `includePaths` and `excludePaths`: it is not a result, but its links were followed",
  ROBOTS_BLOCKED: "robots.txt does not allow the page",
  SCRAPE_ACTION_ERROR: "an action of `actions` could not be done, such as a click on an element that is not there",
  SCRAPE_ADDRESS_BLOCKED: "the host is at a private or loopback address; `--allow-private` allows it",
  SCRAPE_BOT_CHECK:
    "the site sends a check for bots instead of the page: [known checks](../crawling.md#checks-for-bots)",
  SCRAPE_BROWSER_ERROR: "the browser could not show the page",
  SCRAPE_BROWSER_UNAVAILABLE: "the request needs a browser, and none is installed",
  SCRAPE_CONNECTION_ERROR: "the connection was refused, broke or was closed",
  SCRAPE_DNS_RESOLUTION_ERROR: "the host name does not resolve",
  SCRAPE_ERROR: "the page failed, and the service gave no code",
  SCRAPE_EXTRACTION_ERROR: "no data could be extracted from the page",
  SCRAPE_FETCH_ERROR: "the page could not be fetched for another reason; the message has it",
  SCRAPE_FILE_BROKEN_ERROR: "the PDF or Word document is damaged",
  SCRAPE_FILE_ENCRYPTED_ERROR: "the document needs a password",
  SCRAPE_FILE_TIMEOUT_ERROR: "the document took too long to read",
  SCRAPE_FILE_TOO_LARGE_ERROR: "the document is larger than the limit",
  SCRAPE_HOST_TOO_SLOW:
    "left: its host used up its time, bytes or tries in this crawl without giving pages; run again when it is faster, or use excludePaths",
  SCRAPE_INVALID_RESPONSE: "the answer of the server is not valid HTTP, or has an unknown encoding",
  SCRAPE_NO_CACHED_DATA: "`minAge` asked for a stored copy, and there is none",
  SCRAPE_PAGE_ENDED_PROCESS:
    "a process ended while it read the page, and so did a second process that read only this page: " +
    "[quarantine](../service.md#pages-that-end-a-process)",
  SCRAPE_PAGE_TOO_COSTLY:
    "the page has more elements, cells or text than can be read in a few seconds: [limits](../crawling.md#limits-of-a-page)",
  SCRAPE_PAGE_TOO_LARGE: "the page is larger than the limit, before or after decompression",
  SCRAPE_PROMPT_INJECTION_DETECTED: "`checkPromptInjection` found text that gives instructions to its reader",
  SCRAPE_PROXY_ERROR: "the proxy refused, or could not be reached",
  SCRAPE_REDIRECT_ERROR: "a redirect does not lead to a web page, or there are too many redirects",
  SCRAPE_REDIRECT_LOOP: "redirects lead in a circle",
  SCRAPE_ROBOTS_ERROR: "robots.txt could not be read, so the page was not requested",
  SCRAPE_SITE_DOWN: "the host was given up, after it refused pages and did not recover",
  SCRAPE_PAGE_GONE: "the site answered 404 or 410 instead of a page that an extract or an agent wanted to read",
  SCRAPE_SITE_ERROR: "the site answered with an error instead of a page that an extract or an agent wanted to read",
  SCRAPE_STORE_ERROR: "this machine could not continue: no file descriptors, no memory or no disk is left",
  SCRAPE_TIMEOUT: "the page took longer than `timeout`",
  SCRAPE_TLS_ERROR: "the host's certificate or TLS is not valid; `skipTlsVerification` accepts it",
  SCRAPE_UNKNOWN_ERROR: "an unexpected failure; the message has the details",
  SCRAPE_UNSUPPORTED_FILE_ERROR: "the file is of a kind that is not read"
}
