// Copied by `npm run docs` from docs/reference/api/Inbox.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Inbox, Inboxes } from "../../../src/index.ts"

{
  const full = new Inbox.InboxError({ message: "the disk is full; make room, then send the event again" })
  console.log(full.message) // "the disk is full; make room, then send the event again"
}
{
  const taken = Effect.gen(function* () {
    const inbox = yield* (yield* Inbox.Inboxes).open("orders", process.cwd())
    return yield* inbox.accept([{ id: "order-1", body: '{"total":12}' }])
  })
  console.log(await Effect.runPromise(Effect.scoped(taken).pipe(Effect.provide(Inboxes.layerMemory)))) // ["accepted"]
}
{
  const decode = Schema.decodeUnknownSync(Inbox.Stored)
  console.log(decode({ seq: 1, id: "a", at: 0, body: "{}" }).seq) // 1
}
