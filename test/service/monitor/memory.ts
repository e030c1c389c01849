/**
 * What a check runs on, in memory: a test says what the jobs of its targets have read, and sees what the check wrote.
 *
 * Monitors go without a service here: no HTTP, no database, no crawl.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { Mail } from "#base/Mail"
import { NotFound } from "#contract/Errors"
import {
  type CheckEnd,
  CheckLease,
  CheckLists,
  CheckStore,
  PageStates,
  type Reported
} from "#service/monitor/CheckStore"
import type { Check, Monitor, TargetProgress } from "#service/monitor/Monitor"
import {
  CheckWebhooks,
  type EndedJob,
  type JobTarget,
  type Refused,
  TargetJobs,
  TeamCredits
} from "#service/monitor/MonitorPorts"
import { type Entry, MonitorStore } from "#service/monitor/MonitorStore"
import { AgentModel } from "#web/AgentModel"
import { CrawlStore } from "#web/CrawlStore"
import { PageIndex } from "#web/PageIndex"
import { Search } from "#web/Search"
import type { StoreError } from "#web/StoreError"

export interface World {
  /** Pages that every job has read: URL and Markdown. */
  readonly pages?: Readonly<Record<string, string>>
  /** How a job begins, told its id: as said here, or not at all. */
  readonly refused?: (target: JobTarget) => Refused | undefined
  /** How jobs end; those that are not named complete. None: it is gone. Never: it goes on. */
  readonly ended?: (jobId: string) => Effect.Effect<Partial<EndedJob> | undefined>
  readonly monitor?: Monitor
  readonly remaining?: number
  /** Checks that a dead process has left. */
  readonly left?: ReadonlyArray<Check>
  /** What is still held of what is asked for, where other processes may take checks; undefined: there are none. */
  readonly renewed?: (ids: ReadonlyArray<string>) => ReadonlySet<string>
}

/** What has happened, in order. */
export interface Seen {
  readonly begun: Array<string>
  readonly stopped: Array<string>
  readonly told: Array<Reported>
  readonly progress: Array<ReadonlyArray<TargetProgress>>
  readonly ends: Array<CheckEnd>
  readonly entries: Array<Entry>
  readonly subscribed: Array<string>
  readonly sent: Array<string>
}

export const leaseMillis = 10_000

/** Ports that remember what they were asked, and what is behind them. */
export const memory = (world: World = {}) => {
  const seen: Seen = {
    begun: [],
    stopped: [],
    told: [],
    progress: [],
    ends: [],
    entries: [],
    subscribed: [],
    sent: []
  }
  const note = <A>(list: Array<A>, item: A) => Effect.sync(() => void list.push(item))
  const documents = Object.entries(world.pages ?? {}).map(([url, markdown]) =>
    JSON.stringify({ markdown, metadata: { sourceURL: url, url, statusCode: 200, scrapeId: `scrape of ${url}` } })
  )

  const jobs = TargetJobs.of({
    validate: (_, target) => world.refused?.(target) ?? Effect.void,
    begin: Effect.fnUntraced(function* (
      _: string,
      target: JobTarget,
      also: (jobId: string) => Effect.Effect<void, StoreError>
    ) {
      const refused = world.refused?.(target)
      if (refused !== undefined) return yield* Effect.fail(refused)
      const id = `job ${seen.begun.length + 1}`
      yield* also(id)
      seen.begun.push(target.type === "crawl" ? target.url : target.urls.join(" "))
    }),
    ended: Effect.fnUntraced(function* (_: string, __: JobTarget["type"], id: string) {
      const end = world.ended === undefined ? {} : yield* world.ended(id)
      if (end === undefined) return yield* new NotFound({ message: `no job has the id ${id}` })
      const job: EndedJob = { id, url: "http://site.test/", status: "completed", error: null, warning: null, ...end }
      return job
    }),
    stop: (id) => note(seen.stopped, id)
  })

  const checks = Layer.mock(CheckStore, {
    start: () => Effect.void,
    progress: (_, targets) => note(seen.progress, targets),
    record: (_, findings) => Effect.sync(() => void seen.told.push(...findings)),
    recorded: () => Effect.succeed(new Set(seen.told.map(({ finding }) => finding.key))),
    failedBefore: () => Effect.succeed(new Map()),
    finish: (_, end) => note(seen.ends, end),
    get: () => Effect.succeedNone,
    expire: () => Effect.void
  })

  /** Enters what it is asked to, as the monitor's only check. */
  const monitors = Layer.mock(MonitorStore, {
    get: () => Effect.succeed(Option.fromUndefinedOr(world.monitor)),
    due: (now) =>
      Effect.succeed(
        world.monitor?.nextRunAt != null && world.monitor.nextRunAt <= now && seen.entries.length === 0
          ? [world.monitor]
          : []
      ),
    firstDue: Effect.sync(() => (seen.entries.length === 0 ? (world.monitor?.nextRunAt ?? null) : null)),
    enter: Effect.fnUntraced(function* ({ definition, id, teamId }: Monitor, entry: Entry) {
      seen.entries.push(entry)
      const check = checkOf({ monitorId: id, teamId, definition, status: entry.status, trigger: entry.trigger })
      if (entry.also !== undefined && entry.status === "queued") yield* entry.also(check)
      return Option.some(check)
    })
  })

  const layer = Layer.mergeAll(
    Layer.succeed(TargetJobs, jobs),
    checks,
    monitors,
    Layer.mock(CheckLists, { reported: () => Effect.succeed([]), takeMail: Effect.succeedNone }),
    Layer.mock(PageStates, {
      hasStates: () => Effect.succeed(false),
      states: () => Effect.succeed(new Map()),
      unseen: () => Effect.succeed([]),
      newlyFailed: () => Effect.succeed(0),
      forget: () => Effect.void
    }),
    Layer.succeed(CheckLease, {
      isShared: world.renewed !== undefined,
      lookingAgain: (look, takeUp) =>
        world.renewed === undefined
          ? Effect.void
          : Effect.asVoid(
              Effect.forkScoped(
                Effect.repeat(Effect.orDie(Effect.andThen(look, takeUp)), Schedule.spaced(leaseMillis / 5))
              )
            ),
      take: Effect.sync(() => (world.left ?? []).filter(() => seen.progress.length === 0)),
      keep: (ids) =>
        Effect.sync(() => {
          const held = world.renewed?.(ids) ?? new Set(ids)
          return ids.filter((id) => !held.has(id))
        })
    }),
    Layer.succeed(TeamCredits, {
      remaining: () => Effect.succeed(world.remaining ?? Number.POSITIVE_INFINITY),
      reserving: (_, credits, work) =>
        credits > (world.remaining ?? Number.POSITIVE_INFINITY) ? Effect.succeedNone : Effect.asSome(work)
    }),
    Layer.succeed(CheckWebhooks, {
      subscribe: ({ id }) => note(seen.subscribed, id),
      send: (id) => note(seen.sent, id)
    }),
    Layer.mock(CrawlStore, {
      identity: undefined as never, // nobody that reads what a job has read asks for it
      chunk: (_, skip) => Effect.succeed({ documents: documents.slice(skip), remaining: 0 }),
      failures: () => Effect.succeed([]),
      blocked: () => Effect.succeed([]),
      ledger: () =>
        Effect.succeed({ discovered: 0, scraped: 0, failed: 0, blocked: 0, left: 0, aliases: 0, queued: 0, credits: 7 })
    }),
    Layer.mock(PageIndex, {}),
    Layer.mock(Search, { hasWeb: false, providers: () => [] }),
    Mail.layerNone,
    AgentModel.layerRules
  )
  return { seen, layer }
}

const definition: Check["definition"] = {
  schedule: { cron: "*/5 * * * *", timezone: "UTC" },
  targets: [{ type: "scrape", id: "list", urls: ["http://site.test/"] }],
  webhook: null,
  notification: null,
  goal: null,
  judgeEnabled: false,
  retentionDays: 30
}

export const checkOf = (
  fields: Partial<Check> & { readonly targetsOf?: Check["definition"]["targets"] } = {}
): Check => {
  const { targetsOf, ...rest } = fields
  return {
    id: "check",
    monitorId: "monitor",
    teamId: "team",
    status: "queued",
    trigger: "manual",
    definition: targetsOf === undefined ? definition : { ...definition, targets: targetsOf },
    scheduledFor: null,
    createdAt: 0,
    startedAt: null,
    finishedAt: null,
    estimatedCredits: null,
    credits: 0,
    counts: { same: 0, changed: 0, new: 0, removed: 0, error: 0 },
    targets: [],
    error: null,
    mail: null,
    ...rest
  }
}

export const monitorOf = (fields: Partial<Monitor["definition"]> = {}): Monitor => ({
  id: "monitor",
  teamId: "team",
  name: "Site",
  status: "active",
  definition: { ...definition, ...fields },
  nextRunAt: 300_000,
  lastRunAt: null,
  currentCheckId: null,
  lastCheckId: null,
  createdAt: 0,
  updatedAt: 0
})
