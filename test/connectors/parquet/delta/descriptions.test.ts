/** What tables and columns hold, as Delta and Iceberg say it. */
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { parquet } from "#connectors/parquet/index"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { icebergIn } from "../iceberg/icebergIn.ts"
import { manifestOf, stores } from "../lake.ts"
import { load } from "../load.ts"

/** The same table, with these words for what it holds. */
const tableSaying = (table: string, url: string | undefined) =>
  Table.make({
    name: "pages",
    description: table,
    schema: Schema.Struct({
      url: url === undefined ? Schema.String : Column.described(Schema.String, url),
      "title, in full": Schema.NullOr(Schema.String),
      day: Column.described(Schema.String, "the day")
    }),
    key: ["url"]
  })
const row = (url: string, title: string) => ({ url, "title, in full": title, day: "2026-11-26" })

const logOf = (directory: string) => {
  const log = join(directory, "lake/pages/_delta_log")
  return readdirSync(log)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) =>
      readFileSync(join(log, name), "utf8")
        .trim()
        .split("\n")
        .map((line): Record<string, any> => JSON.parse(line))
    )
}
/** What each version of the log says of the table: nothing, or its id, its description and the comments of its columns. */
const saidIn = (directory: string) =>
  logOf(directory).map((actions) => {
    const metadata = actions.find((action) => action["metaData"] !== undefined)?.["metaData"]
    if (metadata === undefined) return undefined
    const fields: ReadonlyArray<any> = JSON.parse(metadata.schemaString).fields
    return [metadata.id, metadata.description, ...fields.map((field) => field.metadata.comment)]
  })
const options = { iceberg: true, partition: ["day"] }

it.effect("tables and columns are described, and a description that changes is said with the next version", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const run = (name: string, table: Table.Table, title: string) =>
      load(directory, name, { table, rows: [row("/a", title)], options })
    yield* run("one", tableSaying("one row per page", "its address"), "a")
    yield* run("two", tableSaying("a row is a page", "where it is"), "a")
    const before = { delta: saidIn(directory), iceberg: (yield* icebergIn(join(directory, "lake"), "pages")).metadata }
    yield* run("three", tableSaying("a row is a page", "where it is"), "b")
    yield* run("four", tableSaying("a row is a page", "where it is"), "c")

    // A run that changes no row says nothing, whatever its descriptions are.
    expect(before.delta).toEqual([[expect.any(String), "one row per page", "its address", undefined, "the day"]])
    expect(before.iceberg.snapshots).toHaveLength(1)
    const [[id] = []] = before.delta
    const later = saidIn(directory)
    expect(later.slice(1)).toEqual([[id, "a row is a page", "where it is", undefined, "the day"], undefined])
    const { metadata } = yield* icebergIn(join(directory, "lake"), "pages")
    expect(metadata["table-uuid"]).toBe(before.iceberg["table-uuid"])
    expect(metadata.snapshots.map((snapshot) => snapshot["schema-id"])).toEqual([0, 1, 1])
    expect(metadata.schemas.map(({ fields }) => fields.map(({ doc, id }) => [id, doc]))).toEqual(
      ["its address", "where it is"].map((doc) => [
        [1, doc],
        [2, undefined],
        [3, "the day"]
      ])
    )
    expect(metadata.properties["comment"]).toBe("a row is a page")
  }).pipe(Effect.provide(stores))
)

it.effect("what is said does not depend on who writes the log: the run, or the next one after a kill", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (const [at, words] of ["first", "second", "second", "third"].entries()) {
      const rows = [row("/a", at === 2 ? "1" : String(at))]
      yield* load(directory, `run${at}`, { table: tableSaying(words, words), rows })
    }
    const whole = logOf(directory)
    const log = join(directory, "lake/pages/_delta_log")
    for (const name of readdirSync(log).toSorted().slice(1)) rmSync(join(log, name))
    yield* parquet.with({ path: "lake" }).compact?.(directory, { below: 1 }) ?? Effect.die("it compacts")

    expect(saidIn(directory).map((said) => said?.[1])).toEqual(["first", "second", "third"])
    expect(logOf(directory)).toEqual(whole)
  }).pipe(Effect.provide(stores))
)

it.effect("a column that a run does not have keeps its description, and a manifest without any is no new table", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const bare = Table.make({
      name: "pages",
      description: "",
      schema: Schema.Struct({ url: Schema.String, "title, in full": Schema.String, day: Schema.String }),
      key: ["url"]
    })
    yield* load(directory, "one", { table: bare, rows: [row("/a", "a")], write: "append" })
    const hash = Effect.map(
      manifestOf(join(directory, "lake")),
      (manifest) => Option.getOrThrow(manifest).tables["pages"]?.schema_hash
    )
    const first = yield* hash
    yield* load(directory, "two", {
      table: tableSaying("pages", "its address"),
      rows: [row("/b", "b")],
      write: "append"
    })
    const fewer = { ...bare, description: "fewer", columns: bare.columns.slice(0, 1) }
    yield* load(directory, "three", { table: fewer, rows: [{ url: "/c" }], write: "append" })

    const said = saidIn(directory)
    expect(new Set(said.map((one) => one?.[0])).size).toBe(1)
    expect(said.map((one) => one?.slice(1))).toEqual([
      [undefined, undefined, undefined, undefined],
      ["pages", "its address", undefined, "the day"],
      ["fewer", "its address", undefined, "the day"]
    ])
    expect(yield* hash).toBe(first)
  }).pipe(Effect.provide(stores))
)
