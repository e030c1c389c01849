import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { longFunctions, mostLines, mostLocals } from "../scripts/longFunctions.ts"
import { circlesOfFiles, figures, importedFile, importsOf, roomOf, sourceFiles } from "../scripts/structure.ts"

const root = resolve(import.meta.dirname, "..")

/** Who may import whom: the table of AGENTS.md. A room may always import itself. */
const rooms: Record<string, { readonly rooms: ReadonlyArray<string>; readonly packages: RegExp }> = {
  "src/api": { rooms: [], packages: /^(effect(\/|$)|node:crypto$)/ },
  "src/client": { rooms: ["src/api"], packages: /^(effect(\/|$)|node:crypto$)/ },
  "src/segments": { rooms: [], packages: /^node:/ },
  "src/embedded": { rooms: ["src/api", "src/segments"], packages: /^effect(\/|$)/ },
  "src/text": { rooms: [], packages: /^(effect(\/|$)|node:)/ },
  "src/threads": { rooms: [], packages: /^(effect(\/|$)|node:)/ },
  "src/sqlite": { rooms: [], packages: /^node:/ },
  "src/sql": { rooms: [], packages: /^(effect(\/|$)|@effect\/sql-pg\/|node:)/ },
  "src/mail": { rooms: [], packages: /^(effect(\/|$)|nodemailer$|node:)/ },
  "src/diff": { rooms: [], packages: /^(effect(\/|$)|diff$)/ },
  "src/site": { rooms: [], packages: /^(effect(\/|$)|node:)/ },
  "src/pipeline": { rooms: ["src/text", "src/segments"], packages: /^(effect(\/|$)|node:(path|url|crypto)$)/ },
  "src/columns": { rooms: ["src/pipeline"], packages: /^(node:(crypto|fs\/promises|zlib)$|apache-arrow$)/ },
  "src/jsonSchema": {
    rooms: ["src/pipeline", "src/text"],
    packages: /^(effect(\/|$)|ajv(\/dist\/(ajv|2020)\.js)?$|ajv-formats$|node:)/
  },
  "src/file": { rooms: ["src/pipeline", "src/text"], packages: /^(effect(\/|$)|yaml$|node:(path|url|crypto)$)/ },
  "src/duckdb": { rooms: ["src/pipeline", "src/text"], packages: /^(effect(\/|$)|@duckdb\/node-api$|node:)/ },
  "src/journal": {
    rooms: ["src/pipeline", "src/segments", "src/sqlite", "src/text"],
    packages: /^(effect(\/|$)|node:)/
  },
  "src/inbox": {
    rooms: ["src/pipeline", "src/client", "src/sqlite"],
    packages: /^(effect(\/|$)|@effect\/platform-node\/NodeHttpServer$|node:)/
  },
  "src/schedule": { rooms: ["src/pipeline", "src/file", "src/sql", "src/sqlite"], packages: /^(effect(\/|$)|node:)/ },
  "src/testing": {
    rooms: ["src/pipeline", "src/segments"],
    packages: /^(effect(\/|$)|vitest$|@effect\/vitest$|node:)/
  },
  "src/html": { rooms: [], packages: /^(effect(\/|$)|chardet$|css-what$|entities(\/|$)|node:)/ },
  "src/gov": {
    rooms: ["src/api", "src/text", "src/html", "src/sql", "src/threads"],
    packages: /^(effect(\/|$)|saxes$|node:)/
  },
  "src/model": { rooms: ["src/api", "src/jsonSchema"], packages: /^(effect(\/|$)|node:)/ },
  "src/crawler": {
    rooms: [
      "src/api",
      "src/segments",
      "src/embedded",
      "src/text",
      "src/html",
      "src/diff",
      "src/threads",
      "src/jsonSchema"
    ],
    packages: /^(?!effect\/sql(\/|$))/
  },
  "src/search": {
    rooms: ["src/api", "src/text", "src/html", "src/crawler"],
    packages: /^(effect(?!\/sql(\/|$))(\/|$)|node:)/
  },
  "src/extract": {
    rooms: [
      "src/api",
      "src/text",
      "src/threads",
      "src/html",
      "src/jsonSchema",
      "src/model",
      "src/crawler",
      "src/search"
    ],
    packages: /^(effect(?!\/sql(\/|$))(\/|$)|node:|ajv(\/dist\/2020\.js)?$|entities(\/|$)|re2js$)/
  },
  "src/agent": {
    rooms: ["src/api", "src/text", "src/jsonSchema", "src/model", "src/crawler", "src/search", "src/extract"],
    packages: /^(effect(?!\/sql(\/|$))(\/|$)|node:)/
  },
  "src/monitor": {
    rooms: ["src/api", "src/text", "src/diff", "src/mail", "src/model", "src/crawler", "src/search"],
    packages: /^(effect(?!\/sql(\/|$))(\/|$)|node:)/
  },
  "src/mcp": { rooms: [], packages: /^effect(?!\/sql(\/|$))(\/|$)/ },
  "src/service": {
    rooms: [
      "src/api",
      "src/mcp",
      "src/embedded",
      "src/text",
      "src/sql",
      "src/threads",
      "src/mail",
      "src/diff",
      "src/html",
      "src/jsonSchema",
      "src/gov",
      "src/model",
      "src/crawler",
      "src/search",
      "src/extract",
      "src/agent",
      "src/monitor"
    ],
    packages: /./
  },
  "src/library": {
    rooms: [
      "src/pipeline",
      "src/file",
      "src/text",
      "src/duckdb",
      "src/sqlite",
      "src/sql",
      "src/journal",
      "src/inbox",
      "src/client",
      "src/api",
      "src/embedded",
      "src/crawler",
      "src/agent",
      "src/service",
      "connectors"
    ],
    packages: /^(effect(\/|$)|yaml$|node:)/
  },
  "src/cli": { rooms: ["src", "connectors"], packages: /./ }
}
const connector = {
  rooms: [
    "src/pipeline",
    "src/jsonSchema",
    "src/client",
    "src/api",
    "src/gov",
    "src/diff",
    "src/columns",
    "src/duckdb",
    "src/embedded",
    "src/segments",
    "src/sqlite",
    "src/text"
  ],
  packages: /./
}

const files = sourceFiles()

/** What an import reaches: a room of the house, or a package. */
const target = (file: string, specifier: string): { readonly room?: string; readonly name?: string } =>
  specifier.startsWith(".") ? { room: roomOf(importedFile(file, specifier)) } : { name: specifier }

const arrows = files
  .filter((file) => file !== "src/index.ts" && file !== "connectors/index.ts")
  .flatMap((file) => importsOf(file).map((specifier) => ({ file, specifier, ...target(file, specifier) })))

describe("the house", () => {
  it("has no import that the table of AGENTS.md does not allow", () => {
    const broken = arrows.filter(({ file, room, name }) => {
      const from = roomOf(file)
      const law = from.startsWith("connectors/") ? connector : rooms[from]
      if (law === undefined) return true
      if (name !== undefined) return !law.packages.test(name)
      return room !== from && !law.rooms.some((allowed) => room === allowed || room?.startsWith(`${allowed}/`))
    })

    expect(broken.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([])
  })

  it("reads the import lines of every file", () => {
    expect(arrows.length).toBeGreaterThan(files.length)
    expect(arrows.some(({ file, room }) => file === "src/library/services.ts" && room === "src/service")).toBe(true)
  })

  it("has no files that import each other in a circle", () => {
    console.log(figures())
    expect(circlesOfFiles()).toEqual([])
  })

  it("has no import of the barrel, which costs start-up time", () => {
    expect(arrows.filter(({ name }) => name === "effect").map(({ file }) => file)).toEqual([])
  })

  it("loads ajv only where a schema is compiled, which costs start-up time", () => {
    const eager = files.filter((file) =>
      /(^|\n)\s*(import|export)\s+(?!type\b)[^"'`;]*?from\s*"ajv/.test(readFileSync(join(root, file), "utf8"))
    )

    expect(eager).toEqual([])
  })

  it("has no rooms without a name", () => {
    const vague = /(^|\/)(utils?|helpers?|common|types|misc)(\/|\.ts$)/

    expect(files.filter((file) => vague.test(file))).toEqual([])
  })

  it(`has no function of more than ${mostLines} lines or ${mostLocals} locals, but those of a list that only shrinks`, () => {
    const known: ReadonlyArray<string> = JSON.parse(readFileSync(join(root, "test/longFunctions.json"), "utf8"))
    const found = longFunctions()

    expect(found.filter(({ name }) => !known.includes(name))).toEqual([])
    // Whoever shortens a function takes it from the list, and none comes back.
    expect(known.filter((name) => !found.some((one) => one.name === name))).toEqual([])
    expect(known.length).toBeLessThanOrEqual(52)
  })

  it("has no lines of two sides that a merge left, not in comments either", () => {
    const pages = ["AGENTS.md", "CHANGELOG.md", "README.md", "docs/architecture.md"]
    const isLeft = (file: string) => /^(?:<<<<<<<|>>>>>>>) /m.test(readFileSync(join(root, file), "utf8"))

    expect([...files, ...pages].filter(isLeft)).toEqual([])
  })

  it("has every file that AGENTS.md and docs/architecture.md name", () => {
    const page = ["AGENTS.md", "docs/architecture.md"].map((file) => readFileSync(join(root, file), "utf8")).join("\n")
    const named = [...page.matchAll(/`((?:src|connectors)\/[^`]+\.ts)`/g)].map(([, file = ""]) => file)

    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((file) => !files.includes(file))).toEqual([])
  })

  it("names every room of the table in AGENTS.md", () => {
    const page = readFileSync(join(root, "AGENTS.md"), "utf8")

    expect(Object.keys(rooms).filter((room) => !page.includes(`\`${room}\``))).toEqual([])
  })
})
