/** `millrace verify`: what it prints and how it ends. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { databaseUrl } from "../../connectors/postgres/database.ts"
import { alter, inFolder, millrace, write } from "../millrace.ts"

const source = (folder: string) =>
  write(
    folder,
    "things.ts",
    'import * as Schema from "effect/Schema"',
    'import { Source } from "millrace"',
    'export const things = Source.simple({ type: "things", options: Schema.Struct({}), key: ["id"],',
    '  columns: { id: "BIGINT NOT NULL", v: "VARCHAR" },',
    '  rows: async function* () { for (let id = 0; id < 5; id++) yield { id, v: "v" } } })'
  )

const pipeline = (folder: string, ...sinks: ReadonlyArray<string>) => {
  source(folder)
  return write(folder, "p.yaml", "name: p", "connectors: [./things.ts]", "source: { type: things }", "sinks:", ...sinks)
}

it("a database whose keys of merge or scd2 have doubles is named, with exit code 1", () =>
  inFolder(async (folder) => {
    const file = pipeline(
      folder,
      "  merged: { type: duckdb, path: ./merged.duckdb, write: merge }",
      "  kept: { type: duckdb, path: ./kept.duckdb, write: scd2 }"
    )
    expect((await millrace(folder, "run", file)).code).toBe(0)
    const right = await millrace(folder, "verify", file)
    expect([right.code, right.stdout]).toEqual([
      0,
      "p: sink merged: 1 table with 5 rows, 1 run by its hash, right\np: sink kept: 1 table with 5 rows, 1 run by its hash, right\np: journal: 1 run, right\n"
    ])

    await alter(join(folder, "merged.duckdb"), "INSERT INTO things SELECT * FROM things WHERE id = 3")
    await alter(
      join(folder, "kept.duckdb"),
      "INSERT INTO things SELECT * FROM things WHERE id < 2; UPDATE things SET valid_to = valid_from + INTERVAL 1 DAY WHERE id = 4; INSERT INTO things SELECT * FROM things WHERE id = 4"
    )
    const { code, stderr, stdout } = await millrace(folder, "verify", file)
    expect(code).toBe(1)
    expect(stdout).toContain("open     table things: 1 keys have several rows")
    expect(stdout).toContain("open     table things: 3 keys have several current versions")
    expect(stdout).toContain("open     table things: 1 versions begin before the one before them ends")
    expect(stderr).toContain("not everything is as it was written")
  }))

it("a lake is repaired by one command, which prints what to load again; --json has the same", () =>
  inFolder(async (folder) => {
    const file = pipeline(folder, "  lake: { type: parquet, path: ./lake, write: append }")
    await millrace(folder, "run", file)
    await millrace(folder, "run", file)
    const log = join(folder, "lake/things/_delta_log")
    rmSync(join(log, readdirSync(log)[0] ?? ""))
    const [data = ""] = readdirSync(join(folder, "lake/things")).filter((name) => name.endsWith(".parquet"))
    truncateSync(join(folder, "lake/things", data), 20)

    const found = await millrace(folder, "verify", file, "--json")
    expect(found.code).toBe(1)
    const [lake] = found.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lake.findings.map(({ outcome, path }: { outcome: string; path: string }) => [outcome, path])).toEqual([
      ["lost", `things/${data}`],
      ["damaged", "things/_delta_log/00000000000000000000.json"],
      ["open", "things"]
    ])

    const repaired = await millrace(folder, "verify", file, "--repair")
    expect(repaired.code).toBe(1)
    expect(repaired.stdout).toMatch(/load again what is lost.*:\n {4}millrace replay \S+ p\.yaml\n/)
    expect(repaired.stdout).toContain("healed   things/_delta_log/00000000000000000000.json is gone")
    const [, replayed = ""] = /millrace replay (\S+) p\.yaml/.exec(repaired.stdout) ?? []
    expect((await millrace(folder, "replay", replayed, file)).code).toBe(0)
    const after = await millrace(folder, "verify", file)
    expect([after.code, after.stdout]).toEqual([0, expect.stringContaining("1 table with 10 rows, right")])
  }))

it("an append table that has fewer rows than its runs loaded is named", () =>
  inFolder(async (folder) => {
    const file = pipeline(folder, "  db: { type: duckdb, path: ./p.duckdb, write: append }")
    await millrace(folder, "run", file)
    await alter(join(folder, "p.duckdb"), "DELETE FROM things WHERE id = 1")
    const { code, stdout } = await millrace(folder, "verify", file)
    expect([code, stdout]).toEqual([1, expect.stringContaining("it has 4 rows, and its runs loaded 5")])
  }))

it("rows that differ from the hash of their run are named, and are right when the run is loaded again", () =>
  inFolder(async (folder) => {
    const file = pipeline(folder, "  db: { type: duckdb, path: ./p.duckdb, write: merge }")
    await millrace(folder, "run", file)
    const [run = ""] = readdirSync(join(folder, ".millrace/pipelines/p/runs"))
    const damage = () => alter(join(folder, "p.duckdb"), "UPDATE things SET v = 'w' WHERE id = 3")
    await damage()
    const found = await millrace(folder, "verify", file)
    expect([found.code, found.stdout]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          `open     run ${run} of table things: rows differ from what was written \\(recorded 5 rows, hash [0-9a-f]{16}; found 5 rows, hash [0-9a-f]{16}\\); load it again: millrace replay ${run} p.yaml`
        )
      )
    ])
    const below = await millrace(folder, "verify", ".")
    expect([below.code, below.stdout]).toEqual([1, expect.stringContaining(`run ${run} of table things: rows differ`)])

    expect((await millrace(folder, "replay", run, file)).code).toBe(0)
    const healed = await millrace(folder, "verify", file)
    expect([healed.code, healed.stdout]).toEqual([0, expect.stringContaining("5 rows, 1 run by its hash, right")])

    await damage()
    rmSync(join(folder, ".millrace/pipelines/p"), { recursive: true })
    const without = await millrace(folder, "verify", file)
    expect([without.code, without.stdout]).toEqual([1, expect.stringContaining("millrace run --full-refresh p.yaml")])
    expect((await millrace(folder, "run", "--full-refresh", file)).code).toBe(0)
    const again = await millrace(folder, "verify", file, "--json")
    expect(again.code).toBe(0)
    const sink = JSON.parse(again.stdout.split("\n")[0] ?? "")
    expect(sink.compared).toBe(
      "1 table with 5 rows, 1 run by its hash, 1 run by count only (a full refresh has compared them since)"
    )
    expect(sink.runs).toMatchObject([
      { table: "things", run, rows: 4, notCompared: "refreshed" },
      { table: "things", rows: 1 }
    ])
  }))

it("a folder has its lakes, journals and databases compared; a damaged journal and database are moved away", () =>
  inFolder(async (folder) => {
    const file = pipeline(folder, "  lake: { type: parquet, path: ./lake, write: append }")
    await millrace(folder, "run", file)
    await millrace(folder, "schedule", ".", "--list")
    rmSync(join(folder, file))
    const runs = join(folder, ".millrace/pipelines/p/runs")
    const [run = ""] = readdirSync(runs)
    const answers = join(runs, run, "answers.ndjson.zst")
    const bytes = readFileSync(answers)
    bytes.fill(0, 20, 40)
    writeFileSync(answers, bytes)
    writeFileSync(join(folder, ".millrace/schedule.sqlite"), "no database".repeat(100))
    writeFileSync(join(folder, "mine.sqlite"), "no database".repeat(100))

    const found = await millrace(folder, "verify", ".")
    expect(found.code).toBe(1)
    expect(found.stdout).toContain(`damaged  run ${run}: `)
    expect(found.stdout).toContain("schedule.sqlite: file is not a database")
    expect(found.stdout).toContain("lake: 1 file")
    await millrace(folder, "verify", ".", "--repair")
    expect(readdirSync(join(folder, ".millrace/pipelines/p/damaged"))).toEqual([run])
    expect(readdirSync(join(folder, ".millrace"))).toContain("schedule.sqlite.damaged")
    const own = await millrace(folder, "verify", ".", "--repair")
    expect([own.code, own.stdout]).toEqual([1, expect.stringContaining("open     mine.sqlite: file is not a database")])
    rmSync(join(folder, "mine.sqlite"))
    expect((await millrace(folder, "verify", ".")).code).toBe(0)
  }))

it("a place that does not exist, or has nothing of millrace, is a mistake of the arguments", () =>
  inFolder(async (folder) => {
    expect(await millrace(folder, "verify", "nowhere")).toMatchObject({
      code: 2,
      stderr: "nowhere does not exist; name a pipeline file or a folder\n"
    })
    expect(await millrace(folder, "verify")).toMatchObject({
      code: 2,
      stderr: ". has no pipeline file, no lake and no data of millrace; name a file or another folder\n"
    })
  }))

const url = await databaseUrl()
it.skipIf(url === undefined)("a Postgres has each row read and its keys compared", () =>
  inFolder(async (folder) => {
    const schema = `verify_${Date.now()}`
    const file = pipeline(folder, `  db: { type: postgres, url: "${url}", schema: ${schema}, write: merge }`)
    expect((await millrace(folder, "run", file)).code).toBe(0)
    const { code, stdout } = await millrace(folder, "verify", file)
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("p: sink db: 1 table with 5 rows, 1 run by its hash, right")
    ])
  })
)
