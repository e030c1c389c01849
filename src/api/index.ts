/** The public surface of `millrace/api`: the /v2 contract. */

export { Action } from "./Actions.ts"
export { AgentGroup, AgentRequest, AgentStatus } from "./Agent.ts"
export * from "./Api.ts"
export * from "./Authorization.ts"
export * from "./Batch.ts"
export {
  ActiveCrawls,
  CrawlError,
  CrawlErrors,
  CrawlGroup,
  CrawlPrompt,
  CrawlPromptAnswer,
  CrawlRequest,
  CrawlStarted,
  CrawlState,
  CrawlStatus,
  Ledger
} from "./Crawl.ts"
export * as Errors from "./Errors.ts"
export { ExtractGroup, ExtractRequest, ExtractStatus } from "./Extract.ts"
export { Format, type FormatName } from "./Formats.ts"
export * from "./GovSearch.ts"
export { HttpUrl, isHttpUrl, urlFault } from "./HttpUrl.ts"
export * as Limits from "./Limits.ts"
export * from "./Map.ts"
export * from "./Monitor.ts"
export * from "./MonitorCheck.ts"
export { CrawlTarget, ScrapeTarget, SearchTarget, Target, Targets } from "./MonitorTarget.ts"
export { ActionResults, ChangeTracking, Diff, Metadata, PageDocument, PageKind } from "./PageDocument.ts"
export * from "./Parse.ts"
export * from "./Scrape.ts"
export { ScrapeOptions } from "./ScrapeOptions.ts"
export * from "./Search.ts"
export * from "./Support.ts"
export * from "./Team.ts"
export * from "./Webhook.ts"
