/**
 * The file behind `millrace serve --keys FILE`: who may call the service, and how much.
 *
 * ```yaml
 * plans:
 *   analyst: { credits: 10000, requests_per_minute: 60, concurrency: 8, scopes: [crawl, scrape, map] }
 * keys:
 *   - { key: "${secrets.ACME_KEY}", team: acme, plan: analyst, webhook_secret: "${secrets.ACME_WEBHOOKS}" }
 * keyless: { credits: 500, requests_per_minute: 5, concurrency: 1, scopes: [crawl] }
 * ```
 *
 * It is as strict as a pipeline file; every problem is reported with its line and column. Credits and limits that are
 * left out are those of `Plan.standard`.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as FileReading from "#engine/FileReading"
import { readServiceFile } from "#library/readServiceFile"
import { wrong } from "#see/systemFailure"
import * as Plan from "#service/AccountPlan"
import type { ServiceConfig } from "#service/ServiceConfig"

const atLeastOne = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
const Scopes = Schema.Literals(["crawl", "scrape", "map", "batch", "search", "extract", "agent", "monitor", "parse"])

const PlanKeys = Schema.Struct({
  credits: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  requests_per_minute: Schema.optionalKey(atLeastOne),
  concurrency: Schema.optionalKey(atLeastOne),
  scopes: Schema.optionalKey(Schema.Array(Scopes)),
  robots_control: Schema.optionalKey(Schema.Boolean),
  zero_data_retention: Schema.optionalKey(Schema.Boolean)
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
export const serviceKeys = Effect.fn("serviceKeys")(function* (path: string) {
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
  if (reading.found.length > 0) return yield* wrong(FileReading.toError(reading).render())
  const config: Pick<ServiceConfig, "keys" | "keyless"> = {
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
  ...(keys.zero_data_retention === undefined ? {} : { zeroDataRetention: keys.zero_data_retention })
})
