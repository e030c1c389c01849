import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { version } from "#contract/version"
import { page } from "../service/scriptedSite.ts"
import { inFolder, millrace, start, withSite, write } from "./millrace.ts"

const root = resolve(import.meta.dirname, "../..")

describe("the command line", () => {
  it("has the version of the package", () => {
    expect(version).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version)
  })

  it("lists every command in its help and ends with 0", () =>
    inFolder(async (folder) => {
      const { code, stdout } = await millrace(folder, "--help")

      expect(code).toBe(0)
      for (const command of [
        "run",
        "runs",
        "commit",
        "drop",
        "replay",
        "rejects",
        "journal",
        "compact",
        "check",
        "plan",
        "preview",
        "schedule",
        "serve",
        "site",
        "init",
        "connectors"
      ]) {
        expect(stdout).toMatch(new RegExp(`^  ${command} `, "m"))
      }
    }))

  it("names in its help the default of every flag that has one", () => {
    const page = readFileSync(join(root, "docs/reference/cli.md"), "utf8")
    // What a flag does, and its default as the parser of the flag has it. A default in capitals is an environment variable.
    const flags = page.matchAll(/^\| `--[a-z-]+` \|.*\| (.*) \| `([^`A-Z][^`]*)` \|$/gm)
    const described = Array.from(flags, ({ 1: description = "", 2: standard = "" }) => ({ description, standard }))

    expect(described.length).toBeGreaterThan(20)
    for (const { description, standard } of described) expect(description).toContain(`default: ${standard}`)
  })

  it("previews rows, costs no more pages than it shows, and writes nothing", () =>
    withSite(
      { "/": page("home", "/a", "/b", "/c"), "/a": page("a"), "/b": page("b"), "/c": page("c") },
      async ({ folder, resolve, site }) => {
        const file = write(
          folder,
          "site.yaml",
          "source: { type: crawl, url: http://site.test/ }",
          "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
        )

        const { code, stdout } = await millrace(folder, "preview", file, "--rows", "2", "--json", "--resolve", resolve)

        const rows = stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
        expect(code).toBe(0)
        expect(rows.map((row) => row.title)[0]).toBe("home")
        expect(rows).toHaveLength(2)
        expect(site.requests.filter((path) => path.length === 2)).toHaveLength(1)
        expect(readdirSync(folder)).toEqual(["site.yaml"])
      }
    ))

  it("plans: tables, keys, writes and columns, without a request", () =>
    inFolder(async (folder) => {
      const file = write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        "table: { name: docs }",
        "sinks: { db: { type: duckdb, path: ./out.duckdb }, lake: { type: parquet, path: ./lake } }"
      )

      const { stdout } = await millrace(folder, "plan", file, "--json")

      const plan = JSON.parse(stdout)
      expect(
        plan.tables.map(({ name, key, writes }: { name: string; key: unknown; writes: unknown }) => ({
          name,
          key,
          writes
        }))
      ).toEqual([
        { name: "docs", key: ["url"], writes: { db: "merge", lake: "append" } },
        { name: "docs_links", key: ["page_url", "position"], writes: { db: "merge", lake: "append" } },
        { name: "docs_errors", key: ["_job_id", "url", "code"], writes: { db: "merge", lake: "append" } },
        { name: "docs_jobs", key: ["job_id"], writes: { db: "merge", lake: "append" } },
        { name: "docs__rejects", key: ["reject_id"], writes: { db: "merge", lake: "merge" } }
      ])
      expect(plan.tables[0].columns.at(-1)).toEqual({
        name: "_run_id",
        type: "VARCHAR",
        nullable: false,
        description: "the run that loaded the row"
      })
    }))

  it("writes a first pipeline file that is valid, and never overwrites a file", () =>
    inFolder(async (folder) => {
      const wrote = await millrace(folder, "init", "docs/my.yaml", "--url", "https://docs.example.com")
      const checked = await millrace(folder, "check", "docs/my.yaml")
      const again = await millrace(folder, "init", "docs/my.yaml")
      const secretive = await millrace(folder, "init", "docs/our.yaml", "--url", "https://ada:s3cret@docs.example.com")

      expect([secretive.code, secretive.stdout]).toEqual([2, ""])
      expect(secretive.stderr).toMatch(/^--url must not have a name and a password: [^3]+$/)
      expect([wrote.code, checked.code, again.code]).toEqual([0, 0, 2])
      expect(again.stderr).toBe("docs/my.yaml already exists; name another file\n")
    }))

  it("writes a valid pipeline file even if its file name cannot be a pipeline name, and names the flag that a private address needs", () =>
    inFolder(async (folder) => {
      const wrote = await millrace(folder, "init", "Museu de São Paulo, 2.yaml", "--url", "http://127.0.0.1:8000/")
      const checked = await millrace(folder, "check", "Museu de São Paulo, 2.yaml")
      const strange = await millrace(folder, "init", "展覧会.yaml", "--url", "http://192.168.1.4/")
      const planned = await millrace(folder, "plan", "展覧会.yaml", "--json")
      const outside = await millrace(folder, "init", "web.yaml", "--url", "http://[2001:4860:4860::8888]/")

      const refused = "(addresses of this machine or its network are refused without it)\n"
      expect(wrote.stdout).toBe(
        `wrote Museu de São Paulo, 2.yaml; now: millrace run 'Museu de São Paulo, 2.yaml' --allow-private ${refused}`
      )
      expect([checked.code, checked.stderr]).toEqual([0, ""])
      expect(readFileSync(join(folder, "Museu de São Paulo, 2.yaml"), "utf8")).toContain(
        "./Museu-de-Sao-Paulo-2.duckdb }"
      )
      expect(strange.stdout).toContain(`millrace run '展覧会.yaml' --allow-private ${refused}`)
      expect(JSON.parse(planned.stdout)).toMatchObject({ pipeline: "pipeline" })
      expect(outside.stdout).toBe("wrote web.yaml; now: millrace run web.yaml\n")
    }))

  it("prints completion scripts that the shells can read", () =>
    inFolder(async (folder) => {
      const { stdout } = await millrace(folder, "--completions", "bash")

      expect(stdout).toContain("preview")
      expect(() => execFileSync("bash", ["-n", "-c", stdout])).not.toThrow()
    }))

  it("lists the connectors with their options, for people and for programs", () =>
    inFolder(async (folder) => {
      const { stdout } = await millrace(folder, "connectors", "--json")

      const all: ReadonlyArray<{
        kind: string
        type: string
        options: ReadonlyArray<{ name: string; description: string }>
      }> = JSON.parse(stdout)
      expect(all.map(({ kind, type }) => `${kind} ${type}`)).toEqual([
        "source crawl",
        "source extract",
        "source agent",
        "source search_gov",
        "source monitor",
        "source gov_corpus",
        "sink duckdb",
        "sink parquet",
        "sink postgres",
        "sink sqlite",
        "sink file",
        "store file",
        "store s3",
        "sink memory"
      ])
      const silent = all.flatMap(({ type, options }) =>
        options.filter(({ description }) => description === "").map(({ name }) => `${type}.${name}`)
      )
      expect(silent).toEqual([])
    }))

  it("serves the demo site until it is stopped", () =>
    inFolder(async (folder) => {
      const { process, ended } = start(folder, "site", "--port", "0", "--revision", "2")
      const url = await new Promise<string>((done) =>
        process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
      )

      const answer = await fetch(`${url}/robots.txt`)
      process.kill("SIGTERM")
      await ended

      expect(answer.status).toBe(200)
    }))

  it("keeps what a service knows in its data folder", () =>
    inFolder(async (folder) => {
      const { process, ended } = start(folder, "serve", "--port", "0", "--data", "kept")
      const url = await new Promise<string>((done) =>
        process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
      )

      const answer = await fetch(`${url}/v2/crawl/active`)
      process.kill("SIGINT")
      await ended

      expect(await answer.json()).toEqual({ success: true, crawls: [] })
      expect(existsSync(join(folder, "kept/service.sqlite"))).toBe(true)
    }))

  it("says that its port is in use", () =>
    withSite({}, async ({ folder, site }) => {
      const { code, stderr } = await millrace(folder, "serve", "--port", String(site.port))

      expect(code).toBe(1)
      const said = `cannot listen on 127.0.0.1:${site.port}: another program already listens on this port; stop it, or choose another port\n`
      expect(stderr).toBe(said)
    }))
})

it("says which values a flag takes, and why a file cannot be written", () =>
  inFolder(async (folder) => {
    const file = write(folder, "a.yaml", "source: {}", "sinks: {}")

    const ends = await Promise.all([
      millrace(folder, "serve", "--port", "99999"),
      millrace(folder, "preview", file, "--rows", "0"),
      millrace(folder, "init", `${file}/x.yaml`),
      millrace(folder, "init", file)
    ])

    expect(ends.map(({ code }) => code)).toEqual([2, 2, 2, 2])
    expect(ends.map(({ stderr }) => stderr.trim().split("\n").at(-1)?.trim())).toEqual([
      'Invalid value for flag --port: "99999". Expected a number from 0 to 65535, got 99999',
      'Invalid value for flag --rows: "0". Expected a number from 1 to 1000000, got 0',
      "a.yaml/x.yaml cannot be written: a part of its path is a file, not a folder; name another path",
      "a.yaml already exists; name another file"
    ])
  }))
