/**
 * The limits of the specification (section Limits). Sizes are in bytes and times in milliseconds, unless a name says otherwise.
 */

/** The maximum size of a request body; a larger one is answered with 413. */
export const maxBodyBytes = 10 * 1024 * 1024

/** The maximum size of a file that is uploaded to be parsed; a larger one is answered with 413. */
export const maxUploadBytes = 20 * 1024 * 1024

/** The maximum size of one status answer of a crawl, unless its first document alone is larger. */
export const maxChunkBytes = 10 * 1024 * 1024

/** The maximum number of characters of a URL. */
export const maxUrlLength = 8192

/** The maximum number of characters of a JSON Schema of a caller. */
export const maxSchemaLength = 1_000_000
/** The maximum number of characters of an object that the service returns unchanged, such as `metadata` of a webhook. */
export const maxMetadataLength = 20_000

/** The default number of documents in one status answer. */
export const defaultPageSize = 100
/** The maximum number of documents in one status answer. */
export const maxPageSize = 1000

/** The default of a crawl's `limit`: its maximum number of pages. */
export const defaultCrawlLimit = 10_000

/** The maximum number of patterns in includePaths, and in excludePaths. */
export const maxPatterns = 1000
/** The maximum number of characters of one pattern. */
export const maxPatternLength = 2000
/** The maximum number of patterns in includePaths and excludePaths together. */
export const maxPatternsCombined = 1000
/** The maximum number of characters of all patterns together. */
export const maxPatternCharactersCombined = 100_000

/** How long results are kept after a job has ended. */
export const retentionMillis = 24 * 60 * 60 * 1000

/** How long a status request waits for new documents of a crawl that is in progress. */
export const holdMillis = 2000

/** The default of `timeout`: a page that takes longer is answered with 408. */
export const defaultScrapeTimeoutMillis = 30_000
/** The minimum of `timeout`. */
export const minScrapeTimeoutMillis = 1000
/** The maximum of `timeout`. */
export const maxScrapeTimeoutMillis = 300_000

/** The default number of links of a map. */
export const defaultMapLimit = 5000
/** The maximum number of links of a map. */
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

/** The number of runs in one answer of GET /v2/agent. */
export const agentPageSize = 20

/** The number of agent runs per team and day that cost no credits. */
export const freeAgentRuns = 5

/** The maximum number of URLs in a batch. */
export const maxBatchUrls = 10_000

/** The default number of results of a government search. */
export const defaultGovResults = 10
/** The maximum number of results of a government search. */
export const maxGovResults = 100

/** The default number of results of a search, for each source. */
export const defaultSearchResults = 10
/** The maximum number of results of a search, for each source. */
export const maxSearchResults = 100
/** The credits of a web search for each ten results. */
export const searchCredits = 2

/** The maximum number of characters of a search query. */
export const maxQueryLength = 2000

/** The default time limit of a search with the scrapes of its results. */
export const defaultSearchTimeoutMillis = 60_000

/** The minimum time between two checks of a monitor, in minutes. */
export const minMonitorMinutes = 5

/** The maximum number of targets of a monitor. */
export const maxMonitorTargets = 50
/** The maximum number of URLs of one target. */
export const maxMonitorUrls = 1000
/** The maximum number of queries of one target. */
export const maxMonitorQueries = 20
/** The maximum number of results of each query of a target. */
export const maxMonitorResults = 50

/** The maximum number of e-mail recipients of a monitor. */
export const maxMonitorRecipients = 50

/** The default number of days that the checks of a monitor are kept. */
export const defaultMonitorRetentionDays = 30
/** The maximum number of days that the checks of a monitor are kept. */
export const maxMonitorRetentionDays = 365

/** The credits for a model's judgment of one page. A judgment by rules costs nothing. */
export const judgmentCredits = 1

/** The default number of monitors or checks in one list. */
export const defaultMonitorList = 20
