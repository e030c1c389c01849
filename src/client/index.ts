/** The public surface of `millrace/client`: how to speak the /v2 contract well. */
export { CrawlFailed } from "./crawlAnswers.ts"
export { type CrawlEvent, crawlPages } from "./crawlPages.ts"
export { type ReadWebhook, readWebhook, verifyWebhook } from "./readWebhook.ts"
export { type Client, IdempotencyKey, type Options, WebData } from "./WebData.ts"
