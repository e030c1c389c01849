import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { file } from "#connectors/file/index"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { commitOf, link, page } from "#testing/SinkBench"
import { links, pages } from "#testing/specimens"

const csv = file.with({ path: "out", format: "csv" })

const open = (directory: string, runId: string, table: Table.Table, pipeline = "suite") =>
  csv.open({ pipeline, runId, directory, evolve: true, tables: [{ table, write: "replace" }] })

const load = (directory: string, runId: string, table: Table.Table, row: Table.Row, pipeline?: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const writer = yield* open(directory, runId, table, pipeline)
      yield* writer.write(Table.batch(table, [row]))
      return yield* writer.commit(commitOf(runId, runId))
    })
  )

const textOf = (...path: ReadonlyArray<string>) => readFileSync(join(...path), "utf8")

it.effect("a file that somebody has put in the place of a link stays, and the run is refused until it is moved", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const file = join(directory, "out/pages.csv")
    yield* load(directory, "run-1", pages, page("/a", 1))
    rmSync(file)
    writeFileSync(file, "mine")
    const refused = yield* Effect.flip(load(directory, "run-2", pages, page("/a", 1)))
    const left = textOf(file)
    yield* load(directory, "run-3", links, link("/a", 1), "other")

    expect(refused.message).toContain("out/pages.csv is there and Millrace did not write it; move it")
    expect([left, textOf(file)]).toEqual(["mine", "mine"])
    rmSync(file)
    yield* load(directory, "run-4", pages, page("/b", 2))
    expect(textOf(file)).toBe("url,title,version\n/b,Page /b,2\n")
  })
)

it.effect("a file that somebody puts in the place of a link during a run stays, and nothing is committed", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const file = join(directory, "out/pages.csv")
    yield* load(directory, "run-1", pages, page("/a", 1))
    const refused = yield* Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* open(directory, "run-2", pages)
        rmSync(file)
        writeFileSync(file, "mine")
        yield* writer.write(Table.batch(pages, [page("/b", 2)]))
        return yield* Effect.flip(writer.commit(commitOf("run-2", "run-2")))
      })
    )

    expect(refused.message).toContain("out/pages.csv is there and Millrace did not write it; move it")
    expect(textOf(file)).toBe("mine")
    expect(textOf(directory, "out/_millrace/current/pages.csv")).toBe("url,title,version\n/a,Page /a,1\n")
  })
)
