// Copied by `npm run docs` from docs/reference/api/Pipeline.md. Do not edit.
import * as Effect from "effect/Effect"
import { Engine, Pipeline, Run, rows, run } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"

{
  const journal: Partial<Pipeline.JournalOptions> = { keepMillis: 24 * 3_600_000 }
  const source = rows([{ id: 1 }], { table: "people" })
  const made = Pipeline.make({ name: "p", source, sinks: { out: memory.with({ name: "p" }) }, journal })
  console.log(made.journal) // { keepMillis: 86400000, bytes: 2000000000 }
}
{
  const source = rows([{ id: 1 }], { table: "people" })
  const table = { name: "members", key: ["id"], contract: "freeze" } as const
  const report = await run({ source, sinks: { out: memory.with({ name: "m" }) }, table })
  console.log(report.rows) // { members: 1, members__rejects: 0 }
}
{
  const pages = Pipeline.make({
    name: "ok_pages",
    source: rows([{ url: "/a", status: 200 }, { url: "/b", status: 404 }], { table: "pages", key: "url" }),
    sinks: { out: memory.with({ name: "ok_pages" }) },
    steps: [{ where: "status = 200" }],
    checks: [{ rows: { min: 1 } }]
  })
  const report = await Effect.runPromise(Effect.provide(Run.run(pages), Engine.layer))
  console.log(report.status, report.rows) // "done" { pages: 1, pages__rejects: 0 }
}
