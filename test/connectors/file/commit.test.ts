import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { file } from "#connectors/file/index"
import type { Options } from "#connectors/file/options"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { commitOf, link, page } from "#testing/SinkBench"
import { links, pages } from "#testing/specimens"

const csv: Options = { path: "out", format: "csv" }

const load = (
  directory: string,
  runId: string,
  options: Options,
  rows: ReadonlyArray<readonly [Table.Table, ReadonlyArray<Table.Row>]>,
  of: { readonly write?: Sink.WriteDisposition; readonly pipeline?: string } = {}
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { pipeline = "suite", write = "replace" } = of
      const tables = rows.map(([table]) => ({ table, write }))
      const writer = yield* file.with(options).open({ pipeline, runId, directory, evolve: true, tables })
      for (const [table, some] of rows) yield* writer.write(Table.batch(table, some))
      return yield* writer.commit(commitOf(runId, runId))
    })
  )

const textOf = (...path: ReadonlyArray<string>) => readFileSync(join(...path), "utf8")

it.effect("null is nothing, an empty text is two quotes, and what would be read otherwise stands in quotes", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const titles = [null, "", 'say "hi", now', " blank", "two\nlines", "=1+1", "NULL"]
    yield* load(directory, "run-1", csv, [[pages, titles.map((title, version) => ({ url: "/a", title, version }))]])

    expect(textOf(directory, "out/pages.csv")).toBe(
      [
        "url,title,version",
        "/a,,0",
        '/a,"",1',
        '/a,"say ""hi"", now",2',
        '/a," blank",3',
        '/a,"two\nlines",4',
        "/a,'=1+1,5",
        "/a,NULL,6",
        ""
      ].join("\n")
    )
  })
)

it.effect("a text that a spreadsheet would run has an apostrophe before it, unless the user says keep", () =>
  Effect.gen(function* () {
    const titles = ["=cmd|'/C calc'!A0", "\t=1", "-5", "- a list", "+1.5%", "'=1", "＝1", "it's"]
    const rows = titles.map((title, version) => ({ url: "/a", title, version }))
    const linesOf = (...path: ReadonlyArray<string>) =>
      textOf(...path)
        .split("\n")
        .slice(1, -1)
    const shown = ["'=cmd|'/C calc'!A0", "'\t=1", "-5", "'- a list", "+1.5%", "''=1", "'＝1", "it's"]
    const directory = yield* folder
    const kept = yield* folder
    yield* load(directory, "run-1", csv, [[pages, rows]])
    yield* load(kept, "run-1", { ...csv, formulas: "keep" }, [[pages, rows]], { write: "append" })
    expect(linesOf(directory, "out/pages.csv")).toEqual(shown.map((text, at) => `/a,${text},${at}`))
    expect(linesOf(kept, "out/pages.csv")).toEqual(
      titles.map((text, at) => `/a,${at === 1 ? `"${text}"` : text},${at}`)
    )

    // What was kept is in the same form as what comes, once the option is gone.
    yield* load(kept, "run-2", csv, [[pages, [{ url: "/b", title: "=2", version: 9 }]]], { write: "append" })
    expect(linesOf(kept, "out/pages.csv")).toEqual([...shown.map((text, at) => `/a,${text},${at}`), "/b,'=2,9"])
  })
)

it.effect("header and delimiter are as the user says, also for rows that are appended", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const options: Options = { path: "out", format: "csv", header: false, delimiter: ";" }
    yield* load(directory, "run-1", options, [[pages, [page("/a;b", 1)]]], { write: "append" })
    yield* load(directory, "run-2", options, [[pages, [page("/c", 2)]]], { write: "append" })

    expect(textOf(directory, "out/pages.csv")).toBe('"/a;b";"Page /a;b";1\n/c;Page /c;2\n')
  })
)

it.effect("all files change at once; those of the commit before stay for readers, and older ones go", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const current = join(directory, "out/_millrace/current")
    const commit = (run: string, url: string) =>
      load(directory, run, csv, [
        [pages, [page(url, 1)]],
        [links, [link(url, 1)]]
      ])
    yield* commit("run-1", "/a")
    const first = realpathSync(current)
    yield* commit("run-2", "/b")

    expect(textOf(first, "pages.csv")).toContain("/a")
    expect(textOf(directory, "out/pages.csv")).toContain("/b")
    expect(realpathSync(join(directory, "out/links.csv"))).toBe(join(realpathSync(current), "links.csv"))
    expect(JSON.parse(textOf(directory, "out/_millrace.json"))).toMatchObject({
      commit: 2,
      run_id: "run-2",
      tables: { pages: { file: "pages.csv", rows: 1, owner: "suite", key: ["url"] }, links: { rows: 1 } }
    })
    yield* commit("run-3", "/c")
    expect(existsSync(first)).toBe(false)
  })
)

it.effect("what a killed writer left is never seen, and goes with the next one", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "run-1", csv, [[pages, [page("/a", 1)]]])
    const home = join(directory, "out/_millrace")
    mkdirSync(join(home, "versions/2"))
    writeFileSync(join(home, "versions/2/pages.csv"), "half of a fi")
    writeFileSync(join(home, "commits/2.json"), "{")
    mkdirSync(join(home, "stage"))
    writeFileSync(join(home, "stage/pages"), "url,title,version\n/half")
    const destination = file.with(csv)

    expect((yield* destination.runs(directory)).map(({ runId }) => runId)).toEqual(["run-1"])
    yield* load(directory, "run-2", csv, [[pages, [page("/b", 2)]]], { write: "append" })
    expect(yield* destination.rows(directory, pages)).toEqual([
      { url: "/a", title: "Page /a", version: 1n },
      { url: "/b", title: "Page /b", version: 2n }
    ])
    expect(readdirSync(home).sort()).toEqual(["commits", "current", "lock", "lock.pid", "versions"])
  })
)

it.effect("tables of another pipeline go over as they are, in the format that they have", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "run-1", csv, [[pages, [page("/a", 1)]]])
    const jsonl: Options = { path: "out", format: "jsonl" }
    yield* load(directory, "run-2", jsonl, [[links, [link("/a", 1)]]], { pipeline: "other" })

    expect(textOf(directory, "out/pages.csv")).toBe("url,title,version\n/a,Page /a,1\n")
    expect(textOf(directory, "out/links.jsonl")).toBe('{"page_url":"/a","at":1,"href":"/a#1"}\n')
    expect(yield* file.with(jsonl).rows(directory, pages)).toHaveLength(1)
  })
)

it.effect("a table that gets another format has one file, with the rows that were there", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "run-1", csv, [[pages, [{ ...page("/a", 1), title: "" }]]], { write: "append" })
    for (const format of ["parquet", "arrow", "jsonl"] as const) {
      yield* load(directory, format, { path: "out", format }, [[pages, [page(`/${format}`, 2)]]], { write: "append" })

      expect(readdirSync(join(directory, "out")).sort()).toEqual(["_millrace", "_millrace.json", `pages.${format}`])
    }
    expect(textOf(directory, "out/pages.jsonl")).toBe(
      [
        '{"url":"/a","title":"","version":1}',
        '{"url":"/parquet","title":"Page /parquet","version":2}',
        '{"url":"/arrow","title":"Page /arrow","version":2}',
        '{"url":"/jsonl","title":"Page /jsonl","version":2}',
        ""
      ].join("\n")
    )
  })
)

it.effect("a file that Millrace did not write stays, and the run is refused before it reads anything", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    mkdirSync(join(directory, "out"))
    writeFileSync(join(directory, "out/pages.csv"), "mine")

    const error = yield* Effect.flip(load(directory, "run-1", csv, [[pages, [page("/a", 1)]]]))
    expect(error.message).toContain("out/pages.csv is there and Millrace did not write it; move it")
    expect(textOf(directory, "out/pages.csv")).toBe("mine")
  })
)

it.effect("no rows are appended to a file that is cut off or gone, and the commit before stays", () =>
  Effect.gen(function* () {
    for (const format of ["jsonl", "csv", "arrow", "parquet"] as const) {
      const directory = yield* folder
      const options: Options = { path: "out", format }
      const append = (run: string) => load(directory, run, options, [[pages, [page("/a", 1)]]], { write: "append" })
      yield* append("run-1")
      const file = realpathSync(join(directory, `out/pages.${format}`))
      const bytes = readFileSync(file)

      writeFileSync(file, bytes.subarray(0, 10))
      const cut = yield* Effect.flip(append("run-2"))
      rmSync(file)
      const gone = yield* Effect.flip(append("run-3"))
      writeFileSync(file, bytes)

      const todo = "put it back from a backup, or move the folder of all tables away, and the next run makes a new one"
      expect(cut.message).toBe(`table pages: ${file} has 10 bytes, and ${bytes.length} were written: ${todo}`)
      expect(gone.message).toBe(`table pages: ${file} is gone: ${todo}`)
      yield* append("run-4")
      expect(JSON.parse(textOf(directory, "out/_millrace.json"))).toMatchObject({ tables: { pages: { rows: 2 } } })
    }
  })
)

it.effect("an option of CSV is refused for another format", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const options: Options = { path: "out", format: "jsonl", delimiter: ";" }
    const error = yield* Effect.flip(load(directory, "run-1", options, [[pages, [page("/a", 1)]]]))
    expect(error.message).toBe("delimiter is of format: csv, and this sink has format: jsonl; leave it out")
  })
)

it.effect("a folder that somebody else has made leads to no file outside of it, neither to read nor to replace", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = [[pages, [page("/a", 1)]]] as const
    yield* load(directory, "run-1", csv, rows)
    writeFileSync(join(directory, "letter"), "mine")
    const state = join(directory, "out/_millrace/versions/1/_millrace.json")
    writeFileSync(state, textOf(state).replace('"pages.csv"', '"../letter"'))

    const refused = yield* Effect.flip(load(directory, "run-2", csv, rows))
    expect(refused.message).toContain("the name of a file in its folder")
    expect(textOf(directory, "letter")).toBe("mine")
  })
)
