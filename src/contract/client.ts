/** The public API of `millrace/client`: the client of the /v2 contract. */

export { IdempotencyKey } from "./client/jobHeaders.ts"
export type { Client, Options } from "./client/serviceClient.ts"
export { CrawlFailed } from "./crawlAnswers.ts"
export { type CrawlEvent, crawlPages } from "./crawlPages.ts"
export { type ReadWebhook, readWebhook, verifyWebhook } from "./readWebhook.ts"
export { WebData } from "./WebData.ts"
