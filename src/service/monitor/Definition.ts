/**
 * Makes the definition of a monitor from a request: the schedule as cron, and targets with ids.
 *
 * A problem of a target, such as an invalid pattern or an option that the team's plan does not have, is reported when the
 * monitor is created, with the position of the target.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { BadRequest } from "#contract/Errors"
import * as Limits from "#contract/Limits"
import type { MonitorRequest, MonitorSchedule } from "#contract/Monitor"
import { searchWindows, type Target } from "#contract/MonitorTarget"
import type { SearchRequest } from "#contract/Search"
import { uuid7 } from "#contract/uuid7"
import * as Watching from "#contract/Watching"
import * as Cadence from "./Cadence.ts"
import type { Definition } from "./Monitor.ts"
import type { JobTarget, Refused } from "./MonitorPorts.ts"

type Fields = Omit<MonitorRequest, "name">

/** Fails if a job cannot read a target (`TargetJobs.validate`). */
type Validate = (target: JobTarget) => Effect.Effect<void, Refused>

export const ofRequest = Effect.fnUntraced(function* (request: Fields, now: number, validate: Validate) {
  const targets = request.targets.map((target) => ({ ...target, id: target.id ?? uuid7() }))
  for (const [at, target] of targets.entries()) yield* tryTarget(target, at, validate)
  const goal = request.goal?.trim() ? request.goal.trim() : null
  const definition: Definition = {
    schedule: yield* scheduleOf(request.schedule, now),
    targets,
    webhook: request.webhook ?? null,
    notification: request.notification ?? null,
    goal,
    judgeEnabled: goal !== null && (request.judgeEnabled ?? true),
    retentionDays: request.retentionDays ?? Limits.defaultMonitorRetentionDays
  }
  return definition
})

const scheduleOf = Effect.fnUntraced(function* (schedule: MonitorSchedule, now: number) {
  const made = Cadence.parse(schedule, now)
  if (Result.isSuccess(made)) return made.success
  const { field, message } = made.failure
  const details = [{ path: ["schedule", field], message }]
  return yield* new BadRequest({ message: `Bad Request: schedule.${field}: ${message}`, details })
})

const tryTarget = Effect.fnUntraced(function* (target: Target, at: number, validate: Validate) {
  if (target.type === "search") return
  yield* Effect.catchTag(
    validate(target),
    "BadRequest",
    ({ details = [], message }) =>
      new BadRequest({
        message: `${message} (targets.${at})`,
        details: details.map((detail) => ({ ...detail, path: ["targets", at, ...detail.path] }))
      })
  )
})

export const searchesOf = (target: Extract<Target, { readonly type: "search" }>): ReadonlyArray<SearchRequest> =>
  target.queries.map((query) => ({
    query,
    limit: target.maxResults ?? Limits.defaultSearchResults,
    includeDomains: target.includeDomains,
    excludeDomains: target.excludeDomains,
    ...(target.searchWindow == null ? {} : { tbs: searchWindows[target.searchWindow] })
  }))

export const watchedOf = (target: Target): Watching.Watched =>
  target.type === "search" ? { text: true, fields: false } : Watching.watchedOf(Watching.askedOf(target))

/** The maximum credits of a check: from the pages of the check before, or from the limits of the targets. */
export const creditsOf = ({ targets }: Definition, pagesBefore: number | undefined): number => {
  const costs = targets.map((target) => {
    const each = target.type !== "search" && watchedOf(target).fields ? 5 : 1
    if (target.type === "scrape") return { pages: target.urls.length, each, isKnown: true }
    if (target.type === "crawl") {
      return { pages: target.crawlOptions?.limit ?? Limits.defaultCrawlLimit, each, isKnown: false }
    }
    const results = target.maxResults ?? Limits.defaultSearchResults
    return { pages: target.queries.length * Math.ceil(results / 10), each: Limits.searchCredits, isKnown: true }
  })
  const most = costs.reduce((sum, { each, pages }) => sum + each * pages, 0)
  if (pagesBefore === undefined || pagesBefore === 0 || costs.every(({ isKnown }) => isKnown)) return most
  return Math.min(most, pagesBefore * Math.max(...costs.map(({ each }) => each)))
}
