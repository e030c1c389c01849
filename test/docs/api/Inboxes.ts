// Copied by `npm run docs` from docs/reference/api/Inboxes.md. Do not edit.
import * as Effect from "effect/Effect"
import { Inbox, Inboxes } from "../../../src/index.ts"

{
  const counts = Effect.gen(function* () {
    const inbox = yield* (yield* Inbox.Inboxes).open("orders", process.cwd())
    yield* inbox.accept([{ id: "order-1", body: '{"total":12}' }])
    return yield* inbox.counts
  })
  console.log(await Effect.runPromise(Effect.scoped(counts).pipe(Effect.provide(Inboxes.layer)))) // { events: 1, bodies: 1 }
}
{
  const events = Effect.gen(function* () {
    const inbox = yield* (yield* Inbox.Inboxes).open("orders", process.cwd())
    return yield* inbox.read(0, { events: 100, bytes: 1_000_000 })
  })
  console.log(await Effect.runPromise(Effect.scoped(events).pipe(Effect.provide(Inboxes.layerMemory)))) // []
}
