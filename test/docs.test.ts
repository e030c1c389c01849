/**
 * The pages that people read: their code runs, their links lead somewhere, and they stay short and plain.
 *
 * `CONTRIBUTING.md` says what becomes of a block by its language. One demo site stands in for every site of the reader.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { millrace as commands } from "#app/millrace"
import { connectors } from "#connectors/index"
import * as Server from "#site/Server"
import * as Site from "#site/Site"
import { blocksOf } from "../scripts/reference/blocks.ts"
import { inFolder, millrace, query, write } from "./app/millrace.ts"
import { serve as serveCommands } from "./docs/commandsHere.ts"
import { asPipeline, play, root, secrets } from "./docs/Folder.ts"
import { sampleOf, soaking } from "./thoroughness.ts"

const folders = (of: string) =>
  readdirSync(join(root, of), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(of, name))

const written = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "AGENTS.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file))
    .sort(),
  ...folders("examples")
    .map((folder) => join(folder, "README.md"))
    .filter((file) => existsSync(join(root, file)))
].map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }))

const isGenerated = (name: string) => name.startsWith("docs/reference/")
const blocks = written.flatMap(({ name, text }) => blocksOf(text).map((block) => ({ page: name, ...block })))
const pagesWithCommands = written
  .map(({ name }) => name)
  .filter((name) => blocks.some(({ language, page }) => page === name && (language === "sh" || language === "sql")))

/** The demo site, standing in for the reader's own. */
const withSite = (use: (folder: string, site: string) => Promise<void>): Promise<void> =>
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

/** In a soak each command is a process, as it is for readers. */
const commandsHere = soaking ? undefined : await serveCommands()
afterAll(() => commandsHere?.stop())

describe("the code of the pages", () => {
  it("has a language that is tried, or one that says it is no code", () => {
    // Python is run by test/connectors/parquet/delta/deltaReaders.test.ts, where there is one with the readers.
    const known = ["sh", "yaml", "sql", "ts", "js", "html", "json", "text", "output", "python"]

    expect(
      blocks.filter(({ language }) => !known.includes(language)).map(({ line, page }) => `${page}:${line}`)
    ).toEqual([])
    expect(pagesWithCommands.length).toBeGreaterThan(12)
  })

  it("begins with commands that CI runs", () => {
    const ci = readFileSync(join(root, ".ci/run"), "utf8")
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    const [first] = blocks.filter(({ language, page }) => page === "README.md" && language === "sh")

    expect(first?.text).toBe("npm ci && npm run quickstart\nnpm ci && npm test\n")
    expect(ci).toContain("npm ci ")
    expect(ci).toContain("npm test")
    expect(ci).toContain("npm run --silent quickstart")
    expect(scripts.quickstart).toBe("node scripts/quickstart.ts")
  })

  // README is what everybody tries first.
  const others = pagesWithCommands.filter((page) => page !== "README.md")
  const tried = ["README.md", ...sampleOf(others, Math.ceil(others.length / 8), (page) => page)]

  it.concurrent.each(tried)("does what %s says", (page) =>
    withSite(async (folder, site) => {
      await play(page, folder, site, commandsHere?.url)

      if (page === "README.md") {
        const [row] = await query(
          join(folder, "my.duckdb"),
          "SELECT count(*) > 300 AS many, count(*) = count(DISTINCT url) AS once FROM pages"
        )
        expect(row).toEqual({ many: true, once: true })
        expect(readdirSync(join(folder, "my-lake/_manifest"))).toEqual(["000000000001.json"])
      }
      if (page === "docs/library.md") {
        expect(await query(join(folder, "docs.duckdb"), "SELECT count(*) AS pages FROM pages")).toEqual([
          { pages: "50" }
        ])
      }
      if (page === "docs/service.md") {
        const { paths } = JSON.parse(readFileSync(join(folder, "openapi.json"), "utf8"))
        expect(Object.keys(paths)).toContain("/v2/crawl/{id}")
      }
    })
  )

  /** Files that Docker and the service read. */
  const othersFiles = new Set(["compose.yaml", "keys.yaml"])

  it("shows pipeline files that are valid, and has examples beside it that are", () =>
    inFolder(async (folder) => {
      Object.assign(process.env, secrets)
      const shown = blocks.filter(({ language }) => language === "yaml")
      const names = shown.map(({ line, page, text }) =>
        write(folder, `${page.replaceAll("/", "-")}-${line}.yaml`, asPipeline(text))
      )
      const examples = ["pipelines", ...folders("examples")].flatMap((folder) =>
        readdirSync(join(root, folder))
          .filter((file) => file.endsWith(".yaml") && !othersFiles.has(file))
          .map((file) => join(root, folder, file))
      )

      const { code, stderr, stdout } = await millrace(folder, "check", ...names, ...examples)

      expect(stderr).toBe("")
      expect(code).toBe(0)
      expect(stdout.trim().split("\n")).toHaveLength(names.length + examples.length)
      expect(names.length).toBeGreaterThan(25)
      expect(examples.length).toBeGreaterThan(1)
    }))

  it("shows JSON that can be parsed", () => {
    for (const { language, text } of blocks) if (language === "json") expect(() => JSON.parse(text)).not.toThrow()
  })
})

/** An import of a package, at the beginning of a line as the sources write it. */
const importLine =
  /^(?:(?:import|export) [^\n]*|\} )from "((?!node:|npm:|millrace|playwright-core|vitest)@?[a-z][^"]*)"$/gm

describe("the pages", () => {
  it("name every connector, command and package there is", () => {
    const all = written
      .filter(({ name }) => !isGenerated(name))
      .map(({ text }) => text)
      .join("\n")
    const packages = ["src", "connectors"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .flatMap((name) => [...readFileSync(join(root, folder, name), "utf8").matchAll(importLine)])
        .map(([, name = ""]) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"))
    )

    expect(packages).toContain("apache-arrow")
    for (const { type } of connectors.flatMap(({ sinks, sources }) => [...sources, ...sinks]))
      expect(all).toContain(type)
    for (const { name } of commands.subcommands.flatMap((group) => group.commands)) expect(all).toContain(name)
    for (const name of new Set(packages)) expect(all).toContain(`\`${name}\``)
  })

  it("say where the packages live that this project was asked for", () => {
    const [readme] = written
    const asked = "@effect/platform effect @effect/schema apache-arrow parquetjs-lite @aws-sdk/client-s3 duckdb vitest"

    for (const name of asked.split(" ")) expect(readme?.text).toMatch(new RegExp(`^\\| .*${name}.* \\|`, "m"))
  })

  it("are short", () => {
    const most = (name: string) => (name === "README.md" ? 150 : name === "AGENTS.md" ? 120 : 250)

    const long = written.filter(({ name, text }) => !isGenerated(name) && text.split("\n").length - 1 > most(name))

    expect(long.map(({ name }) => name)).toEqual([])
  })

  it("are each listed in docs/README.md", () => {
    const index = written.find(({ name }) => name === "docs/README.md")?.text ?? ""
    const decisions = written.find(({ name }) => name === "docs/decisions/README.md")?.text ?? ""
    const library = written.find(({ name }) => name === "docs/reference/library.md")?.text ?? ""
    const listed = (name: string) => {
      if (name.startsWith("docs/decisions/0")) return decisions.includes(`(${relative("docs/decisions", name)})`)
      if (name.startsWith("docs/reference/api/")) return library.includes(`(${relative("docs/reference", name)})`)
      return index.includes(`(${relative("docs", name)}`)
    }

    expect(
      written
        .map(({ name }) => name)
        .filter((name) => name !== "docs/README.md" && name.startsWith("docs/") && !listed(name))
    ).toEqual([])
  })

  it("have links that lead to a file and a heading", () => {
    const broken = written.flatMap(({ name, text }) =>
      Array.from(prose(text).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?\)/g)).flatMap(
        ([link, path = "", anchor]) => {
          const target = path === "" ? name : join(dirname(name), path)
          if (!existsSync(join(root, target))) return [`${name}: ${link}`]
          if (anchor === undefined) return []
          return anchorsOf(readFileSync(join(root, target), "utf8")).has(anchor.slice(1)) ? [] : [`${name}: ${link}`]
        }
      )
    )

    expect(broken).toEqual([])
  })

  it("name files that exist", () => {
    const missing = written.flatMap(({ name, text }) =>
      Array.from(text.matchAll(/`((?:src|connectors|scripts|test|bench|pipelines|docs)\/[\w./-]+\.\w+)`/g)).flatMap(
        ([, path = ""]) => (existsSync(join(root, path)) ? [] : [`${name}: ${path}`])
      )
    )

    expect(missing).toEqual([])
  })

  it("size by figures that were measured", () => {
    const text = (page: string) => written.find(({ name }) => name === page)?.text ?? ""

    const [measured, upkeep, scale] = ["measured", "upkeep", "scale"].map((page) => text(`docs/${page}.md`))
    const numbers = (page: string | undefined, pattern: RegExp) => (pattern.exec(page ?? "") ?? []).slice(1).map(Number)
    const memory = numbers(measured, /^\| 1,000, 10,000 and 100,000 generated pages.* in (\d+), (\d+) and (\d+) MB/m)
    const [million] = numbers(measured, /^\| 1,000,000 generated pages.* (\d+) MB at most/m)
    const [, small] = numbers(measured, /small pages to Parquet.*?([\d.]+) and ([\d.]+) CPU s per 1000 pages/)
    const [large] = numbers(measured, /large pages to Parquet \| ([\d.]+) CPU s per 1000 pages/)
    const [slow = 0, quick = 0] = numbers(scale, /\| (\d+) \(large pages\) to (\d+) \(small pages\)/)

    expect(memory).toHaveLength(3)
    expect(upkeep).toContain(`to Parquet | ${memory.join(", ")} MB |`)
    expect(upkeep).toContain(`a crawl of 1,000,000 pages to Parquet | ${million} MB |`)
    for (const figure of ["192 MB; 378 MB", "185 MB"]) {
      expect(measured).toContain(figure)
      expect(upkeep).toContain(figure)
    }
    expect(scale).toContain(`${large} and ${small} CPU s per 1000 pages`)
    for (const [pages, seconds = 0] of [[slow, large] as const, [quick, small] as const]) {
      expect(Math.abs(pages - 1000 / seconds) / pages).toBeLessThan(0.06)
    }
    expect(upkeep).toContain(`${slow} to ${quick} pages a second`)
  })

  it("are in plain words", () => {
    const odd =
      /\b(where silent|unless told|is none of|that is none|one that is none|are none|gone on with|come by|and its kin|and their like|told as such)\b/i
    const found = written.flatMap(({ name, text }) =>
      isGenerated(name)
        ? []
        : text.split("\n").flatMap((line, index) => (odd.test(line) ? [`${name}:${index + 1}: ${line}`] : []))
    )

    expect(found).toEqual([])
  })
})

/** A page without its code. */
const prose = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, "")

/** The anchors of the headings of a page, as GitHub makes them. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(prose(text).matchAll(/^#+ (.*)$/gm), ([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-")
    )
  )
