import { execFile } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { page, scriptedSite } from "../service/scriptedSite.ts"
import { soaking } from "../thoroughness.ts"

const root = resolve(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "millrace-package-"))
const app = join(folder, "app")
const node = process.execPath
const exec = promisify(execFile)

/** Runs a command in the empty folder's app, with nothing of this checkout on its path. */
const inApp = (command: string, ...args: ReadonlyArray<string>) =>
  exec(command, args, { cwd: app, env: { ...process.env, PATH: outsidePath() }, maxBuffer: 1 << 26 })

/** The package brings no Node: the one on the path is that of this test. */
const outsidePath = () => [dirname(node), ...foreignPath()].join(":")

const foreignPath = () => (process.env["PATH"] ?? "").split(":").filter((part) => !part.startsWith(root))

/** Whether this run has built the package already, without its types. */
const isBuilt = inject("command") !== undefined && !soaking

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** What this checkout's lock file says of the package itself, and of the packages that it needs when it is installed. */
const locked = (): { readonly self: any; readonly needed: ReadonlyArray<[folder: string, entry: Locked]> } => {
  const packages: Readonly<Record<string, Locked>> = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8")
  ).packages
  const needed = new Map<string, Locked>()
  const need = ({ dependencies, optionalDependencies }: Locked): void => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const folder = `node_modules/${name}`
      const entry = packages[folder]
      if (entry === undefined || needed.has(folder)) continue
      needed.set(folder, entry)
      need(entry)
    }
  }
  const { "": self = {} } = packages
  need(self)
  return { self, needed: [...needed] }
}

/** By npm, with this lock file as the app's: the same versions, so that npm needs nothing that it has not fetched before. */
const installByNpm = async (tarball: string) => {
  const { needed, self } = locked()
  const { version, dependencies, bin, engines } = self
  const millrace = { version, resolved: `file:${tarball}`, dependencies, bin, engines }
  const own = { name: "app", version: "1.0.0", dependencies: { millrace: `file:${tarball}` } }
  const packages = { "": own, "node_modules/millrace": millrace, ...Object.fromEntries(needed) }
  writeFileSync(join(app, "package.json"), JSON.stringify({ ...own, type: "module", private: true }))
  writeFileSync(
    join(app, "package-lock.json"),
    JSON.stringify({ ...own, lockfileVersion: 3, requires: true, packages })
  )
  await inApp("npm", "ci", "--omit=peer", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts")
}

/** As npm leaves it, without its half minute: the tarball unpacked beside links to the packages that it needs, and no other. */
const installByHand = async (tarball: string) => {
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", type: "module", private: true }))
  const modules = join(app, "node_modules")
  mkdirSync(join(modules, "millrace"), { recursive: true })
  await exec("tar", ["-xzf", tarball, "--strip-components=1", "-C", join(modules, "millrace")])
  for (const [folder] of locked().needed) {
    // What is for another machine is not there.
    if (!existsSync(join(root, folder))) continue
    mkdirSync(dirname(join(app, folder)), { recursive: true })
    symlinkSync(join(root, folder), join(app, folder))
  }
  mkdirSync(join(modules, ".bin"))
  symlinkSync("../millrace/bin/millrace.cjs", join(modules, ".bin/millrace"))
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
    const flags = isBuilt ? ["--ignore-scripts"] : []
    await exec("npm", ["pack", ...flags, "--pack-destination", folder], { cwd: root, maxBuffer: 1 << 26 })
    const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"))
    if (tarball === undefined) throw new Error("npm pack made no tarball")
    mkdirSync(app)
    await (isBuilt ? installByHand : installByNpm)(join(folder, tarball))
  })
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

      const { stdout } = await inApp(node, "library.js")

      expect(JSON.parse(stdout)).toMatchObject({ pages: 3, crawl_jobs: 1 })
    }))

  it("loads rows in three lines, and loads nothing of the service for it", async () => {
    writeFileSync(
      join(app, "three.js"),
      `
      import { registerHooks } from "node:module"
      const loaded = []
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
      const { rows, run, sql } = await import("millrace")
      const { duckdb } = await import("millrace/connectors/duckdb")
      const db = duckdb.with({ path: "./three.duckdb" })
      await run({ source: rows([{ id: 1, name: "Ada" }, { id: 2, name: null }], { table: "people", key: "id" }), sinks: { db } })
      const people = await sql(db, "SELECT id, name FROM people ORDER BY id")
      console.log(JSON.stringify({ people, service: loaded.filter((url) => url.includes("/dist/src/service/")).length }))
      `
    )

    const { stdout } = await inApp(node, "three.js")

    expect(JSON.parse(stdout)).toEqual({
      people: [
        { id: 1, name: "Ada" },
        { id: 2, name: null }
      ],
      service: 0
    })
  })

  it("runs a connector of one's own from a file, and shares its Effect with it", async () => {
    await inApp("node_modules/.bin/millrace", "init", "--connector", "tickets")
    // What a package manager may have put beside the file: these must not be what its modules get.
    for (const name of ["effect", "millrace"]) {
      const place = join(app, "tickets/node_modules", name)
      mkdirSync(place, { recursive: true })
      writeFileSync(
        join(place, "package.json"),
        JSON.stringify({ name, type: "module", exports: { ".": "./index.js", "./*": "./index.js" } })
      )
      writeFileSync(join(place, "index.js"), `throw new Error("a stranger's ${name}")`)
    }

    const { stdout } = await inApp("node_modules/.bin/millrace", "run", "tickets/pipeline.yaml", "--json")

    expect(JSON.parse(stdout)).toMatchObject({
      status: "done",
      rows: { tickets: 3 },
      sinks: { out: {}, warehouse: {} }
    })
    expect(readFileSync(join(app, "tickets/out/tickets.jsonl"), "utf8").split("\n")).toHaveLength(4)
    const { stdout: runs } = await inApp("node_modules/.bin/millrace", "runs", "tickets/pipeline.yaml")
    expect(runs).toContain("out, warehouse")
    rmSync(join(app, "tickets/node_modules"), { recursive: true })
  })

  it("says which packages the suites need, and runs those of a new connector where they are", async () => {
    writeFileSync(
      join(app, "suites.js"),
      'await import("millrace/testing").catch(({ message }) => console.log(message))'
    )
    const { stdout: missing } = await inApp(node, "suites.js")
    expect(missing).toBe(
      "millrace/testing needs vitest and @effect/vitest: npm install --save-dev vitest @effect/vitest\n"
    )
    // As a package, not as a link: it must find the Effect of the app.
    cpSync(join(root, "node_modules/@effect/vitest"), join(app, "node_modules/@effect/vitest"), { recursive: true })
    symlinkSync(join(root, "node_modules/vitest"), join(app, "node_modules/vitest"))

    await inApp(
      node,
      "node_modules/vitest/vitest.mjs",
      "run",
      "--root",
      "tickets",
      "--reporter=json",
      `--outputFile=${join(app, "suites.json")}`
    )

    const { numFailedTests, numPassedTests, numPendingTests } = JSON.parse(
      readFileSync(join(app, "suites.json"), "utf8")
    )
    expect(numFailedTests).toBe(0)
    expect(numPassedTests).toBeGreaterThan(25)
    // What the source and the sink declare that they lack.
    expect(numPendingTests).toBeGreaterThan(50)
  })

  it("is there for `require`", async () => {
    writeFileSync(join(app, "required.cjs"), 'console.log(typeof require("millrace").run)')

    const { stdout } = await inApp(node, "required.cjs")

    expect(stdout).toBe("function\n")
  })

  it("tells a Node that is too old what it needs, in one line", async () => {
    // What Node 20 lacks, beside its version.
    writeFileSync(
      join(app, "old.js"),
      `
      import { registerHooks } from "node:module"
      Object.defineProperty(process.versions, "node", { value: "20.20.2" })
      const zlib = \`const zlib = process.getBuiltinModule("node:zlib")
        export const { \${Object.keys(process.getBuiltinModule("node:zlib")).filter((name) => !/zstd/i.test(name))} } = zlib\`
      registerHooks({
        resolve: (name, context, next) => {
          if (!context.parentURL?.includes("/millrace/dist/")) return next(name, context)
          if (name === "node:sqlite") throw new Error("No such built-in module: node:sqlite")
          if (name !== "node:zlib") return next(name, context)
          return { url: "data:text/javascript," + encodeURIComponent(zlib), shortCircuit: true }
        }
      })
      await import("millrace/connectors/duckdb")
      await import("millrace/connectors/webdata")
      await import("millrace").catch(({ message }) => console.log(message))
      `
    )

    const { stdout } = await inApp(node, "old.js")

    expect(stdout).toBe("millrace needs Node 22.19 or newer; this is 20.20.2: install a newer one\n")
  })

  it("says what to do where no Node is new enough, and takes one that npm put beside it", async () => {
    const old = join(folder, "old")
    mkdirSync(old)
    writeFileSync(join(old, "node"), "#!/bin/sh\nexit 1\n", { mode: 0o755 })
    const beside = join(app, "node_modules", `node-${process.platform}-${process.arch}`)
    const start = () =>
      exec("sh", [join(app, "node_modules/millrace/bin/millrace"), "--version"], {
        env: { ...process.env, MILLRACE_NODE: "", PATH: [old, ...foreignPath()].join(":") }
      })

    const refused = await start().catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^millrace: needs Node 22\.19 or newer; install a newer one, or add one beside it: npm install node-linux-\w+@24\n$/
      )
    })
    mkdirSync(join(beside, "bin"), { recursive: true })
    symlinkSync(node, join(beside, "bin/node"))
    const { stdout } = await start()
    expect(stdout).toContain("0.1.0")
    rmSync(beside, { recursive: true })
  })

  it("starts the command from another folder, through a link", async () => {
    const { stdout } = await exec("sh", ["-c", `cd / && ${join(app, "node_modules/.bin/millrace")} --version`], {
      env: { ...process.env, PATH: outsidePath() }
    })

    expect(stdout).toContain("0.1.0")
  })
})
