/**
 * The numbers of the specification (section Limits). Times are milliseconds, unless the name has another unit.
 */

/** The maximum size of a request body; a larger one is 413. */
export const maxBodyBytes = 10 * 1024 * 1024

/** The maximum size of an uploaded file; a larger one is 413. */
export const maxUploadBytes = 20 * 1024 * 1024

/** The maximum size of one status answer, in bytes, unless its first document alone has more. */
export const maxChunkBytes = 10 * 1024 * 1024

/** The maximum number of characters of a URL. */
export const maxUrlLength = 8192

/** The maximum number of characters of a JSON Schema, as JSON. */
export const maxSchemaLength = 1_000_000
/** The maximum number of characters of a webhook's metadata, and of the options of a catalog call, as JSON. */
export const maxMetadataLength = 20_000

/** The default number of documents in one status answer. */
export const defaultPageSize = 100
/** The maximum number of documents in one status answer. */
export const maxPageSize = 1000

/** The default of `limit` of a crawl: the maximum number of its pages. */
export const defaultCrawlLimit = 10_000

/** The maximum number of patterns in each of `includePaths` and `excludePaths`. */
export const maxPatterns = 1000
/** The maximum number of characters of one pattern. */
export const maxPatternLength = 2000
/** The maximum number of all patterns of a crawl. */
export const maxPatternsCombined = 1000
/** The maximum number of characters of all patterns of a crawl. */
export const maxPatternCharactersCombined = 100_000

/** How long results are kept after a job has ended. */
export const retentionMillis = 24 * 60 * 60 * 1000

/** How long a status request without new documents may wait, while the crawl runs. */
export const holdMillis = 2000

/** The default timeout of a page; after it, the answer is 408. */
export const defaultScrapeTimeoutMillis = 30_000
/** The minimum timeout of a page. */
export const minScrapeTimeoutMillis = 1000
/** The maximum timeout of a page. */
export const maxScrapeTimeoutMillis = 300_000

/** The default number of URLs of one map. */
export const defaultMapLimit = 5000
/** The maximum number of URLs of one map. */
export const maxMapLimit = 100_000

/** The maximum number of characters of a prompt. */
export const maxPromptLength = 10_000

/** The maximum number of URLs in the request of an extract or agent run. */
export const maxExtractUrls = 1000

/** The maximum number of pages that an extract reads for its wildcards: one request does not cover very large sites. */
export const maxExtractPages = 1000

/** The number of tokens per credit, for extracts. */
export const tokensPerCredit = 15

/** The default of `maxCredits` of an agent run. */
export const defaultAgentCredits = 2500

/** The number of runs on one page of GET /v2/agent. */
export const agentPageSize = 20

/** The number of free agent runs of a team per day. */
export const freeAgentRuns = 5

/** The maximum number of URLs of one batch. */
export const maxBatchUrls = 10_000

/** The default number of results of a government search. */
export const defaultGovResults = 10
/** The maximum number of results of a government search. */
export const maxGovResults = 100

/** The default number of results of each source of a search. */
export const defaultSearchResults = 10
/** The maximum number of results of each source of a search. */
export const maxSearchResults = 100
/** The credits for each ten results of a search. */
export const searchCredits = 2
/**
 * The cost of this many results; no results are free.
 *
 * @internal
 */
export const creditsOfResults = (results: number): number => Math.ceil(results / 10) * searchCredits

/** The maximum number of characters of a search, and of a question to the support. */
export const maxQueryLength = 2000

/** The default timeout of a search with the scrapes of its results. */
export const defaultSearchTimeoutMillis = 60_000

/** The shortest time between two checks of a monitor, in minutes. */
export const minMonitorMinutes = 5

/** The maximum number of targets of a monitor. */
export const maxMonitorTargets = 50
/** The maximum number of URLs of one target of a monitor. */
export const maxMonitorUrls = 1000
/** The maximum number of queries of one target of a monitor. */
export const maxMonitorQueries = 20
/** The maximum number of results of each query of a monitor. */
export const maxMonitorResults = 50

/** The maximum number of recipients of a monitor's e-mails. */
export const maxMonitorRecipients = 50

/** The default number of days for which checks of a monitor are kept. */
export const defaultMonitorRetentionDays = 30
/** The maximum number of days for which checks of a monitor are kept. */
export const maxMonitorRetentionDays = 365

/** The credits for a model's judgment of one page. Rules judge for free. */
export const judgmentCredits = 1

/** The default number of monitors or checks in one list. */
export const defaultMonitorList = 20
