// Copied by `npm run docs` from docs/library.md. Do not edit.
// docs.ts
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Journals, Pipeline, Run, Stages } from "../../../src/index.ts"
import { WebData } from "../../../src/contract/client.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"
import { crawl } from "../../../connectors/webdata/index.ts"
import { Embedded, ServiceConfig } from "../../../src/service/index.ts"

const pipeline = Pipeline.make({
  name: "docs",
  source: crawl.with({ url: "https://your.site", limit: 50 }),
  sinks: { warehouse: duckdb.with({ path: "./docs.duckdb" }) }
})
const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
const parts = Layer.mergeAll(service, Journals.layer, Stages.layer)

const report = await Effect.runPromise(Run.run(pipeline).pipe(Effect.provide(parts)))
console.log(report.rows)
