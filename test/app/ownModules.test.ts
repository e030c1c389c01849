import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { namesOwnModules } from "#app/ownModules"
import { type Ended, inFolder, start } from "./millrace.ts"

const write = (folder: string, files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

const source = `
import { readFile } from "node:fs/promises"
import * as Schema from "effect/Schema"
import { Source } from "millrace"
export const lines = Source.simple({
  type: "lines",
  options: Schema.Struct({ path: Schema.String }),
  columns: { name: "VARCHAR NOT NULL", length: "BIGINT" },
  rows: async function* ({ path }, { resolve }) {
    for (const name of (await readFile(resolve(path), "utf8")).trim().split("\\n")) yield { name, length: name.length }
  }
})
`
const sink = `
import { appendFile } from "node:fs/promises"
import * as Schema from "effect/Schema"
import { Sink } from "millrace"
export const jsonl = Sink.simple({
  type: "jsonl",
  options: Schema.Struct({ path: Schema.String }),
  batch: (_, { rows, table }) => (table.name === "lines" ? rows.map((row) => JSON.stringify(row) + "\\n").join("") : ""),
  commit: ({ path }, { pieces, resolve }) => appendFile(resolve(path), pieces.join(""))
})
`
const clean = `
export const columns = { name: "VARCHAR", size: "BIGINT" }
export default (row: { name: string; length: number }) => {
  if (row.name === "bad") throw new Error("a bad name")
  return { name: row.name.toUpperCase(), size: row.length }
}
`
const pipeline = `
connectors: [./source.ts, ./sink.ts]
source: { type: lines, path: names.txt }
table: { key: name }
steps:
  - map: ./clean.ts
  - where: size > 2
sinks:
  db: { type: duckdb, path: ./own.duckdb }
  out: { type: jsonl, path: out.jsonl }
`
const files = {
  "source.ts": source,
  "sink.ts": sink,
  "clean.ts": clean,
  "own.yaml": pipeline,
  "names.txt": "Ada\nbad\nBo\nGrace\n"
}

/** A second Effect and a second Millrace beside the file, which must not be the ones that its modules get. */
const strangers = (folder: string) => {
  for (const name of ["effect", "millrace"]) {
    const place = join(folder, "node_modules", name)
    mkdirSync(place, { recursive: true })
    write(place, {
      "package.json": JSON.stringify({
        name,
        version: "3.0.0",
        type: "module",
        exports: { ".": "./index.js", "./*": "./index.js" }
      }),
      "index.js": `throw new Error("a stranger's ${name}")`
    })
  }
}

const run = (folder: string, ...args: ReadonlyArray<string>): Promise<Ended> => start(folder, ...args).ended

describe("a file with modules of its user", () => {
  it("is checked, planned, previewed, run, looked at and replayed like any other", () =>
    inFolder(async (folder) => {
      write(folder, files)
      strangers(folder)

      expect(await run(folder, "check", "own.yaml")).toEqual({ code: 0, stdout: "own.yaml: OK\n", stderr: "" })
      const plan = await run(folder, "plan", "own.yaml", "--json")
      expect(JSON.parse(plan.stdout)).toMatchObject({
        source: "lines",
        lacks: { out: ["exactlyOnce", "columns", "names", "again", "details", "shared", "read"] },
        tables: [{ name: "lines", key: ["name"], writes: { db: "merge", out: "append" } }, { name: "lines__rejects" }]
      })
      const ran = await run(folder, "run", "own.yaml", "--json")
      expect(ran).toMatchObject({ code: 0, stderr: expect.not.stringContaining("Error") })
      const { run_id: id } = JSON.parse(ran.stdout)
      expect(JSON.parse(ran.stdout)).toMatchObject({ status: "done", rows: { lines: 2 }, rejects: 1 })
      const preview = await run(folder, "preview", "own.yaml", "--format", "json")
      expect(
        preview.stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      ).toEqual([
        { name: "ADA", size: 3 },
        { name: "GRACE", size: 5 }
      ])
      expect((await run(folder, "runs")).stdout).toContain(id)
      expect((await run(folder, "rejects", "list")).stdout).toContain("./clean.ts: a bad name")

      const replayed = await run(folder, "replay", id, "own.yaml")
      expect(replayed.code).toBe(1)
      expect(replayed.stderr).toContain("sink out is behind: jsonl: it cannot write a run a second time")
      write(folder, { "names.txt": "Ada\nGrace\nEdsger\n" })
      expect((await run(folder, "run", "own.yaml")).code).toBe(0)
      const diff = await run(folder, "sql", "own.yaml", "SELECT name FROM lines ORDER BY name", "--format", "csv")
      expect(diff.stdout).toBe("name\nADA\nEDSGER\nGRACE\n")
    }))

  it("reads modules as they are written, also where npm has written that the folder is of the other kind", () =>
    inFolder(async (folder) => {
      write(folder, {
        ...files,
        "package.json": JSON.stringify({ name: "mine", type: "commonjs" }),
        "source.ts": source.replace(
          "export const lines",
          'import { least } from "./least.js"\nif (least !== 2) throw new Error("no number")\nexport const lines'
        ),
        "least.js": "exports.least = 2\n"
      })

      expect(await run(folder, "check", "own.yaml")).toEqual({ code: 0, stdout: "own.yaml: OK\n", stderr: "" })
    }))

  it("says what is wrong with a module at its place in the file", () =>
    inFolder(async (folder) => {
      write(folder, {
        ...files,
        "broken.ts": "export const a = 1\nexport const = 2\n",
        "needy.ts": 'import "nowhere-to-be-found"\n',
        "thrower.ts": 'throw new Error("not today")\n',
        "own.yaml": pipeline
          .replace("./sink.ts]", "./sink.ts, ./broken.ts, ./needy.ts, ./thrower.ts, ./no.ts, bare.ts, .]")
          .replace("type: jsonl", "type: of_broken")
      })

      const { code, stderr } = await run(folder, "check", "own.yaml")

      expect(code).toBe(2)
      expect(stderr).toContain("own.yaml:2:38: ./broken.ts cannot be loaded: ")
      expect(stderr).toContain("own.yaml:2:51: ./needy.ts cannot be loaded: ")
      expect(stderr).toContain("Cannot find package 'nowhere-to-be-found'")
      expect(stderr).toContain("own.yaml:2:63: ./thrower.ts cannot be loaded: line 1:7: not today")
      expect(stderr).toContain("own.yaml:2:77: ./no.ts cannot be read: there is no such file")
      expect(stderr).toContain("own.yaml:2:86: bare.ts is not the path of a file")
      expect(stderr).toContain("own.yaml:2:95: . is a folder")
      expect(stderr).not.toContain("must be a type that a connector offers")
    }))
})

describe("a connector from the template", () => {
  it("runs as it is, and is written once", () =>
    inFolder(async (folder) => {
      const made = await run(folder, "init", "--connector", "tickets")
      expect(made).toMatchObject({ code: 0, stderr: "" })
      expect(made.stdout).toMatch(/^wrote tickets; now: cd tickets && \S*millrace run pipeline.yaml; for its tests: /)

      const ran = await run(join(folder, "tickets"), "run", "pipeline.yaml", "--json")

      expect(JSON.parse(ran.stdout)).toMatchObject({ status: "done", rows: { tickets: 3 } })
      expect(await run(folder, "init", "--connector", "tickets")).toMatchObject({
        code: 2,
        stderr: "tickets already exists and is not empty; name another folder\n"
      })
      mkdirSync(join(folder, "notes"))
      write(join(folder, "notes"), { "mine.txt": "mine" })
      expect(await run(folder, "init", "--connector", "notes")).toMatchObject({
        code: 2,
        stderr: "notes already exists and is not empty; name another folder\n"
      })
      expect(readdirSync(join(folder, "notes"))).toEqual(["mine.txt"])
      mkdirSync(join(folder, "empty"))
      expect(await run(folder, "init", "--connector", "empty")).toMatchObject({ code: 0 })
      expect(await run(folder, "init", "--connector", "No Name")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("the name of the folder in --connector must begin with a lower-case letter")
      })
    }))
})

describe("namesOwnModules", () => {
  it("reads the files that a command names, else those of the folder, and no file for other commands", () =>
    inFolder(async (folder) => {
      write(folder, { "own.yaml": pipeline, "plain.yaml": "source: { type: crawl }\n" })
      const names = (...args: ReadonlyArray<string>) => namesOwnModules(args, {}, folder)

      expect(names("run", "own.yaml")).toBe(true)
      expect(names("run", "plain.yaml")).toBe(false)
      expect(names("check", "plain.yaml", "own.yaml")).toBe(true)
      expect(names("runs")).toBe(true)
      expect(names("replay", "20261125T232438583Z-8ed8dc")).toBe(true)
      expect(names("run", join(folder, "own.yaml"))).toBe(true)
      expect(names("schedule", folder)).toBe(true)
      expect(names("--version")).toBe(false)
      expect(namesOwnModules(["runs"], { MILLRACE_MODULES: "own" }, "/")).toBe(true)
    }))
})
