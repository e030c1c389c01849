import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writingFile } from "#see/writingFile"
import { folder } from "#testing/folder"

it.effect("a file has all that was written into it", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "out.csv")

    yield* writingFile(path, (file) => Effect.sync(() => void file.write("a,b\n")))

    expect(readFileSync(path, "utf8")).toBe("a,b\n")
  })
)

it.live("a file that cannot be opened, or breaks while somebody waits for it, is told by its path", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const missing = join(directory, "missing/out.csv")
    const whole = join(directory, "whole.csv")
    writeFileSync(whole, "")

    const none = yield* Effect.flip(writingFile(missing, () => Effect.void))
    const aFolder = yield* Effect.flip(writingFile(directory, () => Effect.void))
    const broken = yield* Effect.flip(
      writingFile(whole, (file) => {
        file.destroy(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }))
        // Who waits for room in a stream that is broken waits for ever.
        return Effect.never
      })
    )

    expect([none.exitCode, none.message]).toEqual([
      1,
      `${missing} cannot be written: its folder does not exist; make the folder, or name another file`
    ])
    expect([aFolder.exitCode, aFolder.message]).toEqual([
      1,
      `${directory} cannot be written: it is a folder; name a file in it`
    ])
    expect([broken.exitCode, broken.message]).toEqual([
      1,
      `${whole} cannot be written: the disk is full; make room, or name a path on another disk`
    ])
  })
)
