// Two small connectors of the shapes that real ones have, for tests of pipeline files. Nothing here reads or writes.
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Connector from "#engine/Connector"
import * as Sink from "#engine/Sink"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"

const Format = Schema.Union([
  Schema.Literals(["markdown", "html", "links"]),
  Schema.Struct({ type: Schema.Literal("json"), prompt: Schema.String }),
  Schema.Struct({ type: Schema.Literal("screenshot"), fullPage: Schema.optionalKey(Schema.Boolean) })
])

const CrawlOptions = Schema.Struct({
  url: Schema.String.check(Schema.isMinLength(1)).annotate({ description: "where the crawl starts" }),
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })).annotate({
      description: "the most pages",
      default: 10_000
    })
  ),
  includePaths: Schema.optionalKey(
    Schema.Array(
      Schema.String.check(
        Schema.makeFilter((text: string) => !text.includes("(?=") || "this pattern looks ahead, which RE2 cannot")
      )
    )
  ),
  crawlEntireDomain: Schema.optionalKey(Schema.Boolean),
  delay: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))),
  scrapeOptions: Schema.optionalKey(
    Schema.Struct({
      formats: Schema.optionalKey(Schema.Array(Format)),
      headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
    })
  ),
  token: Schema.optionalKey(Schema.RedactedFromValue(Schema.String))
})

/** Every options object that a decoded toy source was bound to, by its table's description. */
export const crawl = Source.make({
  type: "crawl",
  description: "the pages of a site",
  options: CrawlOptions,
  state: Schema.Null,
  tables: (options) => [
    Table.make({
      name: "pages",
      description: JSON.stringify({
        ...options,
        ...(options.token === undefined ? {} : { token: Redacted.value(options.token) })
      }),
      schema: Schema.Struct({ url: Schema.String, title: Schema.NullOr(Schema.String), markdown: Schema.String })
    })
  ],
  cursor: Schema.Null,
  fetch: () => Stream.empty,
  decode: () => Effect.succeed([])
})

const sink = (type: string, writes: ReadonlyArray<Sink.WriteDisposition>) =>
  Sink.make({
    type,
    description: `a ${type} file`,
    options: Schema.Struct({ path: Schema.String.annotate({ description: "the file" }), write: Sink.writeOption }),
    writes,
    defaultWrite: (table) => (table.key.length > 0 ? "merge" : "append"),
    runs: () => Effect.succeed([]),
    rows: () => Effect.succeed([]),
    open: () => Effect.die("a toy is never opened")
  })

export const toyFiles = Connector.make({
  name: "toy-files",
  sinks: [sink("duckdb", ["append", "replace", "merge"]), sink("parquet", ["append", "replace"])]
})

export const toyConnectors = [Connector.make({ name: "toy-web", sources: [crawl] }), toyFiles]
