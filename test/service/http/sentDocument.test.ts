import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import { sentDocument } from "#service/http/sentDocument"

const sent = Effect.fnUntraced(function* (document: object) {
  let turns = 0
  // `forever` yields after each time.
  const other = yield* Effect.forkChild(Effect.forever(Effect.sync(() => (turns += 1))), { startImmediately: true })
  const { body, headers } = yield* sentDocument(JSON.stringify(document))
  yield* Fiber.interrupt(other)
  const bytes = body._tag === "Uint8Array" ? body.body : new Uint8Array()
  return { turns, type: headers["content-type"], answer: JSON.parse(new TextDecoder().decode(bytes)) as unknown }
})

describe("the answer that has one document", () => {
  it.effect("is JSON with the document as it is", () =>
    Effect.gen(function* () {
      const document = { markdown: `a "word" – 😀\n`, links: [] }
      const { answer, turns, type } = yield* sent(document)

      expect(answer).toEqual({ success: true, data: document })
      expect(type).toBe("application/json")
      expect(turns).toBe(1)
    })
  )

  it.effect("is the same for a large one, and lets others have their turns", () =>
    Effect.gen(function* () {
      const document = { markdown: "a – 😀 ".repeat(400_000) }
      const { answer, turns, type } = yield* sent(document)

      expect(answer).toEqual({ success: true, data: document })
      expect(type).toBe("application/json")
      expect(turns).toBeGreaterThanOrEqual(2)
    })
  )
})
