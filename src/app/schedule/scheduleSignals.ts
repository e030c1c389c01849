/**
 * The signals of a scheduler: the first one lets it finish its runs, the second one ends it now. Without a run it ends ten
 * seconds after the first, even if its database says nothing.
 *
 * Until the scope closes, no other listener receives these signals: they would interrupt runs, and an interrupted run cancels
 * its job.
 */
import * as Effect from "effect/Effect"

const signals = { SIGINT: 130, SIGTERM: 143 } as const
const patienceMillis = 10_000
const names = ["SIGINT", "SIGTERM"] as const

export const scheduleSignals = Effect.fnUntraced(function* (on: {
  readonly first: Effect.Effect<void>
  /** Whether no run is under way. */
  readonly isIdle: () => boolean
  /** The process ends when it returns. */
  readonly second: () => void
}) {
  const context = yield* Effect.context<never>()
  let count = 0
  const receive = (signal: (typeof names)[number]) => {
    count += 1
    if (count > 1) {
      on.second()
      process.exit(signals[signal])
    }
    Effect.runForkWith(context)(on.first)
    const look = () => (on.isIdle() ? process.exit(signals[signal]) : void setTimeout(look, patienceMillis).unref())
    setTimeout(look, patienceMillis).unref()
  }
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      names.map((name) => {
        const before = process.listeners(name)
        process.removeAllListeners(name)
        process.on(name, receive)
        return { name, before }
      })
    ),
    (taken) =>
      Effect.sync(() => {
        for (const { before, name } of taken) {
          process.off(name, receive)
          for (const listener of before) process.on(name, listener)
        }
      })
  )
})
