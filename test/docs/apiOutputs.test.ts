/**
 * The law of examples: they run, and what a comment says that a line prints, it prints. `https://your.site` is the demo site.
 * Those that cannot run here are named, each with its reason; they are compiled all the same.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Server from "#site/Server"
import * as Site from "#site/Site"
import { root } from "./Folder.ts"

/** Examples that only a user can run, by what they say, and why. */
const notHere: Readonly<Record<string, string>> = {
  'postgres.with({ url, schema: "web" })': "needs a Postgres; test/connectors/postgres has one",
  's3.open("s3://lake': "needs a bucket; test/connectors/s3 has one",
  "commitForever(": "commits until its process is killed; test/connectors/*/crash.test.ts kills it",
  "CrashSuite.suite(": "kills the script of a connector; test/connectors/*/crash.test.ts does it",
  "ObjectStoreSuite.suite(": "declares tests; test/connectors/file/FileStore.test.ts does it",
  "SinkSuite.suite(": "declares tests; the tests of every sink do it",
  "SourceSuite.suite(": "declares tests; the tests of every source do it",
  '"http://localhost:3002"': "needs a service on a port; test/contract/client has one"
}

const folder = join(root, "test/docs/api")
const copies = mkdtempSync(join(tmpdir(), "millrace-examples-"))
const before = process.cwd()
const scope = Effect.runSync(Scope.make())
let site = ""
// What an example writes, it writes there.
beforeAll(async () => {
  process.chdir(copies)
  const address = { host: "127.0.0.1", port: 0, slowness: 1 }
  const serving = Server.serve(Site.make({ seed: 1, revision: 1 }), address)
  site = (await Effect.runPromise(Scope.provide(serving, scope))).url
})
afterAll(async () => {
  process.chdir(before)
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(copies, { recursive: true })
})

const printed = /^ {2}console\.log\((.*)\) \/\/ (.+)$/

const lines = (block: string): ReadonlyArray<string> =>
  block.split("\n").filter((line) => line.startsWith("  console.log("))

const pages = readdirSync(folder).map((name) => {
  const [head = "", ...blocks] = readFileSync(join(folder, name), "utf8").split(/^\{$/m)
  const run = blocks.filter((block) => !Object.keys(notHere).some((part) => block.includes(part)))
  return { name, head, blocks, run }
})

const shown = (value: unknown): string =>
  typeof value === "string"
    ? JSON.stringify(value)
    : inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 9 })

/** Without quotes and spaces, which nobody means to say anything by. */
const plain = (text: string): string => text.replaceAll(/[\s"'\\]/g, "")

/** The site of the reader is the demo site, for `run` and for services. */
const withSite = (text: string): string =>
  text
    .replaceAll("https://your.site", "http://your.site")
    .replaceAll(/(?<!\.\.\.)ServiceConfig\.defaults(?=\))/g, "{ ...ServiceConfig.defaults, resolve: siteHere }")

const prologue = (head: string): string => {
  const { hostname, port } = new URL(site)
  return `${head.replaceAll(/(?<=import \{.*)\brun\b(?=.*\/src\/index\.ts)/g, "run as runAnywhere")}
const siteHere = new Map([["your.site", { address: "${hostname}", port: ${port} }]])
${/\brun\b.*\/src\/index\.ts/.test(head) ? `const run = (what, options) => runAnywhere(what, { resolve: ["your.site=${hostname}:${port}"], ...options })` : ""}
export const told = []`
}

describe("an example", () => {
  it.each(pages)("of $name runs, and prints what its comments say", async ({ head, name, run }) => {
    const file = join(copies, name)
    // From another folder: sources by their paths, packages by where they are.
    const imports = head.replaceAll(/(?<=from ")[^"]+/g, (name) =>
      name.startsWith("../../../") ? join(folder, name) : import.meta.resolve(name)
    )
    const body = run.map((block) => `{${withSite(block)}`).join("\n")
    const noted = body.replaceAll(new RegExp(printed, "gm"), "  told.push([$1])")
    writeFileSync(file, `${prologue(imports)}\n${noted}`)
    const { told }: { readonly told: ReadonlyArray<ReadonlyArray<unknown>> } = await import(file)
    const expected = run.flatMap(lines).map((line) => plain(printed.exec(line)?.[2] ?? ""))

    expect(told.map((values) => plain(values.map(shown).join(" ")))).toEqual(expected)
  })

  it("says of each line what it prints", () => {
    const silent = pages.flatMap(({ name, run }) =>
      run.flatMap(lines).flatMap((line) => (printed.test(line) ? [] : [`${name}: ${line}`]))
    )

    expect(silent).toEqual([])
  })

  it("prints something, unless it cannot run here, and few cannot", () => {
    const mute = pages.flatMap(({ name, run }) =>
      run.flatMap((block) => (lines(block).length === 0 ? [`${name}:${block}`] : []))
    )
    const all = pages.flatMap(({ blocks }) => blocks).length
    const left = all - pages.flatMap(({ run }) => run).length

    expect(mute).toEqual([])
    expect(left).toBeLessThanOrEqual(Object.keys(notHere).length)
    expect(all).toBeGreaterThan(160)
  })
})
