import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as KeptSecret from "#base/KeptSecret"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millrace-test-secret-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe("a secret in a file", () => {
  it("is made once, read by its owner alone, and leaves no draft", () => {
    const file = join(folder, "key")
    const first = KeptSecret.readOrMake(file)

    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(KeptSecret.readOrMake(file)).toBe(first)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(["key"])
  })

  it("is never an empty one, which everybody knows", () => {
    const file = join(folder, "key")
    writeFileSync(file, "\n")

    expect(() => KeptSecret.readOrMake(file)).toThrow(`${file} is empty; delete the file for a new secret`)
  })

  it("is not there yet where its process dies before the draft has its name", () => {
    const file = join(folder, "key")
    const code = `
      const fs = require("node:fs")
      fs.linkSync = () => process.kill(process.pid, "SIGKILL")
      require("node:module").syncBuiltinESMExports()
      import(${JSON.stringify(new URL("../../../src/base/KeptSecret.ts", import.meta.url).href)}).then((KeptSecret) => KeptSecret.readOrMake(${JSON.stringify(file)}))`
    const { signal } = spawnSync(process.execPath, ["-e", code])

    expect(signal).toBe("SIGKILL")
    expect(readdirSync(folder).includes("key")).toBe(false)
    expect(KeptSecret.readOrMake(file)).toMatch(/^[0-9a-f]{64}$/)
  })
})
