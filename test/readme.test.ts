import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Server from "../src/site/Server.ts"
import * as Site from "../src/site/Site.ts"
import { inFolder, millrace, query, start, write } from "./cli/millrace.ts"

const root = resolve(import.meta.dirname, "..")
const readme = readFileSync(join(root, "README.md"), "utf8")

const blocks = (language: string): ReadonlyArray<string> =>
  [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text]) =>
    name === language ? [text ?? ""] : []
  )

/** The demo site, standing in for the reader's own: `use` gets the flags that find it. */
const withDemo = (use: (folder: string, address: string) => Promise<void>): Promise<void> =>
  inFolder((folder) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* Server.serve(Site.make({ seed: 1, revision: 1 }), {
            host: "127.0.0.1",
            port: 0,
            slowness: 1
          })
          yield* Effect.promise(() => use(folder, new URL(url).host))
        })
      )
    )
  )

describe("README.md", () => {
  it("has a test here for every code block", () => {
    expect(blocks("sh")).toHaveLength(3)
    expect(blocks("yaml").length).toBeGreaterThan(6)
    expect(blocks("ts")).toHaveLength(1)
  })

  it("begins with commands that CI runs", () => {
    const ci = readFileSync(join(root, ".ci/run"), "utf8")
    const scripts = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts

    expect(blocks("sh")[0]).toBe("npm ci\nnpm run quickstart\n")
    expect(ci).toContain("npm ci ")
    expect(ci).toContain("npm run --silent quickstart")
    expect(scripts.quickstart).toBe("node scripts/quickstart.ts")
  })

  it("loads the reader's own site with the commands it gives", () =>
    withDemo(async (folder, address) => {
      const resolved = ["--resolve", `your.site=${address}`]
      for (const line of (blocks("sh")[1] ?? "").trim().split("\n")) {
        const [, command = "", ...rest] = line.replace("https://", "http://").split(" ")
        const { code, stderr } = await millrace(folder, command, ...rest, ...(command === "init" ? [] : resolved))
        // A machine that is slow is told how far it is, in lines of JSON.
        expect(stderr.split("\n").filter((line) => line !== "" && !/, \d+\.\d s$/.test(line))).toEqual([])
        expect(code).toBe(0)
      }

      const [row] = await query(
        join(folder, "my.duckdb"),
        "SELECT count(*) > 300 AS many, count(*) = count(DISTINCT url) AS once FROM pages"
      )
      expect(row).toEqual({ many: true, once: true })
      expect(readdirSync(join(folder, "my-lake/_manifest"))).toEqual(["000000000001.json"])
    }))

  it.each([...blocks("yaml").keys()])("shows pipeline files that are good: %i", (shown) =>
    inFolder(async (folder) => {
      process.env["MILLRACE_SECRET_LAKE_KEY"] = "key"
      process.env["MILLRACE_SECRET_LAKE_SECRET"] = "secret"
      process.env["MILLRACE_SECRET_SLACK_URL"] = "https://hooks.example.com/services/1"
      process.env["MILLRACE_SECRET_HOOK_SECRET"] = "secret"
      const file = write(folder, "shown.yaml", blocks("yaml")[shown] ?? "")

      expect(await millrace(folder, "check", file)).toEqual({ code: 0, stdout: "shown.yaml: good\n", stderr: "" })
    })
  )

  it("has examples beside it that are good", async () => {
    const files = readdirSync(join(root, "pipelines")).filter((file) => file.endsWith(".yaml"))

    expect(files.length).toBeGreaterThan(1)
    expect(await millrace(join(root, "pipelines"), "check", ...files)).toEqual({
      code: 0,
      stdout: files.map((file) => `${file}: good\n`).join(""),
      stderr: ""
    })
  })

  it("serves with the command it gives", () =>
    inFolder(async (folder) => {
      const [, command = "", ...rest] = (blocks("sh")[2] ?? "").trim().replace("3002", "0").split(" ")
      const { process, ended } = start(folder, command, ...rest)
      const url = await new Promise<string>((done) =>
        process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
      )

      const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
        readonly paths: Record<string, unknown>
      }
      process.kill("SIGTERM")
      await ended

      expect(Object.keys(document.paths)).toContain("/v2/crawl/{id}")
    }))

  it("runs the TypeScript that it shows", () =>
    withDemo(async (folder, address) => {
      const [host = "", port = ""] = address.split(":")
      const code = (blocks("ts")[0] ?? "")
        .replace("https://your.site", "http://your.site")
        .replace(
          "ServiceConfig.defaults",
          `{ ...ServiceConfig.defaults, resolve: new Map([["your.site", { address: "${host}", port: ${port} }]]) }`
        )
        .replace("console.log(report.rows)", "console.log(JSON.stringify(report.rows))")
        .replaceAll(/from "millrace\/connectors\/(\w+)"/g, `from "${root}/connectors/$1/index.ts"`)
        .replaceAll(/from "millrace\/(\w+)"/g, `from "${root}/src/$1/index.ts"`)
        .replace('from "millrace"', `from "${root}/src/index.ts"`)
      mkdirSync(join(folder, "app"))
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
      writeFileSync(join(folder, "app/docs.ts"), code)
      cpSync(join(root, "package.json"), join(folder, "package.json"))

      const stdout = execFileSyncAsync(process.execPath, ["app/docs.ts"], folder)

      expect(JSON.parse(await stdout)).toMatchObject({ pages: 50, crawl_jobs: 1 })
    }))

  it("names every connector, command and exit code there is", async () => {
    const connectors = JSON.parse(
      execFileSync(join(root, "bin/millrace"), ["connectors", "--json"], { encoding: "utf8" })
    )

    for (const { type } of connectors) expect(readme).toContain(type)
    for (const command of readdirSync(join(root, "src/cli/commands")))
      expect(readme).toContain(`\`${command.replace(".ts", "")}`)
  })
})

const execFileSyncAsync = async (command: string, args: ReadonlyArray<string>, cwd: string): Promise<string> => {
  const { promisify } = await import("node:util")
  const { execFile } = await import("node:child_process")
  return (await promisify(execFile)(command, args, { cwd })).stdout
}
