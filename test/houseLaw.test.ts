import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { longFunctions, mostLines, mostLocals } from "../scripts/longFunctions.ts"
import {
  circlesOfFiles,
  circlesOfFolders,
  figures,
  importedFile,
  importsOf,
  importsRoundDoors,
  isDoor,
  packageOf,
  sourceFiles
} from "../scripts/structure.ts"

const root = resolve(import.meta.dirname, "..")

/** Who may import whom: the table of AGENTS.md. A package may always import itself. */
const packages: Record<string, { readonly packages: ReadonlyArray<string>; readonly npm: RegExp }> = {
  "src/base": { packages: [], npm: /^(effect(\/|$)|@effect\/sql-pg\/|nodemailer$|diff$|node:)/ },
  "src/contract": { packages: ["src/base"], npm: /^(effect(\/|$)|node:crypto$)/ },
  "src/page": { packages: [], npm: /^(effect(\/|$)|chardet$|css-what$|entities(\/|$)|node:)/ },
  "src/engine": {
    packages: ["src/base", "src/contract"],
    npm: /^(effect(\/|$)|@effect\/platform-node\/NodeHttpServer$|ajv(\/dist\/(ajv|2020)\.js)?$|ajv-formats$|yaml$|apache-arrow$|@duckdb\/node-api$|node:)/
  },
  "src/web": { packages: ["src/base", "src/contract", "src/page"], npm: /^(?!effect\/sql(\/|$))/ },
  "src/law": { packages: ["src/base", "src/contract", "src/page"], npm: /^(effect(\/|$)|saxes$|node:)/ },
  "src/extract": {
    packages: ["src/base", "src/contract", "src/page", "src/web"],
    npm: /^(effect(?!\/sql(\/|$))(\/|$)|node:|ajv(\/dist\/2020\.js)?$|entities(\/|$)|re2js$)/
  },
  "src/service": {
    packages: ["src/base", "src/contract", "src/page", "src/web", "src/law", "src/extract"],
    npm: /./
  },
  "src/library": {
    packages: ["src/base", "src/contract", "src/engine", "src/web", "src/service", "connectors"],
    npm: /^(effect(\/|$)|yaml$|node:)/
  },
  "src/see": {
    packages: ["src/base", "src/contract", "src/engine", "src/web", "src/library", "connectors"],
    npm: /./
  },
  "src/app": { packages: ["src", "connectors"], npm: /./ },
  "src/testing": { packages: ["src/base", "src/engine"], npm: /^(effect(\/|$)|vitest$|@effect\/vitest$|node:)/ },
  "src/site": { packages: [], npm: /^(effect(\/|$)|node:)/ }
}
const connector = { packages: ["src/base", "src/contract", "src/engine", "src/law"], npm: /./ }

/** What only a part of a package may import: the engine speaks no HTTP but where it receives events. */
const parts: ReadonlyArray<{ readonly of: RegExp; readonly but: RegExp; readonly never: RegExp }> = [
  {
    of: /^src\/engine\//,
    but: /^src\/engine\/(inbox\/|Inbox)/,
    never: /^(node:https?$|effect\/http|@effect\/platform-node|#contract\/)/
  },
  { of: /^src\/service\/(agent|monitor|mcp)\//, but: /^$/, never: /^effect\/sql/ }
]

/**
 * How many test files show the law of a private piece alone: they stand in a private folder of their package, and import private
 * files of it. All others enter by doors. The numbers only shrink.
 */
const testsOfPieces: Record<string, number> = {
  "connectors/duckdb": 1,
  "connectors/file": 4,
  "connectors/parquet": 11,
  "connectors/webdata": 10,
  "src/app": 7,
  "src/base": 2,
  "src/contract": 1,
  "src/engine": 20,
  "src/extract": 72,
  "src/law": 16,
  "src/page": 19,
  "src/see": 27,
  "src/service": 66,
  "src/site": 1,
  "src/web": 37
}

/** Tests and their set-ups that reach a private piece from elsewhere, since no door gives what they need. The list only shrinks. */
const testsRoundDoors: ReadonlyArray<string> = [
  "test/e2e/killedCrawl.test.ts",
  "test/service/agent/ModelRun.test.ts",
  "test/service/cluster/places.test.ts",
  "test/service/crawlParameters.test.ts",
  "test/service/serviceParts.ts"
]

const files = sourceFiles()

const testFiles = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => join("test", file))

/** The package that a test mirrors, and whether the test stands in a private folder of it. */
const mirrored = (file: string): { readonly own: string; readonly isOfPiece: boolean } => {
  const [, first = "", second = "", ...inner] = file.split("/")
  if (first !== "connectors") return { own: `src/${first}`, isOfPiece: inner.length > 0 }
  return { own: `connectors/${second}`, isOfPiece: inner.length > 1 }
}

/** The private files of packages that a test imports. */
const privateImports = (file: string): ReadonlyArray<string> =>
  importsOf(file).flatMap((specifier) => {
    const imported = importedFile(file, specifier)
    return imported !== undefined && /^(src|connectors)\//.test(imported) && !isDoor(imported) ? [imported] : []
  })

/** What an import reaches: a package of the house, or of npm. */
const target = (file: string, specifier: string): { readonly own?: string; readonly name?: string } => {
  const imported = importedFile(file, specifier)
  return imported === undefined ? { name: specifier } : { own: packageOf(imported) }
}

const arrows = files
  .filter((file) => file !== "src/index.ts" && file !== "connectors/index.ts")
  .flatMap((file) => importsOf(file).map((specifier) => ({ file, specifier, ...target(file, specifier) })))

describe("the house", () => {
  it("has no import that the table of AGENTS.md does not allow", () => {
    const broken = arrows.filter(({ file, name, own, specifier }) => {
      const from = packageOf(file)
      const law = from.startsWith("connectors/") ? connector : packages[from]
      if (law === undefined) return true
      if (parts.some((part) => part.of.test(file) && !part.but.test(file) && part.never.test(specifier))) return true
      if (name !== undefined) return !law.npm.test(name)
      return own !== from && !law.packages.some((allowed) => own === allowed || own?.startsWith(`${allowed}/`))
    })

    expect(broken.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([])
  })

  it("reads the import lines of every file", () => {
    expect(arrows.length).toBeGreaterThan(files.length)
    expect(arrows.some(({ file, own }) => file === "src/library/services.ts" && own === "src/service")).toBe(true)
  })

  it("has no files that import each other in a circle", () => {
    console.log(figures())
    expect(circlesOfFiles()).toEqual([])
  })

  it("has no folders that import each other in a circle", () => {
    expect(circlesOfFolders()).toEqual([])
  })

  it("has no import that goes round the doors of a package", () => {
    expect(importsRoundDoors()).toEqual([])
  })

  it("has tests that enter by doors, but those of private pieces", () => {
    const ofPieces: Record<string, number> = {}
    const round: Array<string> = []
    for (const file of testFiles) {
      const { isOfPiece, own } = mirrored(file)
      const reached = privateImports(file)
      if (reached.some((piece) => !isOfPiece || packageOf(piece) !== own)) round.push(file)
      else if (reached.length > 0) ofPieces[own] = (ofPieces[own] ?? 0) + 1
    }

    expect(round.toSorted()).toEqual(testsRoundDoors)
    expect(ofPieces).toEqual(testsOfPieces)
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

  it("has no folder without a name", () => {
    const vague = /(^|\/)(utils?|helpers?|common|types|misc)(\/|\.ts$)/

    expect(files.filter((file) => vague.test(file))).toEqual([])
  })

  it(`has no function of more than ${mostLines} lines or ${mostLocals} locals, but those of a list that only shrinks`, () => {
    const known: ReadonlyArray<string> = JSON.parse(readFileSync(join(root, "test/longFunctions.json"), "utf8"))
    const found = longFunctions()

    expect(found.filter(({ name }) => !known.includes(name))).toEqual([])
    // Whoever shortens a function takes it from the list, and none comes back.
    expect(known.filter((name) => !found.some((one) => one.name === name))).toEqual([])
    expect(known.length).toBeLessThanOrEqual(2)
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

  it("has a page for each package, whose doors, files and folders are there", () => {
    const pages = [...Object.keys(packages), "connectors"]
    const absent = pages.flatMap((name) => {
      const page = readFileSync(join(root, name, "README.md"), "utf8")
      const doors = /^## Doors\n([^#]*)/m.exec(page)?.[1] ?? ""
      const named = [
        ...[...doors.matchAll(/`(\w+)`/g)].map(([, door]) => `${name}/${door}.ts`),
        ...[...page.matchAll(/`((?:src|connectors|test|bench|scripts)\/[^`]+)`/g)].map(([, place = ""]) => place)
      ]
      return named.filter((place) => !existsSync(join(root, place)))
    })

    expect(absent).toEqual([])
  })

  it("names every package of the table in AGENTS.md", () => {
    const page = readFileSync(join(root, "AGENTS.md"), "utf8")

    expect(Object.keys(packages).filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })
})
