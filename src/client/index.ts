/** The public surface of `millrace/client`: how to speak the /v2 contract well. */
export * from "./agentAnswers.ts"
export * from "./crawlAnswers.ts"
export * from "./crawlPages.ts"
export * from "./extractAnswers.ts"
export * from "./govAnswer.ts"
export * from "./jobAnswers.ts"
export * from "./readWebhook.ts"
export * from "./WebData.ts"
