/** A module of its own for a thread or a process, in a temporary folder; the answer is the `import.meta.url` of who asks beside it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"

export const askingModule = (name: string, source: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-threads-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ),
    (folder) => {
      writeFileSync(join(folder, `${name}.js`), source)
      writeFileSync(join(folder, "package.json"), '{"type":"module"}')
      return pathToFileURL(join(folder, "asking.js")).href
    }
  )
