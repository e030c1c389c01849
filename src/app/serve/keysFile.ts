/**
 * The file behind `millrace serve --keys FILE`: who may call the service, and how much. A service that runs reads it again at
 * SIGHUP, and when it changes.
 *
 * ```yaml
 * plans:
 *   analyst: { credits: 10000, requests_per_minute: 60, concurrency: 8, scopes: [crawl, scrape, map] }
 * keys:
 *   - { key: "${secrets.ACME_KEY}", team: acme, plan: analyst, webhook_secret: "${secrets.ACME_WEBHOOKS}" }
 * keyless: { credits: 500, requests_per_minute: 5, concurrency: 1, scopes: [crawl] }
 * ```
 *
 * It is as strict as a pipeline file; every problem is reported with its line and column. Credits and limits that are left out are
 * those of `Plan.standard`.
 *
 * Guarantee: a file that is wrong changes nothing, and is reported as at the start; what a right one changes is said.
 */
import { type FSWatcher, realpathSync, statSync, watch } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { CrawlerName, identityOf } from "#base/CrawlerName"
import * as FileReading from "#engine/FileReading"
import { readServiceFile } from "#library/readServiceFile"
import { wrong } from "#see/CliFailure"
import * as Plan from "#service/AccountPlan"
import type * as KeyRing from "#service/KeyRing"
import type * as ServiceConfig from "#service/ServiceConfig"

/**
 * Reads the keys again until the scope closes. `own`: keys that the file does not name and that stay. Without a file, a
 * SIGHUP changes nothing, and does not end the service.
 */
export const rereadKeys = Effect.fnUntraced(function* (
  file: string | undefined,
  own: ReadonlyArray<ServiceConfig.Key>,
  ring: KeyRing.KeyRing
) {
  const causes = yield* Queue.sliding<string>(1)
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const hangUp = () => void Queue.offerUnsafe(causes, "SIGHUP")
      process.on("SIGHUP", hangUp)
      const watcher =
        file === undefined ? undefined : watchFile(file, () => Queue.offerUnsafe(causes, "it has changed"))
      watcher?.unref()
      return () => {
        process.off("SIGHUP", hangUp)
        watcher?.close()
      }
    }),
    (stop) => Effect.sync(stop)
  )
  const reread = Effect.gen(function* () {
    const cause = yield* Queue.take(causes)
    if (file === undefined) return report("SIGHUP: there is no --keys file to read again")
    // Writers often write more than once.
    yield* Effect.sleep("200 millis")
    const before = ring.current()
    const read = yield* Effect.result(keysFile(file))
    if (read._tag === "Failure")
      return report(`${file} is wrong, and its keys stay as they were:\n${read.failure.message}`)
    const after: KeyRing.Keys = { ...read.success, keys: [...read.success.keys, ...own] }
    const changes = changesBetween(before, after)
    if (changes.length > 0) ring.replace(after)
    if (changes.length > 0 || cause === "SIGHUP")
      report(`${file} was read again (${cause}): ${changes.length === 0 ? "nothing has changed" : changes.join("; ")}`)
  })
  yield* Effect.forkScoped(Effect.forever(reread))
})

/**
 * Editors replace a file, and mounted secrets replace a folder to which links lead: so the folder of the file is watched, and what
 * changes there is of the file if its name leads to another file or to other content.
 */
const watchFile = (file: string, changed: () => void): FSWatcher => {
  let before = stampOf(file)
  return watch(dirname(file), () => {
    const now = stampOf(file)
    if (now === before) return
    before = now
    changed()
  })
}

const stampOf = (file: string): string => {
  try {
    const { ino, mtimeMs, size } = statSync(file)
    return `${realpathSync(file)} ${ino} ${mtimeMs} ${size}`
  } catch {
    return "missing"
  }
}

const report = (text: string): void => void process.stderr.write(`${text}\n`)

/** What is different, by team; no key is shown. */
const changesBetween = (before: KeyRing.Keys, after: KeyRing.Keys): ReadonlyArray<string> => {
  const names = [...new Set([...before.keys, ...after.keys].map(({ teamId }) => teamId))].toSorted()
  return [
    ...names.flatMap((name) => {
      const [old, now] = [teamOf(before, name), teamOf(after, name)]
      const added = [...now.keys].filter((key) => !old.keys.has(key)).length
      const removed = [...old.keys].filter((key) => !now.keys.has(key)).length
      const parts = [
        ...(added > 0 ? [`${counted(added)} added`] : []),
        ...(removed > 0 ? [`${counted(removed)} removed`] : []),
        ...(now.keys.size === 0
          ? ["it has no key any more"]
          : old.keys.size === 0
            ? []
            : planChanges(old.plan, now.plan)),
        ...(old.secret === now.secret ? [] : ["another webhook secret"])
      ]
      return parts.length === 0 ? [] : [`team ${name}: ${parts.join(", ")}`]
    }),
    ...planChanges(before.keyless, after.keyless).map((change) => `without a key: ${change}`)
  ]
}

const counted = (count: number): string => (count === 1 ? "a key" : `${count} keys`)

const teamOf = ({ keys }: KeyRing.Keys, name: string) => {
  const own = keys.filter(({ teamId }) => teamId === name)
  const secret = own.find(({ webhookSecret }) => webhookSecret !== undefined)?.webhookSecret
  return {
    keys: new Set(own.map(({ key }) => Redacted.value(key))),
    plan: own[0]?.plan ?? Plan.standard,
    secret: secret === undefined ? undefined : Redacted.value(secret)
  }
}

const planChanges = (old: Plan.Plan, now: Plan.Plan): ReadonlyArray<string> => {
  const shown = ({
    concurrency,
    crawler,
    credits,
    requestsPerMinute,
    robotsControl,
    scopes,
    zeroDataRetention = false
  }: Plan.Plan) => ({
    credits,
    requests_per_minute: requestsPerMinute,
    concurrency,
    scopes: scopes?.join(" ") ?? "all",
    robots_control: robotsControl,
    zero_data_retention: zeroDataRetention,
    crawler: identityOf(crawler).headers["user-agent"]
  })
  const [was, is] = [Object.entries(shown(old)), Object.values(shown(now))]
  return was.flatMap(([name, value], at) => (value === is[at] ? [] : [`${name} ${value} -> ${is[at]}`]))
}

const atLeastOne = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
const Scopes = Schema.Literals(["crawl", "scrape", "map", "batch", "search", "extract", "agent", "monitor", "parse"])

const PlanKeys = Schema.Struct({
  credits: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  requests_per_minute: Schema.optionalKey(atLeastOne),
  concurrency: Schema.optionalKey(atLeastOne),
  scopes: Schema.optionalKey(Schema.Array(Scopes)),
  robots_control: Schema.optionalKey(Schema.Boolean),
  zero_data_retention: Schema.optionalKey(Schema.Boolean),
  crawler: Schema.optionalKey(CrawlerName)
})

const KeysFile = Schema.Struct({
  plans: Schema.optionalKey(Schema.Record(Schema.String, PlanKeys)),
  keys: Schema.NonEmptyArray(
    Schema.Struct({
      key: Schema.RedactedFromValue(Schema.NonEmptyString),
      team: Schema.NonEmptyString,
      plan: Schema.optionalKey(Schema.String),
      webhook_secret: Schema.optionalKey(Schema.RedactedFromValue(Schema.NonEmptyString))
    })
  ),
  keyless: Schema.optionalKey(PlanKeys)
})

/** The keys that a file names; fails with all that is wrong with it. */
export const keysFile = Effect.fn("keysFile")(function* (path: string) {
  const reading = yield* readServiceFile(path)
  const file = yield* FileReading.read(reading, {
    path: [],
    node: reading.tree.root,
    schema: KeysFile,
    decode: Schema.decodeUnknownEffect(KeysFile, { onExcessProperty: "error", errors: "all" })
  })
  const { plans = {}, keys, keyless } = Option.getOrElse(file, () => ({ plans: {}, keys: [], keyless: undefined }))
  for (const [index, { plan }] of keys.entries()) {
    if (plan !== undefined && plans[plan] === undefined) {
      const hint = `plans: ${Object.keys(plans).join(", ") || "none"}`
      FileReading.add(reading, {
        path: ["keys", index, "plan"],
        at: "value",
        message: `there is no plan \`${plan}\``,
        hint
      })
    }
  }
  if (reading.problems.length > 0) return yield* wrong(FileReading.toError(reading).render())
  const config: Pick<ServiceConfig.ServiceConfig, "keys" | "keyless"> = {
    keys: keys.map(({ key, team, plan, webhook_secret: secret }) => ({
      key: Redacted.make(Redacted.value(key)),
      teamId: team,
      plan: toPlan(plan === undefined ? {} : (plans[plan] ?? {}), Plan.standard),
      ...(secret === undefined ? {} : { webhookSecret: Redacted.make(Redacted.value(secret)) })
    })),
    keyless: toPlan(keyless ?? {}, Plan.keyless)
  }
  return config
})

const toPlan = (keys: typeof PlanKeys.Type, otherwise: Plan.Plan): Plan.Plan => ({
  ...otherwise,
  ...(keys.credits === undefined ? {} : { credits: keys.credits }),
  ...(keys.requests_per_minute === undefined ? {} : { requestsPerMinute: keys.requests_per_minute }),
  ...(keys.concurrency === undefined ? {} : { concurrency: keys.concurrency }),
  ...(keys.scopes === undefined ? {} : { scopes: keys.scopes }),
  ...(keys.robots_control === undefined ? {} : { robotsControl: keys.robots_control }),
  ...(keys.zero_data_retention === undefined ? {} : { zeroDataRetention: keys.zero_data_retention }),
  ...(keys.crawler === undefined ? {} : { crawler: keys.crawler })
})
