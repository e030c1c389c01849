/**
 * Random damages to every kind of file of a folder: the next run ends right, or says in words what is wrong, and then one command
 * mends it. None is done and wrong. MILLRACE_SEED repeats a campaign; the soak prints its table.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { randomFrom, seed } from "#testing/specimens"
import { soaking, timesOf } from "../../thoroughness.ts"
import { runHere } from "../millrace.ts"
import { damage, filesIn, type Kind, kinds, olderOf, restore } from "./Damage.ts"
import { type Rows, rowsOf, startSchedule, startService, unnamed } from "./programs.ts"
import { expectedAfter, make, type Name, names, rowsIn, turn, unlike } from "./workspace.ts"

const ground = mkdtempSync(join(tmpdir(), "millrace-damages-"))
const folder = join(ground, "work")
let stages: ReadonlyArray<string> = []
/** The rows of the databases of the programs after each of two starts without damage. */
const wholeRows = new Map<string, readonly [Rows, Rows]>()

beforeAll(async () => {
  stages = await make(folder, join(ground, "stages"))
  for (const path of databases) {
    const rows: Array<Rows> = []
    for (let start = 0; start < 2; start++) {
      restore(stages.at(-1) ?? "", folder)
      await starterOf(path)(folder)
      rows.push(rowsOf(join(folder, path)))
    }
    const [one = new Map(), other = new Map()] = rows
    wholeRows.set(path, [one, other])
  }
}, 120_000)
afterAll(() => {
  rmSync(ground, { recursive: true, force: true })
  if (soaking) process.stdout.write(tableOf(outcomes))
})

const databases = [".millrace/schedule.sqlite", ".millrace/service/service.sqlite"]
const starterOf = (path: string) => (path.includes("schedule") ? startSchedule : startService)

/** Of what kind a file is, by its path; undefined: millrace does not read it, such as a lock. */
const kindOf = (path: string): string | undefined => {
  const found = kindsOfFiles.find(([, pattern]) => pattern.test(path))
  return found?.[0] === "lock" ? undefined : found?.[0]
}
const kindsOfFiles: ReadonlyArray<readonly [string, RegExp]> = [
  ["lock", /\/lock(\.pid)?$/],
  ["manifest", /_manifest\/\d{12}\.json$/],
  ["file list", /_manifest\/files\//],
  ["Delta log", /_delta_log\//],
  ["Iceberg metadata", /metadata\/(v\d+\.metadata\.json|version-hint\.text)$/],
  ["Iceberg avro", /\.avro$/],
  ["read.sql", /read\.sql$/],
  ["data file", /\.parquet$/],
  ["DuckDB file", /\.duckdb$/],
  ["journal", /\.millrace\/pipelines\//],
  ["schedule", /schedule\.sqlite/],
  ["service", /service\.sqlite/],
  ["secret", /seal-key/]
]

/** The pipeline whose file it is. */
const ownerOf = (path: string): Name =>
  names.find((name) => path.startsWith(`${name}/`) || path.includes(`/pipelines/${name}/`)) ?? "base"

/** Whether a file is of the schedule or of the service. */
const isOfProgram = (path: string): boolean => ["schedule", "service", "secret"].includes(kindOf(path) ?? "")

interface Case {
  readonly path: string
  readonly kind: Kind
  readonly random: (below: number) => number
}

/** One of each kind of file in turn, so that the many do not hide the few. */
const draw = (number: number): Case => {
  const random = randomFrom(seed + number)
  const files = filesIn(folder).filter((path) => kindOf(path) !== undefined)
  const all = [...new Set(files.map((path) => kindOf(path)))]
  const drawn = all[random(all.length)]
  const own = files.filter((path) => kindOf(path) === drawn)
  return { path: own[random(own.length)] ?? "", kind: kinds[random(kinds.length)] ?? "bit", random }
}

type Outcome =
  | "no change"
  | "right"
  | "right, lost run named"
  | "right, lost rows named"
  | "begins without what is lost"
  | "right, damaged data named by verify"
  | "refused, mended"
  | "refused, lost runs named"
const outcomes: Array<{ readonly file: string; readonly kind: Kind; readonly outcome: Outcome }> = []

/** Damages a file, and runs. It throws if a run is done and wrong, or if one command does not mend it. */
const play = async ({ kind, path, random }: Case): Promise<Outcome> => {
  const name = ownerOf(path)
  const isKilled = kindOf(path) === "journal" && random(2) === 0
  restore(isKilled ? join(ground, "stages/killed") : (stages.at(-1) ?? ""), folder)
  const file = join(folder, path)
  if (
    !damage(
      file,
      kind,
      random,
      olderOf(path, stages, folder, (other) => kindOf(other) ?? "")
    )
  )
    return "no change"
  if (isOfProgram(path)) return playProgram(path, kind)
  const expected = expectedAfter(name, [1, 2, 3, 4])
  const { message: first, warnings } = await ended(name)
  if (first === "done") {
    // No reader sees the rows of a damaged data file: it gives an error, or the file is another whole one.
    const found = await rowsIn(folder, name).catch(() => undefined)
    if (JSON.stringify(found) === JSON.stringify(expected)) {
      expect(await unlike(folder, name), "other readers").toBeUndefined()
      return "right"
    }
    if (warnings.some((warning) => warning.includes("does not have run"))) return "right, lost run named"
    expect(["data file", "DuckDB file"], `rows ${found?.length} of ${expected.length}`).toContain(kindOf(path))
    expect(kindOf(path) === "data file" || found === undefined, "rows of a DuckDB file that was read").toBe(true)
  }
  // In words: what it is about, and what to do.
  if (first !== "done") expect(first, first).toMatch(/verify|backup|move it away|put it back|put a good copy/)
  expect(first).not.toMatch(/\n\s+at |undefined/)
  if (name === "base" && kindOf(path) === "DuckDB file" && first !== "done") {
    rmSync(file, { force: true })
    expect((await ended(name)).message).toBe("done")
    return "refused, lost runs named"
  }
  const { code, stderr, stdout } = await runHere(folder, ["verify", ".", "--repair", "--json"])
  const said = String(stdout)
  if (kindOf(path) === "DuckDB file") {
    expect(said).toContain(path)
    return "right, damaged data named by verify"
  }
  expect([0, 1], `${said}${stderr}`).toContain(code)
  expect((await ended(name)).message, said).toBe("done")
  expect(await unlike(folder, name), said).toBeUndefined()
  const found = await rowsIn(folder, name)
  if (first === "done") {
    expect(said, "the data file").toContain(path.slice(name.length + 1))
    return "right, damaged data named by verify"
  }
  if (JSON.stringify(found) === JSON.stringify(expected)) return "refused, mended"
  expect(said, "rows are lost").toMatch(/"outcome":"lost".*"runs":\["/)
  return "refused, lost runs named"
}

/** The same for the schedule and the service: they start with what they had or name what is lost, or one command lets them. */
const playProgram = async (path: string, kind: Kind): Promise<Outcome> => {
  const start = starterOf(path)
  const started = await start(folder)
  if (started.fault === undefined) {
    // Nothing says what was in a file that is not there, or that an older one has taken the place of.
    if (["missing", "empty", "older version"].includes(kind)) return "begins without what is lost"
    const whole = wholeRows.get(path)
    if (whole === undefined) return "right"
    const found = rowsOf(join(folder, path))
    expect(unnamed(whole, found), "rows with other values, or gone without a word").toEqual([])
    return (found.get("set_aside") ?? []).some(({ table }) => table !== "") ? "right, lost rows named" : "right"
  }
  expect(started.fault, started.fault).toMatch(/restore it from a backup|put it back|delete the file|move it away/)
  const { stdout } = await runHere(folder, ["verify", ".", "--repair", "--json"])
  if (kindOf(path) === "secret") rmSync(join(folder, path), { force: true })
  expect((await start(folder)).fault, String(stdout)).toBeUndefined()
  return "refused, lost runs named"
}

/** Runs a pipeline once more: "done", or the message of its failure. */
const ended = async (name: Name): Promise<{ readonly message: string; readonly warnings: ReadonlyArray<string> }> => {
  try {
    const { status, warnings } = await turn(folder, name, 4)
    return { message: status, warnings: warnings.map(({ message }) => message) }
  } catch (cause) {
    return { message: cause instanceof Error ? cause.message : String(cause), warnings: [] }
  }
}

const tableOf = (all: typeof outcomes): string => {
  const files = [...new Set(all.map(({ file }) => file))].sort()
  const results = [...new Set(all.map(({ outcome }) => outcome))].sort()
  const line = (file: string, kind: string) => {
    const of = all.filter((one) => one.file === file && one.kind === kind)
    const counts = results.map((result) => of.filter(({ outcome }) => outcome === result).length)
    return of.length === 0 ? [] : [`| ${file} | ${kind} | ${counts.join(" | ")} |`]
  }
  const head = [`| file | damage | ${results.join(" | ")} |`, `|---|---|${results.map(() => "---").join("|")}|`]
  return `${[...head, ...files.flatMap((file) => kinds.flatMap((kind) => line(file, kind)))].join("\n")}\n`
}

const cases = timesOf(4, 24, 1000)
it(`of ${cases} random damages none leaves a run done and wrong, or more to do than one command (MILLRACE_SEED=${seed})`, async () => {
  const faults: Array<string> = []
  for (let number = 0; number < cases; number++) {
    restore(stages.at(-1) ?? "", folder)
    const drawn = draw(number)
    const file = kindOf(drawn.path) ?? ""
    try {
      outcomes.push({ file, kind: drawn.kind, outcome: await play(drawn) })
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      faults.push(`MILLRACE_SEED=${seed + number}: ${drawn.kind} of ${drawn.path}: ${why}`)
      if (!soaking) break
    }
  }
  expect(faults).toEqual([])
}, 3_600_000)

it("the folder of the campaign has every kind of file", () => {
  const found = new Set(filesIn(stages.at(-1) ?? "").map((path) => kindOf(path)))
  for (const kind of [
    "manifest",
    "Delta log",
    "Iceberg metadata",
    "Iceberg avro",
    "read.sql",
    "data file",
    "DuckDB file",
    "journal",
    "file list",
    "schedule",
    "service",
    "secret"
  ]) {
    expect([...found]).toContain(kind)
  }
  expect(readFileSync(join(stages.at(-1) ?? "", "merged/read.sql"), "utf8")).toContain("things")
})
