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
      Connector.lazy("crawl", async () => (await import("#connectors/webdata/crawl")).crawl),
      Connector.lazy("extract", async () => (await import("#connectors/webdata/extract")).extract),
      Connector.lazy("agent", async () => (await import("#connectors/webdata/agent")).agent),
      Connector.lazy("search_gov", async () => (await import("#connectors/webdata/searchGov")).searchGov),
      Connector.lazy("monitor", async () => (await import("#connectors/webdata/monitor")).monitor)
    ]
  }),
  Connector.make({
    name: "gov",
    sources: [Connector.lazy("gov_corpus", async () => (await import("#connectors/gov/corpus")).govCorpus)]
  }),
  Connector.make({
    name: "duckdb",
    sinks: [Connector.lazy("duckdb", async () => (await import("#connectors/duckdb/sink")).duckdb)]
  }),
  Connector.make<ObjectStores>({
    name: "parquet",
    sinks: [Connector.lazy("parquet", async () => (await import("#connectors/parquet/sink")).parquet)]
  }),
  Connector.make({
    name: "postgres",
    sinks: [Connector.lazy("postgres", async () => (await import("#connectors/postgres/sink")).postgres)]
  }),
  Connector.make({
    name: "sqlite",
    sinks: [Connector.lazy("sqlite", async () => (await import("#connectors/sqlite/sink")).sqlite)]
  }),
  Connector.make<ObjectStores>({
    name: "file",
    sinks: [Connector.lazy("file", async () => (await import("#connectors/file/sink")).file)],
    stores: [store("file", () => import("#connectors/file/FileStore"))]
  }),
  Connector.make({ name: "s3", stores: [store("s3", () => import("#connectors/s3/S3Store"))] }),
  Connector.make({
    name: "memory",
    sinks: [Connector.lazy("memory", async () => (await import("#connectors/memory/sink")).memory)]
  })
]
