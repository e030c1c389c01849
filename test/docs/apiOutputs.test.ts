/**
 * The law of examples: what a comment says that a line prints, it prints. Blocks of `test/docs/api` that say so of each of
 * their lines are run; the others are compiled alone, since they start services, or write where a user wants it.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "./Folder.ts"

const folder = join(root, "test/docs/api")
const copies = mkdtempSync(join(tmpdir(), "millrace-examples-"))
const before = process.cwd()
// What an example writes, it writes there.
beforeAll(() => process.chdir(copies))
afterAll(() => {
  process.chdir(before)
  rmSync(copies, { recursive: true })
})

const printed = /^ {2}console\.log\((.*)\) \/\/ (.+)$/

const lines = (block: string): ReadonlyArray<string> =>
  block.split("\n").filter((line) => line.includes("console.log("))

const isSaid = (block: string): boolean => lines(block).length > 0 && lines(block).every((line) => printed.test(line))

const pages = readdirSync(folder).flatMap((name) => {
  const [head = "", ...blocks] = readFileSync(join(folder, name), "utf8").split(/^\{$/m)
  const said = blocks.filter(isSaid)
  return said.length === 0 ? [] : [{ name, head, said }]
})

const shown = (value: unknown): string =>
  typeof value === "string"
    ? JSON.stringify(value)
    : inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 9 })

/** Without quotes and spaces, which nobody means to say anything by. */
const plain = (text: string): string => text.replaceAll(/[\s"'\\]/g, "")

describe("an example", () => {
  it.each(pages)("of $name prints what its comments say", async ({ head, name, said }) => {
    const file = join(copies, name)
    // From another folder: sources by their paths, packages by where they are.
    const imports = head.replaceAll(/(?<=from ")[^"]+/g, (name) =>
      name.startsWith("../../../") ? join(folder, name) : import.meta.resolve(name)
    )
    const body = said.map((block) => `{${block}`).join("\n")
    const noted = body.replaceAll(new RegExp(printed, "gm"), "  told.push([$1])")
    writeFileSync(file, `${imports}\nexport const told: Array<ReadonlyArray<unknown>> = []\n${noted}`)
    const { told }: { readonly told: ReadonlyArray<ReadonlyArray<unknown>> } = await import(file)
    const expected = said.flatMap(lines).map((line) => plain(printed.exec(line)?.[2] ?? ""))

    expect(told.map((values) => plain(values.map(shown).join(" ")))).toEqual(expected)
  })

  it("is run in many places", () => {
    expect(pages.flatMap(({ said }) => said).length).toBeGreaterThan(60)
  })
})
