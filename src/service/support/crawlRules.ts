/** Answers about crawls: how to read one to its end, and why it has these pages. */
import * as Limits from "#contract/Limits"
import type { RuleTopic } from "./errorRules.ts"

const mega = 1024 * 1024
const hours = Limits.retentionMillis / 3_600_000

export const crawlRules: ReadonlyArray<RuleTopic> = [
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
