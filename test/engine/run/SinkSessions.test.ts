import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { govCorpus } from "#connectors/gov/index"
import { Database, memory } from "#connectors/memory/index"
import { Checkpoint, run, Source, Table } from "../../../src/index.ts"
import { inFolder } from "../../app/millrace.ts"

const page = (title: number, ...sections: ReadonlyArray<string>) =>
  `<!doctype html><html lang="en"><head><title>Title ${title}</title></head><body><h1>Title ${title} Nuisances</h1>
  ${sections.map((number) => `<h3>${number} Rule</h3><p>No person shall do thing ${number}.</p>`).join("\n")}</body></html>`

const corpus = (path: string) =>
  govCorpus.with({ path, jurisdiction: "Springfield, Illinois", collectionName: "Springfield Municipal Code" })

/** The numbers of the sections that a database has, those that are current alone. */
const numbers = (name: string) =>
  Database.rows(name, "gov_sections")
    .filter((row) => row["is_current"] !== false)
    .map((row) => row["number"])
    .toSorted()

const days = Table.make({
  name: "days",
  description: "days",
  key: ["day"],
  schema: Schema.Struct({ day: Schema.String })
})

/** Says a day in each run, and no day again. */
const diary = (day: string) =>
  Source.make({
    type: "diary",
    description: "a day in each run",
    options: Schema.Struct({}),
    state: Schema.Int,
    cursor: Schema.Null,
    standsAlone: true,
    tables: () => [days],
    fetch: (_, { start }) =>
      Stream.make({ kind: "day", at: 0, text: String(Option.getOrElse(start, () => 0)), cursor: null }),
    decode: (_, { text }) => Effect.succeed([...Table.batches(days, [{ day }]), Checkpoint.make(Number(text) + 1)])
  }).with({})

describe("a source that reads only what has changed", () => {
  it("is read from the beginning for a sink that removes what a run does not write", () =>
    inFolder(async (folder) => {
      const sinks = {
        replaced: memory.with({ name: "replaced", write: "replace" }),
        closed: memory.with({ name: "closed", write: "scd2", removed: "close" }),
        merged: memory.with({ name: "merged" })
      }
      const load = () =>
        run({ name: "law", directory: folder, source: corpus(folder), table: { fingerprint: ["text"] }, sinks })
      writeFileSync(join(folder, "7.html"), page(7, "7.04.010", "7.04.020"))
      writeFileSync(join(folder, "8.html"), page(8, "8.04.010"))
      await load()

      await load()

      const all = ["7.04.010", "7.04.020", "8.04.010"]
      expect([numbers("replaced"), numbers("closed"), numbers("merged")]).toEqual([all, all, all])

      writeFileSync(join(folder, "7.html"), page(7, "7.04.010"))
      await load()

      const rest = ["7.04.010", "8.04.010"]
      expect([numbers("replaced"), numbers("closed"), numbers("merged")]).toEqual([rest, rest, all])
    }))
})

describe("a source that says nothing twice", () => {
  it("removes and closes nothing of what its runs before have said", () =>
    inFolder(async (folder) => {
      const sinks = {
        replaced: memory.with({ name: "diary replaced", write: "replace" }),
        closed: memory.with({ name: "diary closed", write: "scd2", removed: "close" })
      }
      const table = { fingerprint: ["day"] }
      await run({ name: "diary", directory: folder, source: diary("Monday"), table, sinks })

      await run({ name: "diary", directory: folder, source: diary("Tuesday"), table, sinks })

      const said = (name: string) => Database.rows(name, "days").map((row) => [row["day"], row["is_current"] ?? true])
      const both = [
        ["Monday", true],
        ["Tuesday", true]
      ]
      expect([said("diary replaced").toSorted(), said("diary closed").toSorted()]).toEqual([both, both])
    }))
})
