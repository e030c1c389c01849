import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "#testing/folder"

it.effect("DuckDB is loaded for what needs SQL, and not for a run that appends or replaces", () =>
  Effect.gen(function* () {
    const words = [join(import.meta.dirname, "loading.ts"), yield* folder, "append", "replace", "merge"]

    expect(execFileSync(process.execPath, words, { encoding: "utf8" }).trim().split("\n")).toEqual([
      "append false",
      "replace false",
      "merge true"
    ])
  })
)
