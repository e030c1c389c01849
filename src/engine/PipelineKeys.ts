/**
 * The schemas of all keys of a pipeline file, except the options of its source and sinks.
 *
 * Only keys that this version supports are accepted. A planned key is reported as not supported, so that nobody believes
 * that it has an effect.
 */
import * as Schema from "effect/Schema"
import { CrawlerName } from "#base/CrawlerName"
import { Check } from "./Check.ts"
import { commitEvery } from "./CommitEvery.ts"
import { bytesOf, columnName, columnNames, duration, listOf, millisOf, size, tableName } from "./KeySchemas.ts"
import { ScheduleKeys } from "./keys/ScheduleKeys.ts"
import * as Location from "./Location.ts"
import { Notify } from "./Notify.ts"
import * as ObjectStore from "./ObjectStore.ts"
import type { JournalOptions, TableOptions } from "./Pipeline.ts"
import { Step } from "./Step.ts"

/** The name of a pipeline, which becomes part of paths and of SQL. */
export const pipelineName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const atLeastOne = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** A text for people, on one line. */
const sentence = Schema.String.check(Schema.isPattern(/^\S(?:[^\r\n]{0,998}\S)?$/, { expected: "a text of one line" }))

const Table = Schema.Struct({
  name: Schema.optionalKey(tableName.annotate({ description: "the name of the main table" })),
  key: Schema.optionalKey(
    columnNames.annotate({
      description: "the column or columns that identify a row; merge replaces the row with the same key"
    })
  ),
  fingerprint: Schema.optionalKey(
    columnNames.annotate({ description: "the column or columns that decide whether a row has changed" })
  ),
  nested: Schema.optionalKey(
    Schema.Literals(["struct", "json", "tables"]).annotate({
      description: "how lists are loaded: as columns of lists and structs, as JSON columns, or as child tables",
      default: "struct"
    })
  ),
  contract: Schema.optionalKey(
    Schema.Literals(["evolve", "quarantine", "freeze"]).annotate({
      description:
        "what a run may change in a destination: evolve adds and widens columns; quarantine rejects rows that do not " +
        "fit; freeze fails the run",
      default: "evolve"
    })
  ),
  description: Schema.optionalKey(
    sentence.annotate({
      description: "what one row of the table is, for people; default: the description of the source"
    })
  ),
  column_descriptions: Schema.optionalKey(
    Schema.Record(columnName, sentence).annotate({
      description:
        "the meaning of columns, for people: { price: the price in euros }; default: the description of the source"
    })
  )
}).annotate({ description: "the main table of the source" })

const Limits = Schema.Struct({
  credits: Schema.optionalKey(
    atLeastOne.annotate({ description: "the maximum number of credits that one run may spend" })
  ),
  concurrency: Schema.optionalKey(
    atLeastOne.annotate({ description: "the maximum number of requests at the same time" })
  )
}).annotate({ description: "limits of one run" })

const Journal = Schema.Struct({
  keep: Schema.optionalKey(
    duration.annotate({ description: "how long the journal of a finished run is kept", default: "7 days" })
  ),
  max: Schema.optionalKey(
    size.annotate({
      description: "how much disk the journals of this pipeline may take; the oldest are removed first",
      default: "2 GB"
    })
  ),
  path: Schema.optionalKey(
    Location.pathOrUrl.annotate({
      description:
        "a bucket (s3://...) or a folder that machines share: the journal is kept there too, so that another " +
        "machine can finish a run that this one began; default: only this machine"
    })
  ),
  storage: Schema.optionalKey(
    ObjectStore.Access.annotate({ description: "how the bucket of `path` is reached, as for the Parquet sink" })
  )
}).annotate({ description: "the recorded answers of the source, kept on this machine to resume and replay runs" })

const HttpUrl = Schema.String.check(
  Schema.makeFilter((text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), {
    expected: "an address that begins with http:// or https://",
    toJsonSchema: () => ({ format: "uri" })
  })
)

/** The keys `service:` and `network:` of a pipeline file, which say how the web is reached. */
const Service = Schema.Union([
  Schema.Literal("embedded"),
  Schema.Struct({
    url: HttpUrl.annotate({ description: "the base address of the service" }),
    key: Schema.optionalKey(Schema.RedactedFromValue(Schema.String).annotate({ description: "the API key" }))
  })
]).annotate({
  description: "the service that reads the web: the one inside Millrace (embedded), or one at an address",
  default: "embedded"
})

const ProxyAddress = Schema.String.check(
  Schema.makeFilter((text: string) => text === "none" || /^https?:$/.test(URL.parse(text)?.protocol ?? ""), {
    expected: "http://HOST:PORT, https://HOST:PORT or none"
  })
)

const Network = Schema.Struct({
  allow_private: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "allow loopback and private addresses as targets", default: false })
  ),
  resolve: Schema.optionalKey(
    Schema.Array(
      Schema.String.check(
        Schema.isPattern(/^[^\s=:/]+=(\d{1,3}(\.\d{1,3}){3}|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/, {
          expected: "HOST=ADDR:PORT, such as shop.example=127.0.0.1:8080"
        })
      )
    ).annotate({ description: "addresses to use for host names instead of DNS: HOST=ADDR:PORT" })
  ),
  proxy: Schema.optionalKey(
    Schema.RedactedFromValue(ProxyAddress).annotate({
      description:
        "the HTTP proxy for web requests; it overrides HTTPS_PROXY and HTTP_PROXY of the environment; none: use no " +
        "proxy. NO_PROXY applies to both"
    })
  ),
  per_host: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })).annotate({
      description:
        "the maximum number of requests at a time with one host, over all crawls; a crawl delay of robots.txt has priority",
      default: 8
    })
  ),
  in_flight: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })).annotate({
      description: "the maximum number of requests at a time in this process, over all hosts; default: no limit"
    })
  ),
  accept_wrong_length: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "read a page that is shorter than its Content-Length, with a warning; otherwise it fails, as it always does behind a proxy",
      default: false
    })
  ),
  tries: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })).annotate({
      description:
        "how many times a page is requested in total when its site fails (5xx, 408, 429, broken connections, timeouts); 1: once, " +
        "and without waiting for a site that is down",
      default: 3
    })
  )
}).annotate({ description: "how the embedded service reaches the web" })

/** A caller's key. */
export const OnceKey = Schema.String.check(
  Schema.isPattern(/^\S(?:.{0,198}\S)?$/, { expected: "a key of 1 to 200 characters" })
)

/** The whole file. The kinds that `type` names decode `source` and `sinks`. */
export const PipelineKeys = Schema.Struct({
  name: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(pipelineName, { expected: "a name of letters, digits, dots, dashes and underscores" })
    ).annotate({ description: "the name of the pipeline; default: the name of the file" })
  ),
  vars: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])).annotate({
      description: "values for ${vars.NAME}; --var NAME=VALUE overrides them"
    })
  ),
  schedule: Schema.optionalKey(ScheduleKeys),
  notify: Schema.optionalKey(
    Schema.Array(Notify).annotate({
      description: "who gets a notice when a scheduled run fails, is held, or succeeds again"
    })
  ),
  connectors: Schema.optionalKey(
    Schema.Array(Schema.NonEmptyString).annotate({
      description:
        "modules with sources and sinks of your own: ./mine.ts; paths are relative to this file, and their code runs " +
        "whenever the file is read"
    })
  ),
  source: Schema.Unknown.annotate({ description: "where rows come from", expected: "a mapping with `type`" }),
  table: Schema.optionalKey(Table),
  steps: Schema.optionalKey(
    Schema.Array(Step).annotate({ description: "what happens to the rows before they are loaded, in order" })
  ),
  checks: Schema.optionalKey(Schema.Array(Check).annotate({ description: "what must be true before the commit" })),
  once: Schema.optionalKey(
    OnceKey.annotate({
      description:
        "a key of the run, such as ${run.date}: a run that has committed under this key is reported and not run again; --once KEY has priority"
    })
  ),
  commit_every: Schema.optionalKey(
    commitEvery.annotate({
      description:
        "how often a run commits while it reads; every sink must append or merge: 10000 pages, 10m, or 10000 pages or 10m " +
        "(whichever comes first); default: once, at the end of the run"
    })
  ),
  journal: Schema.optionalKey(Journal),
  sinks: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "where rows go: a name of your choice for each sink",
    expected: "a mapping of names to sinks"
  }),
  limits: Schema.optionalKey(Limits),
  service: Schema.optionalKey(Service),
  network: Schema.optionalKey(Network),
  crawler: Schema.optionalKey(
    CrawlerName.annotate({
      description:
        "who asks, where the embedded service reads the web: the name of requests, whose rules in robots.txt are obeyed; default: Millrace"
    })
  )
})
export type PipelineKeys = typeof PipelineKeys.Type

/** The options of a pipeline for `table:`. */
export const tableOf = (table: PipelineKeys["table"]): TableOptions => {
  const { column_descriptions: columnDescriptions, fingerprint, key, ...others } = table ?? {}
  return {
    ...others,
    ...(columnDescriptions === undefined ? {} : { columnDescriptions }),
    ...(key === undefined ? {} : { key: listOf(key) }),
    ...(fingerprint === undefined ? {} : { fingerprint: listOf(fingerprint) })
  }
}

/** The options of a pipeline for `journal:`. */
export const journalOf = ({ keep, max, path, storage }: typeof Journal.Type = {}): Partial<JournalOptions> => ({
  ...(keep === undefined ? {} : { keepMillis: millisOf(keep) }),
  ...(max === undefined ? {} : { bytes: bytesOf(max) }),
  ...(path === undefined ? {} : { shared: { path, ...(storage === undefined ? {} : { access: storage }) } })
})

/** Planned keys that this version does not support. */
export const unsupported: ReadonlySet<string> = new Set([
  "emit",
  "tables",
  "transforms",
  "profiles",
  "tests",
  "version",
  "limits.rate"
])
