import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { openPage } from "#see/explorePipeline"
import { folder } from "#testing/folder"

/** A program `xdg-open` that says what it was asked to open. */
const opener = (place: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const [bin, said] = [join(place, "bin"), join(place, "said")]
      mkdirSync(bin)
      execFileSync("mkfifo", [said])
      writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s' "$*" > '${said}'\n`, { mode: 0o755 })
      const path = process.env["PATH"]
      process.env["PATH"] = `${bin}:${path}`
      return { path, said }
    }),
    ({ path }) => Effect.sync(() => (process.env["PATH"] = path))
  )

it.live.runIf(process.platform === "linux")(
  "the token is in no program's arguments: the browser gets a private file that leads to the page",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const { said } = yield* opener(yield* folder)
      const url = "http://127.0.0.1:4000/?token=secret"
      yield* openPage(url, directory)

      const file = yield* Effect.promise(() => readFile(said, "utf8"))
      expect(dirname(dirname(file))).toBe(join(directory, ".millrace"))
      expect(readFileSync(file, "utf8")).toContain(`url=${url}"`)
      expect([statSync(dirname(file)).mode & 0o077, statSync(file).mode & 0o077]).toEqual([0, 0])
    }).pipe(Effect.scoped)
)
