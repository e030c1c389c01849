import { execFileSync } from "node:child_process"
import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { operations } from "#service/support/Operations"
import { rules } from "#service/support/rules"

const all = rules.map(({ text }) => text).join("\n")

describe("the rules", () => {
  it("name only paths that the contract has", () => {
    const shapes = operations().map(({ path }) => path.replace(/\{[^}]*\}/g, "{}"))
    const named = [...all.matchAll(/\/v2\/[\w/{}-]+/g)].map(([path]) => path.replace(/\{[^}]*\}/g, "{}"))

    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((path) => !shapes.includes(path))).toEqual([])
  })

  it("name only flags that serve has", () => {
    const help = execFileSync(resolve(import.meta.dirname, "../../../bin/millrace"), ["serve", "--help"]).toString()
    const flags = [...all.matchAll(/--[a-z-]+/g)].map(([flag]) => flag).filter((flag) => flag !== "--api-url")

    expect(flags).toContain("--model-url")
    expect(flags.filter((flag) => !help.includes(flag))).toEqual([])
  })

  it("have each a title of their own", () => {
    expect(new Set(rules.map(({ title }) => title)).size).toBe(rules.length)
  })
})
