/** The public API of `millrace/client`: the client of the /v2 contract. */
export { CrawlFailed } from "./crawlAnswers.ts"
export { type CrawlEvent, crawlPages } from "./crawlPages.ts"
export { IdempotencyKey } from "./jobHeaders.ts"
export { type ReadWebhook, readWebhook, verifyWebhook } from "./readWebhook.ts"
export type { Client, Options } from "./serviceClient.ts"
export { WebData } from "./WebData.ts"
