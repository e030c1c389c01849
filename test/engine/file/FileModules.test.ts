// What a pipeline file may say of modules, where a fake imports them. Real modules: test/library/ownModules.test.ts.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ModuleFault } from "#engine/FileModules"
import * as PipelineFile from "#engine/PipelineFile"
import { readColumns } from "#library/columns"
import * as Sink from "#library/Sink"
import * as Source from "#library/Source"
import { toyConnectors } from "./toyConnectors.ts"

const tickets = Source.simple({
  type: "tickets",
  columns: { id: "BIGINT NOT NULL", title: "VARCHAR" },
  key: ["id"],
  rows: () => [
    { id: 1, title: "a" },
    { id: 2, title: "bad" }
  ]
})
const out = Sink.simple({ type: "out", batch: () => undefined, commit: () => undefined })
const crawl = Source.simple({ type: "crawl", columns: { id: "BIGINT" }, rows: () => [] })
const map = (row: { readonly id: number; readonly title: string }) => {
  if (row.title === "bad") throw new Error("a bad title")
  return { id: row.id, words: [row.title] }
}

const modules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "./own.ts": { tickets, default: out },
  "./nothing.ts": { helper: 1 },
  "./taken.ts": { crawl },
  "./map.ts": { columns: { id: "BIGINT", words: "VARCHAR[]" }, default: map },
  "./keyless.ts": { columns: { words: "VARCHAR[]" }, default: map },
  "./numbered.ts": { columns: { id: "BIGINT" }, key: [1], default: map },
  "./untyped.ts": { columns: { id: "NUMBER" }, default: map },
  "./plain.ts": { default: map },
  "./none.ts": { columns: {} }
}

const load = (text: string) =>
  PipelineFile.load("folder/a.yaml", text, {
    connectors: toyConnectors,
    env: {},
    runDate: new Date(0),
    runId: "run-1",
    readColumns,
    importModule: (path, directory) => {
      const found = directory === "folder" ? modules[path] : undefined
      return found === undefined
        ? Effect.fail(new ModuleFault({ message: `${path} cannot be read: there is no such file` }))
        : Effect.succeed(found)
    }
  })

const problems = (text: string) => Effect.map(Effect.flip(load(text)), ({ message }) => message)

const own = "connectors: [./own.ts]\nsource: { type: tickets }\nsinks: { out: { type: out } }\n"

describe("connectors of a file", () => {
  it.effect("are the sources and sinks that a module exports, whatever it calls them", () =>
    Effect.gen(function* () {
      const file = yield* load(own)

      expect(file.sourceType).toBe("tickets")
      expect(file.source.tables[0].columns.map(({ name }) => name)).toEqual(["id", "title"])
      expect(file.sinks["out"]?.type).toBe("out")
    })
  )

  it.effect("have their options checked like all others", () =>
    Effect.gen(function* () {
      expect(yield* problems(own.replace("tickets }", "tickets, pth: a }"))).toContain(
        "2:31: `source.pth`: unknown key: there are no options"
      )
    })
  )

  it.effect("are refused at their place: no file, no connector in it, a type that is taken, a variable", () =>
    Effect.gen(function* () {
      const text = own.replace(
        "[./own.ts]",
        "\n  - ./own.ts\n  - ./no.ts\n  - ./nothing.ts\n  - ./taken.ts\n  - ./${vars.x}.ts"
      )

      const said = yield* problems(`${text}vars: { x: own }\n`)

      expect(said).toContain("folder/a.yaml:3:5: ./no.ts cannot be read: there is no such file")
      expect(said).toContain("folder/a.yaml:4:5: ./nothing.ts exports no source, no sink and no connector")
      expect(said).toContain("folder/a.yaml:5:5: ./taken.ts: there is a source of type `crawl` already")
      expect(said).toContain("folder/a.yaml:6:5: the path of a module cannot contain ${...}")
    })
  )
})

describe("a map step", () => {
  it.effect("gives the table its columns without a run, and rejects the row that it throws for", () =>
    Effect.gen(function* () {
      const { source } = yield* load(`${own}steps: [{ map: ./map.ts }]\n`)
      const [table] = source.tables
      expect(table.columns.map(({ name }) => name)).toEqual(["id", "words"])
      expect(table.key).toEqual(["id"])

      const elements = yield* Stream.runCollect(Source.read(source))

      const shown = [...elements].flatMap(
        (element): ReadonlyArray<unknown> =>
          element._tag === "Batch" ? element.rows : element._tag === "Reject" ? [element.reason, element.raw] : []
      )
      expect(shown).toEqual([{ id: 1, words: ["a"] }, "./map.ts: a bad title", { id: 2, title: "bad" }])
    })
  )

  it.effect("stands before the steps of SQL, and exports columns, a function and the key", () =>
    Effect.gen(function* () {
      const said = (step: string) => problems(`${own}steps: ${step}\n`)

      expect(yield* said("[{ where: id > 1 }, { map: ./map.ts }]")).toContain(
        "4:30: `map` must come before the other steps"
      )
      expect(yield* said("[{ map: ./keyless.ts }]")).toContain(
        "its columns have no id, which identifies the rows of tickets"
      )
      expect(yield* said("[{ map: ./untyped.ts }]")).toContain(
        '4:16: ./untyped.ts: column id: "NUMBER" is not an SQL type'
      )
      expect(yield* said("[{ map: ./plain.ts }]")).toContain("./plain.ts: it does not export `columns`")
      expect(yield* said("[{ map: ./none.ts }]")).toContain("./none.ts: it has no default export that is a function")
      expect(yield* said("[{ map: ./numbered.ts }]")).toContain(
        "./numbered.ts: its `key` must be a list of column names"
      )
      expect(yield* said("[{ map: ./map.ts, table: links }]")).toContain(
        "the source has no table links; tables: tickets"
      )
    })
  )

  it.effect("is refused where nobody imports modules", () =>
    Effect.gen(function* () {
      const text = `source: { type: crawl, url: a }\nsinks: {}\nsteps: [{ map: ./map.ts }]\n`
      const options = { connectors: toyConnectors, env: {}, runDate: new Date(0), runId: "run-1" }

      const error = yield* Effect.flip(PipelineFile.load("a.yaml", text, options))

      expect(error.message).toContain("3:16: modules are not loaded here")
    })
  )
})
