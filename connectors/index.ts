/**
 * The list of the connectors of the command line. To add one, add it here. Their kinds are loaded when a pipeline file names
 * them, so that a run loads only its own connectors.
 */
import * as Effect from "effect/Effect"
import type { WebData } from "#contract/WebData"
import * as Connector from "#engine/Connector"
import type { Inboxes } from "#engine/Inbox"
import type { ObjectStores, StoreFactory } from "#engine/ObjectStore"

/** A store that is loaded when a URL of its scheme is opened. */
const store = (scheme: string, load: () => Promise<Pick<StoreFactory, "open">>): StoreFactory => ({
  scheme,
  open: (url, access) => Effect.flatMap(Effect.promise(load), ({ open }) => open(url, access))
})

export const connectors: ReadonlyArray<Connector.Connector<WebData | ObjectStores | Inboxes>> = [
  Connector.make<WebData | Inboxes>({
    name: "webdata",
    sources: [
      Connector.lazy("crawl", async () => (await import("./webdata/crawl/crawl.ts")).crawl),
      Connector.lazy("extract", async () => (await import("./webdata/jobs/extract.ts")).extract),
      Connector.lazy("agent", async () => (await import("./webdata/jobs/agent.ts")).agent),
      Connector.lazy("search_gov", async () => (await import("./webdata/gov/searchGov.ts")).searchGov),
      Connector.lazy("monitor", async () => (await import("./webdata/monitor/monitor.ts")).monitor)
    ]
  }),
  Connector.make({
    name: "gov",
    sources: [Connector.lazy("gov_corpus", async () => (await import("./gov/corpus.ts")).govCorpus)]
  }),
  Connector.make({
    name: "duckdb",
    sinks: [Connector.lazy("duckdb", async () => (await import("./duckdb/sink.ts")).duckdb)]
  }),
  Connector.make<ObjectStores>({
    name: "parquet",
    sinks: [Connector.lazy("parquet", async () => (await import("./parquet/sink.ts")).parquet)]
  }),
  Connector.make({
    name: "postgres",
    sinks: [Connector.lazy("postgres", async () => (await import("./postgres/sink.ts")).postgres)]
  }),
  Connector.make<ObjectStores>({
    name: "file",
    sinks: [Connector.lazy("file", async () => (await import("./file/sink.ts")).fileSink)],
    stores: [store("file", () => import("./file/FileStore.ts"))]
  }),
  Connector.make({ name: "s3", stores: [store("s3", () => import("./s3/S3Store.ts"))] }),
  Connector.make({
    name: "memory",
    sinks: [Connector.lazy("memory", async () => (await import("./memory/sink.ts")).memory)]
  })
]
