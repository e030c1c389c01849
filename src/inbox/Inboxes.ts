/**
 * Inboxes in files: `.millrace/inboxes/NAME.db` beside the pipeline file.
 *
 * The law: only its owner reads one; what others sent may be private.
 */
import { chmodSync, mkdirSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Inbox, InboxError, Inboxes } from "../pipeline/Inbox.ts"
import * as InboxFile from "./InboxFile.ts"

export const fileOf = (name: string, directory: string): string =>
  join(directory, ".millrace", "inboxes", `${encodeURIComponent(name)}.db`)

export const layer: Layer.Layer<Inboxes> = Layer.succeed(Inboxes, {
  open: (name, directory) =>
    Effect.map(
      Effect.acquireRelease(
        attempt(`cannot open the inbox ${JSON.stringify(name)}`, () => openFile(fileOf(name, directory))),
        InboxFile.close
      ),
      InboxFile.inboxOf
    )
})

/** Gone with the layer, and not with who opened one. */
export const layerMemory: Layer.Layer<Inboxes> = Layer.effect(
  Inboxes,
  Effect.gen(function* () {
    const all = new Map<string, InboxFile.InboxFile>()
    yield* Effect.addFinalizer(() => Effect.forEach(all.values(), InboxFile.close))
    const openOne = async (key: string): Promise<Inbox> => {
      const known = all.get(key) ?? InboxFile.make(await databaseAt(":memory:"))
      all.set(key, known)
      return InboxFile.inboxOf(known)
    }
    return Inboxes.of({
      open: (name, directory) =>
        attempt("cannot open an inbox in memory", () => openOne(join(resolve(directory), name)))
    })
  })
)

function attempt<A>(doing: string, run: () => Promise<A>) {
  return Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new InboxError({ message: `${doing}: ${cause instanceof Error ? cause.message : String(cause)}`, cause })
  })
}

const openFile = async (file: string): Promise<InboxFile.InboxFile> => {
  mkdirSync(dirname(file), { recursive: true })
  const database = await databaseAt(file)
  try {
    const made = InboxFile.make(database)
    chmodSync(file, 0o600)
    return made
  } catch (cause) {
    database.close()
    throw cause
  }
}

/** Loaded here, for start-up: every run has this layer, and hardly one has an inbox. */
const databaseAt = async (place: string): Promise<DatabaseSync> => {
  const { DatabaseSync } = await import("node:sqlite")
  return new DatabaseSync(place, { timeout: 5000 })
}
