/** Inboxes in files: `.millrace/inboxes/NAME.db` beside the pipeline file. */
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Inbox, InboxError, Inboxes } from "./Inbox.ts"

/**
 * The file of an inbox.
 *
 * @internal
 */
export const fileOf = (name: string, directory: string): string =>
  join(directory, ".millrace", "inboxes", `${encodeURIComponent(name)}.db`)

/**
 * Inboxes as SQLite files, one for each name. Opening one fails with `InboxError` if the file cannot be used.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Inbox, Inboxes } from "millrace"
 *
 * const counts = Effect.gen(function* () {
 *   const inbox = yield* (yield* Inbox.Inboxes).open("orders", process.cwd())
 *   yield* inbox.accept([{ id: "order-1", body: '{"total":12}' }])
 *   return yield* inbox.counts
 * })
 * console.log(await Effect.runPromise(Effect.scoped(counts).pipe(Effect.provide(Inboxes.layer)))) // { events: 1, bodies: 1 }
 * ```
 */
export const layer: Layer.Layer<Inboxes> = Layer.succeed(Inboxes, {
  open: (name, directory) =>
    Effect.map(
      Effect.acquireRelease(
        attempt(`cannot open the inbox ${JSON.stringify(name)}`, () => open(fileOf(name, directory))),
        ({ close }) => close
      ),
      ({ inbox }) => inbox
    )
})

/**
 * Inboxes in memory, for tests. They live as long as the layer, whoever opened them.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Inbox, Inboxes } from "millrace"
 *
 * const events = Effect.gen(function* () {
 *   const inbox = yield* (yield* Inbox.Inboxes).open("orders", process.cwd())
 *   return yield* inbox.read(0, { events: 100, bytes: 1_000_000 })
 * })
 * console.log(await Effect.runPromise(Effect.scoped(events).pipe(Effect.provide(Inboxes.layerMemory)))) // []
 * ```
 */
export const layerMemory: Layer.Layer<Inboxes> = Layer.effect(
  Inboxes,
  Effect.gen(function* () {
    // Promises: who opens an inbox while another does gets the same.
    const all = new Map<string, Promise<Opened>>()
    yield* Effect.addFinalizer(() =>
      Effect.forEach(all.values(), (opened) =>
        Effect.ignore(
          Effect.flatMap(
            attempt("cannot close an inbox in memory", () => opened),
            ({ close }) => close
          )
        )
      )
    )
    const openOne = (key: string): Promise<Opened> => {
      const opened = all.get(key) ?? open(":memory:")
      all.set(key, opened)
      return opened
    }
    return Inboxes.of({
      open: (name, directory) =>
        Effect.map(
          attempt("cannot open an inbox in memory", () => openOne(join(resolve(directory), name))),
          ({ inbox }) => inbox
        )
    })
  })
)

interface Opened {
  readonly inbox: Inbox
  readonly close: Effect.Effect<void>
}

/** SQLite is loaded here, for start-up: every run has this layer, and hardly one has an inbox. */
const open = async (path: string): Promise<Opened> => {
  const InboxFile = await import("./inbox/InboxFile.ts")
  const file = InboxFile.open(path)
  return { inbox: InboxFile.inboxOf(file), close: InboxFile.close(file) }
}

const attempt = <A>(doing: string, run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new InboxError({ message: `${doing}: ${cause instanceof Error ? cause.message : String(cause)}`, cause })
  })
