import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { page, scriptedSite } from "../service/scriptedSite.ts"

const root = resolve(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "millrace-package-"))
const app = join(folder, "app")
const exec = promisify(execFile)

/** Runs a command in the empty folder's app, with nothing of this checkout on its path. */
const inApp = (command: string, ...args: ReadonlyArray<string>) =>
  exec(command, args, { cwd: app, env: { ...process.env, PATH: outsidePath() }, maxBuffer: 1 << 26 })

const outsidePath = () =>
  (process.env["PATH"] ?? "")
    .split(":")
    .filter((part) => !part.startsWith(root))
    .join(":")

/** This checkout's lock file as the app's: the same versions, so that npm needs nothing that it has not fetched before, peers left out. */
const writeApp = (tarball: string) => {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))
  const { "": self, ...locked } = lock.packages
  const { version, dependencies, optionalDependencies, bin, engines } = self
  const millrace = { version, resolved: `file:${tarball}`, dependencies, optionalDependencies, bin, engines }
  const own = { name: "app", version: "1.0.0", dependencies: { millrace: `file:${tarball}` } }
  const needed = Object.entries(locked).filter(([, entry]) => (entry as { dev?: boolean }).dev !== true)
  const packages = { "": own, "node_modules/millrace": millrace, ...Object.fromEntries(needed) }
  writeFileSync(join(app, "package.json"), JSON.stringify({ ...own, type: "module", private: true }))
  writeFileSync(
    join(app, "package-lock.json"),
    JSON.stringify({ ...own, lockfileVersion: 3, requires: true, packages })
  )
}

const withSite = <A>(use: (port: number) => Promise<A>): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const site = yield* scriptedSite({ "/": page("home", "/a", "/b"), "/a": page("a"), "/b": page("b") })
        return yield* Effect.promise(() => use(site.port))
      })
    )
  )

describe("the installed package", () => {
  beforeAll(async () => {
    await exec("npm", ["pack", "--pack-destination", folder], { cwd: root, maxBuffer: 1 << 26 })
    const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"))
    if (tarball === undefined) throw new Error("npm pack made no tarball")
    await exec("mkdir", ["-p", app])
    writeApp(join(folder, tarball))
    await inApp("npm", "ci", "--omit=peer", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts")
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("holds what runs and nothing else", () => {
    expect(readdirSync(join(app, "node_modules/millrace")).toSorted()).toEqual([
      "LICENSE",
      "README.md",
      "bin",
      "dist",
      "package.json",
      "pipelines"
    ])
    expect(existsSync(join(app, "node_modules/vitest"))).toBe(false)
    // The command line is files of its own, and the demo site one of them that no other command loads.
    for (const own of ["cli", "site"]) expect(existsSync(join(app, "node_modules/millrace/dist/src", own))).toBe(false)
  })

  it("runs a pipeline by the millrace command", () =>
    withSite(async (port) => {
      writeFileSync(
        join(app, "site.yaml"),
        [
          "source: { type: crawl, url: http://site.test/ }",
          "sinks:",
          "  db: { type: duckdb, path: ./command.duckdb }",
          "  lake: { type: parquet, path: ./lake }"
        ].join("\n")
      )

      const { stdout } = await inApp(
        "node_modules/.bin/millrace",
        "run",
        "site.yaml",
        "--json",
        "--resolve",
        `site.test=127.0.0.1:${port}`
      )

      expect(JSON.parse(stdout)).toMatchObject({ pipeline: "site", status: "done", rows: { pages: 3 }, credits: 3 })
      expect(existsSync(join(app, "command.duckdb"))).toBe(true)
      expect(readdirSync(join(app, "lake"))).toContain("_manifest")
    }))

  it("reaches for the Postgres that its service is to use", async () => {
    const database = "postgres://u:secret@127.0.0.1:1/none"
    const failed = await inApp("node_modules/.bin/millrace", "serve", "--port=0", `--database=${database}`).catch(
      (error: unknown) => (error as { readonly stderr: string }).stderr
    )

    expect(failed).toContain("cannot use the database postgres://127.0.0.1:1/none: connect ECONNREFUSED 127.0.0.1:1")
  })

  it("runs a pipeline by importing the library", () =>
    withSite(async (port) => {
      writeFileSync(
        join(app, "library.js"),
        `
        import * as Effect from "effect/Effect"
        import * as Layer from "effect/Layer"
        import { Journals, Pipeline, Run, Stages } from "millrace"
        import { Limits } from "millrace/api"
        import { WebData } from "millrace/client"
        import { duckdb } from "millrace/connectors/duckdb"
        import { crawl } from "millrace/connectors/webdata"
        import { Embedded, ServiceConfig } from "millrace/service"

        const pipeline = Pipeline.make({
          name: "library",
          source: crawl.with({ url: "http://site.test/", limit: Math.min(10, Limits.defaultCrawlLimit) }),
          sinks: { db: duckdb.with({ path: "./library.duckdb" }) }
        })
        const config = { ...ServiceConfig.defaults, resolve: new Map([["site.test", { address: "127.0.0.1", port: ${port} }]]) }
        const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(config)))
        const parts = Layer.mergeAll(service, Journals.layer, Stages.layer)
        const report = await Effect.runPromise(Run.run(pipeline).pipe(Effect.provide(parts)))
        console.log(JSON.stringify(report.rows))
        `
      )

      const { stdout } = await inApp(join(app, "node_modules/.bin/node"), "library.js")

      expect(JSON.parse(stdout)).toMatchObject({ pages: 3, crawl_jobs: 1 })
    }))

  it("starts the command from another folder, through a link", async () => {
    const { stdout } = await exec("sh", ["-c", `cd / && ${join(app, "node_modules/.bin/millrace")} --version`], {
      env: { ...process.env, PATH: outsidePath() }
    })

    expect(stdout).toContain("0.1.0")
  })
})
