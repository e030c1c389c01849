/** What tests take of the service's inside to put its parts together: the one place that knows where these are. */
export { Accounts } from "#service/accounts/Accounts"
export { CrawlJobs } from "#service/jobs/CrawlJobs"
export { Jobs } from "#service/jobs/Jobs"
export { JobLease } from "#service/store/JobLease"
export { documentText } from "#service/store/pageChunk"
export { stores } from "#service/store/stores"
export { Webhooks } from "#service/webhooks/Webhooks"
