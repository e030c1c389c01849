import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { billOfMaterials } from "../scripts/pageBundle.ts"

const root = join(import.meta.dirname, "..")
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))

const statements = /^(?:(?:import|export)(?! type)\b[\w\s{},*$]*? from |import |.*\bimport\()"([^"\n]+)"/gm

/** The packages that modules of ours import at run time; those that are installed beside Millrace are not in its bundle. */
const imported = (): ReadonlyArray<string> => {
  const beside = /^(?:effect|millrace|@effect\/vitest|vitest|@duckdb\/|playwright-core)/
  const names = globSync("{src,connectors}/**/*.ts", { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(statements)].flatMap(
      ([, name]) => /^(?:@[^/]+\/)?[^/]+/.exec(name ?? "")?.[0] ?? []
    )
  )
  return [...new Set(names)].filter((name) => !/^(?:[.#]|node:|npm:)/.test(name) && !beside.test(name)).sort()
}

it("bundles these packages in the versions of the lock file", () => {
  const versions = imported().map((name) => `${name} ${packages[`node_modules/${name}`]?.version}`)

  expect(versions).toEqual([
    "@aws-sdk/client-s3 3.1169.0",
    "@aws-sdk/lib-storage 3.1169.0",
    "@codemirror/autocomplete 6.20.4",
    "@codemirror/commands 6.11.1",
    "@codemirror/lang-sql 6.10.0",
    "@codemirror/language 6.13.1",
    "@codemirror/lint 6.9.8",
    "@codemirror/state 6.7.6",
    "@codemirror/view 6.43.15",
    "@effect/platform-node 4.1.0",
    "@effect/sql-pg 4.0.5",
    "@lezer/highlight 1.2.5",
    "@observablehq/plot 0.6.17",
    "ajv 8.20.0",
    "ajv-formats 3.0.1",
    "apache-arrow 21.2.0",
    "avsc 5.7.9",
    "chardet 2.2.0",
    "css-what 8.0.0",
    "diff 9.0.0",
    "entities 8.1.0",
    "ipaddr.js 2.5.0",
    "mammoth 1.13.0",
    "nodemailer 10.6.0",
    "pdfjs-dist 6.5.438",
    "pg 8.23.1",
    "pg-copy-streams 7.0.0",
    "re2js 2.10.0",
    "saxes 6.0.0",
    "tldts 7.5.4",
    "tough-cookie 6.1.0",
    "undici 8.12.4",
    "yaml 2.9.1"
  ])
})

it("names what is in the bundle to scanners, by name and version", () => {
  const version: string = packages["node_modules/pdfjs-dist"].version
  const modules = [
    "pdfjs-dist/legacy/build/pdf.mjs",
    "pdfjs-dist/legacy/build/pdf.worker.min.mjs",
    "@aws-sdk/client-s3/x.js"
  ]
  const { components } = JSON.parse(billOfMaterials(modules.map((file) => join(root, "node_modules", file))))

  expect(components).toContainEqual({
    type: "library",
    name: "pdfjs-dist",
    version,
    purl: `pkg:npm/pdfjs-dist@${version}`
  })
  expect(components).toHaveLength(2)
  expect(components[0].purl).toMatch(/^pkg:npm\/%40aws-sdk\/client-s3@/)
})
