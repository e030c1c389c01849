/**
 * The process that reads suspects, for the process that started it: with the same code, in the same kind of threads. Its own
 * thread only waits, so it ends with the process that asks, whatever a page does.
 */
import * as Effect from "effect/Effect"
import { answeringParent } from "#base/OwnProcess"
import type { FileProblem } from "#web/FileProblem"
import { FileReader } from "#web/FileReader"
import * as Rules from "../Rules.ts"
import type { Answered, Request } from "./Question.ts"

const served = Effect.gen(function* () {
  const files = yield* FileReader
  const rules = yield* Rules.start()

  const answer = (request: Request): Effect.Effect<Answered, FileProblem> => {
    switch (request.kind) {
      case "file":
        return Effect.map(files.read(request.request), (read) => ({ ok: true, read }))
      case "page":
        return Effect.map(files.readPage(request.request), (read) => ({ ok: true, read }))
      case "fill":
      case "answer":
      case "highlights":
      case "support":
        return Effect.map(rules.ask(request), (read) => ({ ok: true, read }))
    }
  }

  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  answeringParent<Request, Answered>((request) =>
    run(Effect.catch(answer(request), ({ code, message }) => Effect.succeed<Answered>({ ok: false, code, message })))
  )
  return yield* Effect.never
})

Effect.runFork(Effect.scoped(Effect.provide(served, FileReader.layer)))
