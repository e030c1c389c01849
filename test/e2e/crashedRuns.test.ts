/**
 * Real runs by the command line, killed with SIGKILL wherever a seed says, and run again until one ends: what is in the
 * destinations then is what one run would have left, and the service was asked for one job.
 */
import { randomUUID } from "node:crypto"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { parquet } from "#connectors/parquet/index"
import { tables } from "#connectors/webdata/index"
import { engine } from "#library/services"
import { randomFrom, seed } from "#testing/specimens"
import { type Ended, millrace, query, start } from "../app/millrace.ts"
import { databaseUrl } from "../connectors/postgres/database.ts"
import { query as inPostgres } from "../connectors/postgres/readTable.ts"
import { page, scriptedSite } from "../service/scriptedSite.ts"
import { s3 } from "../services/s3.ts"
import { isEveryCase, soaking, timesOf } from "../thoroughness.ts"
import { watchedService } from "./watchedService.ts"

const postgresUrl = await databaseUrl()
const paths = Array.from({ length: 40 }, (_, at) => `/p${at}`)
const routes: Record<string, string> = {
  "/": page("home", ...paths),
  ...Object.fromEntries(paths.map((path, at) => [path, page(`page ${at}`, "/", paths[(at * 7) % 40] ?? "/")]))
}

const scope = Scope.makeUnsafe()
const site = await Effect.runPromise(Scope.provide(scriptedSite(routes), scope))
const service = await Effect.runPromise(Scope.provide(watchedService(site.port), scope))
const folders: Array<string> = []
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const fresh = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-crash-"))
  folders.push(folder)
  return folder
}

const [random, killsEach] = [randomFrom(seed), timesOf(1, 2, 13)]

interface Subject {
  readonly name: string
  /** A place on a server that nobody has used: a prefix of S3, a schema of Postgres. Absent where all is in the folder. */
  readonly place?: () => string
  /** The file's lines below the source. */
  readonly lines: (place: string) => ReadonlyArray<string>
  /** What a reader finds, without what differs from run to run. */
  readonly seen: (folder: string, place: string) => Promise<unknown>
}

const steady = "url, status_code, title, markdown, links"
const inDuckdb = (sql: string) => (folder: string) => query(join(folder, "out.duckdb"), sql)

const inSqlite = (folder: string, name: string, sql: string): unknown => {
  const database = new DatabaseSync(join(folder, `${name}.sqlite`), { readOnly: true })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

/** The rows of a lake as the sink itself reads them. */
const inLake =
  (path: string, storage: typeof parquet.with extends (options: infer O) => unknown ? O : never) => (folder: string) =>
    Effect.runPromise(Effect.provide(parquet.with({ ...storage, path }).rows(folder, tables.pages), engine)).then(
      (rows) => rows.map((row) => [row["url"], row["title"], row["markdown"]].join(" | ")).sort()
    )

const local = inLake("./lake", { path: "./lake" })
const remote = (folder: string, lake: string) => inLake(lake, { path: lake, storage: s3?.access ?? {} })(folder)
const storage = (lake: string, more: string) =>
  `  lake: { type: parquet, path: "${lake}", storage: { endpoint: "${s3?.url}", access_key: "\${secrets.KEY}", secret_key: "\${secrets.SECRET}" }${more} }`

const merged = inDuckdb(`SELECT ${steady} FROM pages ORDER BY url`)
const children = inDuckdb("SELECT page_url, position, link FROM page_links ORDER BY ALL")
const runs = inDuckdb("SELECT count(*) AS runs, sum(credits) AS credits FROM _millrace_runs")

const subjects: ReadonlyArray<Subject> = [
  {
    name: "DuckDB, merge",
    lines: () => ["sinks:", "  db: { type: duckdb, path: ./out.duckdb }"],
    seen: async (folder) => [await merged(folder), await children(folder), await runs(folder)]
  },
  {
    name: "Parquet, append",
    lines: () => ["sinks:", "  lake: { type: parquet, path: ./lake }"],
    seen: local
  },
  {
    name: "SQLite, merge, and as a history",
    lines: () => [
      "table: { fingerprint: title }",
      "sinks:",
      "  db: { type: sqlite, path: ./out.sqlite }",
      "  past: { type: sqlite, path: ./past.sqlite, write: scd2, removed: close }"
    ],
    seen: async (folder) => [
      inSqlite(folder, "out", `SELECT ${steady} FROM pages ORDER BY url`),
      inSqlite(folder, "out", "SELECT page_url, position, link FROM page_links ORDER BY 1, 2, 3"),
      inSqlite(folder, "past", "SELECT url, title, is_current FROM pages ORDER BY 1, 2, 3"),
      inSqlite(folder, "out", "SELECT count(*) AS runs, sum(credits) AS credits FROM _millrace_runs")
    ]
  },
  {
    name: "DuckDB as a history and Parquet that merges, with steps and checks",
    lines: () => [
      "table: { fingerprint: title }",
      "steps: [{ where: \"url NOT LIKE '%/p13'\" }, { derive: { size: len(markdown) } }]",
      "checks: [{ rows: { min: 30 } }, { unique: url }]",
      "sinks:",
      "  db: { type: duckdb, path: ./out.duckdb, write: scd2, removed: close }",
      "  lake: { type: parquet, path: ./lake, write: merge }"
    ],
    seen: async (folder) => [
      await inDuckdb("SELECT url, title, size, is_current FROM pages ORDER BY ALL")(folder),
      await children(folder),
      await runs(folder),
      await local(folder)
    ]
  },
  ...(s3 === undefined
    ? []
    : [
        { name: "S3, append", place: s3.fresh, lines: (lake: string) => ["sinks:", storage(lake, "")], seen: remote },
        {
          name: "DuckDB, append, and S3",
          place: s3.fresh,
          lines: (lake: string) => [
            "sinks:",
            "  db: { type: duckdb, path: ./out.duckdb, write: append }",
            storage(lake, "")
          ],
          seen: async (folder: string, lake: string) => [
            await inDuckdb(`SELECT ${steady} FROM pages ORDER BY ALL`)(folder),
            await runs(folder),
            await remote(folder, lake)
          ]
        }
      ]),
  ...(postgresUrl === undefined
    ? []
    : [
        {
          name: "Postgres, merge, and as a history",
          place: () => `s${randomUUID().slice(0, 8)}`,
          lines: (schema: string) => [
            "table: { fingerprint: title }",
            "sinks:",
            `  db: { type: postgres, url: "\${secrets.POSTGRES}", schema: ${schema} }`,
            `  past: { type: postgres, url: "\${secrets.POSTGRES}", schema: ${schema}_past, write: scd2, removed: close }`
          ],
          seen: (_: string, schema: string) =>
            Promise.all(
              [
                `SELECT ${steady} FROM ${schema}.pages ORDER BY url`,
                `SELECT page_url, position, link FROM ${schema}.page_links ORDER BY 1, 2, 3`,
                `SELECT url, title, is_current FROM ${schema}_past.pages ORDER BY 1, 2, 3`,
                `SELECT count(*) AS runs, sum(credits) AS credits FROM ${schema}._millrace_runs`
              ].map((sql) => inPostgres(Redacted.make(postgresUrl), sql))
            )
        }
      ])
]

/** Writes the pipeline file of a subject into a folder, and gives what its runs are told. */
const prepare = (folder: string, subject: Subject, place: string): void => {
  const source = "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }"
  writeFileSync(
    join(folder, "crash.yaml"),
    [source, `service: { url: "${service.url}" }`, ...subject.lines(place), ""].join("\n")
  )
}

const run = ["run", "crash.yaml", "--json"]
process.env["MILLRACE_SECRET_KEY"] = "test"
process.env["MILLRACE_SECRET_SECRET"] = "testsecret"
if (postgresUrl !== undefined) process.env["MILLRACE_SECRET_POSTGRES"] = postgresUrl

/** The site changes: a page has another title, one is gone, one is new. Back again for the next. */
const changed = async <A>(use: () => Promise<A>): Promise<A> => {
  const before = { ...routes }
  Object.assign(routes, { "/p20": page("page 20, newer"), "/p21": page("page 21, newer", "/new"), "/new": page("new") })
  delete routes["/p39"]
  try {
    return await use()
  } finally {
    delete routes["/new"]
    Object.assign(routes, before)
  }
}

/** A run that is killed some time after the nth answer of some kind, or after its start. */
const killed = (folder: string): Promise<Ended> => {
  const child = start(folder, ...run)
  const what = ["start", "status", "errors", "errors", "process"][random(5)] ?? "process"
  let nth = 1 + random(what === "status" ? 3 : 1)
  const later = random(what === "process" ? 1500 : what === "errors" ? 700 : 200)
  const kill = () => setTimeout(() => child.process.kill("SIGKILL"), later)
  if (what === "process") kill()
  else service.onAnswer = (answered) => (answered === what && --nth === 0 ? kill() : undefined)
  return child.ended
}

/** How many runs have come to their end, as the journal has it. */
const ended = (folder: string): number => {
  const home = join(folder, ".millrace/pipelines/crash/runs")
  const states = existsSync(home) ? readdirSync(home).map((run) => join(home, run, "run.json")) : []
  return states.filter((file) => existsSync(file) && /"status": "done"/.test(readFileSync(file, "utf8"))).length
}

/**
 * Runs, kills and runs again until the kills are used up; the last run ends by itself. How often it was killed: a kill
 * that comes when the run has ended, and its process has not, is none.
 */
const campaign = async (folder: string, most: number): Promise<number> => {
  const before = ended(folder)
  for (let kills = 0; ; ) {
    const { code, stderr } = await (kills < most ? killed(folder) : millrace(folder, ...run))
    service.onAnswer = () => {}
    if (code === 0 || (code === null && ended(folder) > before)) return kills
    if (code !== null) throw new Error(`a run ended with ${code}: ${stderr}`)
    kills += 1
  }
}

describe(`runs that are killed (MILLRACE_SEED=${seed})`, () => {
  for (const subject of subjects) {
    // On a commit the subject with DuckDB and S3, which reads the same lake from the same server, stands for S3 alone.
    const sentence = `${subject.name}: ${killsEach} kills leave what runs leave that are not, and one job is paid for`
    // In a sample the one with a history and a lake stands for all: each sink alone is killed by its suite of crashes.
    const isHere = isEveryCase
      ? soaking || subject.name !== "S3, append"
      : subject.name.includes("as a history and Parquet")
    it.runIf(isHere)(sentence, async () => {
      const begin = async (): Promise<{ folder: string; place: string }> => {
        const [folder, place] = [fresh(), subject.place?.() ?? ""]
        prepare(folder, subject, place)
        await campaign(folder, 0)
        return { folder, place }
      }
      const first = await begin()
      // What is local can be copied: the state after the first run is the same for all. On a server each has its own.
      const another = async () => {
        if (subject.place !== undefined) return begin()
        const folder = fresh()
        cpSync(first.folder, folder, { recursive: true })
        return { folder, place: "" }
      }
      const reference = subject.place === undefined ? await another() : first
      const asked = site.requests.length
      await changed(() => campaign(reference.folder, 0))
      const each = site.requests.length - asked
      const expected = await subject.seen(reference.folder, reference.place)

      let kills = 0
      for (let most = 5; kills < killsEach; most = 3 + random(4)) {
        const { folder, place } = await another()
        const [before, requests] = [service.started(), site.requests.length]
        kills += await changed(() => campaign(folder, Math.min(most, killsEach - kills)))

        expect(await subject.seen(folder, place)).toEqual(expected)
        expect(service.started() - before).toBe(1)
        expect(site.requests.length - requests).toBe(each)
      }
      expect(kills).toBe(killsEach)
    })
  }
})
