/** For whom the requests of a team are made: the crawler of its plan, or that of the service. */
import { type Identity, identityOf } from "#base/CrawlerName"
import type { ServiceConfig } from "./ServiceConfig.ts"

export const crawlerOf = (
  { crawler, keyRing, keys }: Pick<ServiceConfig, "crawler" | "keyRing" | "keys">,
  teamId: string
): Identity =>
  identityOf((keyRing?.current().keys ?? keys).find((key) => key.teamId === teamId)?.plan?.crawler ?? crawler)
