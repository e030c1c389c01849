import { existsSync } from "node:fs"
import { basename } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { temporaryFolder } from "#engine/temporaryFolder"

describe("a temporary folder", () => {
  it.effect("is there until its scope ends", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.scoped(
        Effect.tap(temporaryFolder("plan"), (folder) => Effect.sync(() => expect(existsSync(folder)).toBe(true)))
      )

      expect(basename(folder)).toMatch(/^millrace-plan-/)
      expect(existsSync(folder)).toBe(false)
    })
  )

  it.effect("that cannot be made is an error that says where, why, and what to do", () =>
    Effect.gen(function* () {
      const faultOf = (place: string) =>
        Effect.map(Effect.flip(Effect.scoped(temporaryFolder("plan", place))), ({ message }) => message)

      expect(yield* faultOf("/dev/null")).toBe(
        "cannot make a folder in /dev/null: a part of its path is a file, not a folder (ENOTDIR); set the variable TMPDIR to a folder for temporary files"
      )
      expect(yield* faultOf("/nowhere")).toContain("cannot make a folder in /nowhere: it is not there (ENOENT); ")
    })
  )
})
