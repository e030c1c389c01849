import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "..")

/** Faults by the rule that refuses each. But for the first, the types alone let them through. */
const faults: Readonly<Record<string, string>> = {
  TS2322: `export const size: number = "large"`,
  "typescript(no-unsafe-return)": `export const nameOf = (text: string): string => JSON.parse(text).name`,
  "typescript(no-unsafe-argument)": `export const link = (text: string): URL => new URL(JSON.parse(text))`,
  "typescript(no-unsafe-type-assertion)": `export const textOf = (cell: unknown): string => cell as string`,
  "typescript(switch-exhaustiveness-check)": `
    export const sizeOf = (type: "DATE" | "TIMESTAMP"): number => {
      switch (type) {
        case "DATE":
          return 4
        default:
          return 8
      }
    }`,
  "typescript(no-floating-promises)": `
    const close = async (): Promise<void> => {}
    export const leave = (): void => {
      close()
    }`,
  "typescript(no-misused-promises)": `
    export const synced = (file: { readonly sync: () => Promise<void>; readonly close: () => Promise<void> }) =>
      file.sync().finally(() => file.close())`,
  "typescript(await-thenable)": `export const one = async (): Promise<number> => await 1`,
  "effect(effectFnImplicitAny)": `
    import * as Effect from "effect/Effect"
    export const handler = Effect.fnUntraced(function* ({ payload }) {
      yield* Effect.void
      return String(payload.nonsense)
    })`,
  "effect(floatingEffect)": `
    import * as Effect from "effect/Effect"
    export const forget = (): void => {
      Effect.log("never said")
    }`,
  "effect(returnEffectInGen)": `
    import * as Effect from "effect/Effect"
    export const twice = Effect.gen(function* () {
      yield* Effect.void
      return Effect.log("never said")
    })`
}

/** A project beside the checkout: what stands in it is no source of ours. */
const folder = mkdtempSync(join(tmpdir(), "millrace-lint-"))
const project = join(folder, "faults")
const nameOf = (rule: string) => `${rule.replace(/\W/g, "_")}.ts`

beforeAll(() => {
  mkdirSync(project)
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }))
  const options = { extends: join(root, "tsconfig.json"), compilerOptions: { types: [] }, include: ["*.ts"] }
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(options))
  for (const [rule, code] of Object.entries(faults)) writeFileSync(join(project, nameOf(rule)), `${code}\n`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a command prints that fails, as it must here. */
const refused = (command: string, ...args: ReadonlyArray<string>): Promise<string> =>
  promisify(execFile)(command, args, { cwd: project }).then(
    () => "",
    (error: unknown) => (error as { readonly stdout: string }).stdout
  )

describe("lint", () => {
  it("refuses a wrong type, and what the types let through: any, open switches, forgotten promises and effects", async () => {
    const config = join(root, ".oxlintrc.json")
    const [byTypes, byEffect] = await Promise.all([
      refused(join(root, "node_modules/.bin/oxlint"), "-c", config, "-f", "unix", "."),
      refused(process.execPath, join(root, "scripts/effectCheck.ts"), join(project, "tsconfig.json"))
    ])
    const lines = `${byTypes}\n${byEffect}`.split("\n")
    const missed = Object.keys(faults).filter(
      (rule) => !lines.some((line) => line.includes(nameOf(rule)) && line.includes(rule))
    )

    expect(missed).toEqual([])
  })

  it("is told to look away only with a reason", () => {
    const files = ["src", "connectors", "test", "bench", "scripts"].flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
        .map((file) => join(room, file))
    )
    const silent = files.flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .filter((line) => /\/[/*] ?(?:oxlint-disable|eslint-disable|@effect-diagnostics|@ts-)/.test(line))
        .filter((line) => !/\/\/ (?:oxlint-disable-next-line|@effect-diagnostics-next-line) .+ -- \S/.test(line))
        .map((line) => `${file}: ${line.trim()}`)
    )

    expect(silent).toEqual([])
  })
})
