/** A job of an embedded crawl that is under way. */
import * as Effect from "effect/Effect"
import type { Job } from "#web/Job"

export const job: Job = {
  id: "1",
  kind: "crawl",
  teamId: "local",
  url: "http://site.test",
  request: "{}",
  status: "scraping",
  createdAt: 5,
  completedAt: null,
  error: null,
  warning: null
}

/** For a crawl in which every page was read. */
export const readWhole = () => Effect.die(new Error("no page is unchanged"))
