/** The public surface of `millrace/api`: the /v2 contract. */

export { CrawlerName } from "#base/CrawlerName"
export { Action } from "./Actions.ts"
export { AgentRequest, AgentStatus } from "./Agent.ts"
export * from "./Api.ts"
export * from "./Authorization.ts"
export * from "./api/Team.ts"
export * from "./Batch.ts"
export {
  ActiveCrawls,
  CrawlError,
  CrawlErrors,
  CrawlPrompt,
  CrawlPromptAnswer,
  CrawlRequest,
  CrawlStarted,
  CrawlState,
  CrawlStatus,
  Ledger
} from "./Crawl.ts"
export * as Errors from "./Errors.ts"
export { ExtractRequest, ExtractStatus } from "./Extract.ts"
export { Format, type FormatName } from "./Formats.ts"
export { GovSearchAnswer, GovSearchRequest, WebResult } from "./GovSearch.ts"
export { AgentGroup } from "./groups/AgentGroup.ts"
export { BatchGroup } from "./groups/BatchGroup.ts"
export { CrawlGroup } from "./groups/CrawlGroup.ts"
export { ExtractGroup } from "./groups/ExtractGroup.ts"
export { GovSearchGroup } from "./groups/GovSearchGroup.ts"
export { MapGroup } from "./groups/MapGroup.ts"
export { MonitorGroup } from "./groups/MonitorGroup.ts"
export { ParseGroup } from "./groups/ParseGroup.ts"
export { ScrapeGroup } from "./groups/ScrapeGroup.ts"
export { SearchGroup } from "./groups/SearchGroup.ts"
export { SupportGroup } from "./groups/SupportGroup.ts"
export { TeamGroup } from "./groups/TeamGroup.ts"
export { HttpUrl, isHttpUrl, urlFault } from "./HttpUrl.ts"
export * as Limits from "./Limits.ts"
export * from "./Map.ts"
export { Monitor, MonitorNotification, MonitorRequest, MonitorSchedule, MonitorUpdate } from "./Monitor.ts"
export * from "./MonitorCheck.ts"
export { CrawlTarget, ScrapeTarget, SearchTarget, Target, Targets } from "./MonitorTarget.ts"
export { ActionResults, ChangeTracking, Diff, Metadata, PageDocument, PageKind } from "./PageDocument.ts"
export { ParseOptions } from "./Parse.ts"
export { CatalogAnswer, ScrapeAnswer, ScrapeRequest } from "./Scrape.ts"
export { ScrapeOptions } from "./ScrapeOptions.ts"
export * from "./Search.ts"
export * from "./Support.ts"
export * from "./Webhook.ts"
