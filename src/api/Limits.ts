/**
 * The numbers of the specification (section Limits), once. Bytes are bytes, times are milliseconds.
 */

/** A request body may not be larger; a larger one is 413. */
export const maxBodyBytes = 10 * 1024 * 1024

/** A file that is uploaded to be parsed may not be larger; a larger one is 413. */
export const maxUploadBytes = 20 * 1024 * 1024

/** One crawl status answer has at most this many bytes, unless its first document alone has more. */
export const maxChunkBytes = 10 * 1024 * 1024

/** Characters of a URL, at most. */
export const maxUrlLength = 8192

/** Characters of a JSON Schema that is looked at, written as JSON; and of an object that is given back with events. */
export const maxSchemaLength = 1_000_000
/** Characters of one value of a page's metadata. */
export const maxMetadataLength = 20_000

/** Documents in one status answer: by default, and at most. */
export const defaultPageSize = 100
/** Pages of one part of a job's answer. */
export const maxPageSize = 1000

/** Pages that a crawl takes: the default of `limit`. */
export const defaultCrawlLimit = 10_000

/** Path patterns of includePaths and excludePaths: how many a field, how long each, and all together. */
export const maxPatterns = 1000
/** Characters of one pattern of a crawl. */
export const maxPatternLength = 2000
/** Patterns of a crawl. */
export const maxPatternsCombined = 1000
/** Characters of all patterns of a crawl. */
export const maxPatternCharactersCombined = 100_000

/** Results stay retrievable this long after a job has ended. */
export const retentionMillis = 24 * 60 * 60 * 1000

/** A status request at the end of a crawl that is still running is answered after at most this long. */
export const holdMillis = 2000

/** A page that has not answered by then is 408, unless scrapeOptions.timeout says otherwise. */
export const defaultScrapeTimeoutMillis = 30_000
/** Milliseconds that a page may be given, at least. */
export const minScrapeTimeoutMillis = 1000
/** Milliseconds that a page may be given, at most. */
export const maxScrapeTimeoutMillis = 300_000

/** Links that one map returns: by default, and at most. */
export const defaultMapLimit = 5000
/** Addresses of one map. */
export const maxMapLimit = 100_000

/** Characters of a prompt, at most. */
export const maxPromptLength = 10_000

/** URLs that one extract or agent run is given, at most. */
export const maxExtractUrls = 1000

/** Pages that an extract reads for its wildcards, at most: very large sites are not covered in one request. */
export const maxExtractPages = 1000

/** What a credit is worth in tokens, for extracts. */
export const tokensPerCredit = 15

/** What an agent run may cost: the default of `maxCredits`, in credits. */
export const defaultAgentCredits = 2500

/** Runs on one page of GET /v2/agent. */
export const agentPageSize = 20

/** Agent runs of one team a day that its plan's credits are not asked for. */
export const freeAgentRuns = 5

/** URLs of one batch, at most. */
export const maxBatchUrls = 10_000

/** Results of one government search: by default, and at most. */
export const defaultGovResults = 10
/** Results of a government search. */
export const maxGovResults = 100

/** Results of one search, of each source: by default, and at most; and what each ten of them cost. */
export const defaultSearchResults = 10
/** Results of a web search. */
export const maxSearchResults = 100
/** Credits of a web search, for each ten results. */
export const searchCredits = 2

/** Characters of a search, and of a question to the support, at most. */
export const maxQueryLength = 2000

/** How long a search and the scrapes of its results may take, by default; in milliseconds. */
export const defaultSearchTimeoutMillis = 60_000

/** The shortest time between two checks of a monitor, in minutes. */
export const minMonitorMinutes = 5

/** What one monitor watches, at most: targets, and in each URLs, queries and results of a query. */
export const maxMonitorTargets = 50
/** Addresses of one monitor. */
export const maxMonitorUrls = 1000
/** Queries of one monitor. */
export const maxMonitorQueries = 20
/** Results of each query of a monitor. */
export const maxMonitorResults = 50

/** People that one monitor writes to, at most. */
export const maxMonitorRecipients = 50

/** Days that the checks of a monitor are kept: by default, and at most. */
export const defaultMonitorRetentionDays = 30
/** Days that checks of a monitor are kept. */
export const maxMonitorRetentionDays = 365

/** What a model's judgment of one page costs. Rules judge for nothing. */
export const judgmentCredits = 1

/** Monitors or checks in one list, by default. */
export const defaultMonitorList = 20
