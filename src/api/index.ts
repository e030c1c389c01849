/** The public surface of `millrace/api`: the /v2 contract. */

export { Action } from "./Actions.ts"
export * from "./Api.ts"
export * from "./Authorization.ts"
export * from "./Crawl.ts"
export * as Errors from "./Errors.ts"
export { Format, type FormatName } from "./Formats.ts"
export * from "./HttpUrl.ts"
export * as Limits from "./Limits.ts"
export * from "./Map.ts"
export * from "./PageDocument.ts"
export * from "./Scrape.ts"
export { ScrapeOptions } from "./ScrapeOptions.ts"
