import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { expect } from "vitest"
import { Happening, TraceEvent } from "#contract/Trace"
import { lampsSchema, origin, shop } from "../../service/agent/shop.ts"

const envelope = ["agent", "eventId", "occurredAt", "producerSequence", "runId", "schemaVersion"]

describe("the events of a trace", () => {
  it.live("each have their envelope, and the fields of their type and no others", () =>
    Effect.gen(function* () {
      const { ended, service, start } = yield* shop()
      const ids = [
        yield* start({ prompt: "all lamps", urls: [`${origin}/lamps`, `${origin}/gone`], schema: lampsSchema }),
        yield* start({ prompt: "lamps", urls: [`${origin}/lamps`], maxCredits: 1 }),
        yield* start({ prompt: "lamps in words" })
      ]
      const traces = yield* Effect.forEach(ids, (id) =>
        Effect.andThen(ended(`/v2/agent/${id}`), service.ask("GET", `/v2/agent/${id}/trace`))
      )
      const strict = Schema.decodeUnknownEffect(Happening, { onExcessProperty: "error" })
      const types = new Set<string>()
      for (const { body } of traces) {
        for (const event of body.events) {
          yield* Schema.decodeUnknownEffect(TraceEvent)(event)
          yield* strict(Struct.omit(event, envelope))
          types.add(event.type)
          expect([event.schemaVersion, event.runId]).toEqual([1, body.id])
        }
        expect(body.events.at(-1).type).toBe("run.finished")
      }

      expect([...types].toSorted()).toEqual([
        "agent.finished",
        "agent.started",
        "artifact.updated",
        "error.occurred",
        "progress.reported",
        "reasoning.summary",
        "run.finished",
        "run.started",
        "tool_call.finished",
        "tool_call.started"
      ])
    })
  )
})
