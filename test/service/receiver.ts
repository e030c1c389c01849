/** A receiver of webhooks: a page of a scripted site that keeps what it is told, as it was sent. */

import type { IncomingHttpHeaders } from "node:http"
import { buffer } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { Answer } from "./scriptedSite.ts"

export interface Told {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly payload: any
}

/** Answers 204, or as it is told to. */
export const receiver = (answer?: Answer) =>
  Effect.map(Queue.unbounded<Told>(), (queue) => {
    const hook: Answer = (request, response) => {
      void buffer(request).then((body) => {
        Queue.offerUnsafe(queue, { headers: request.headers, body, payload: JSON.parse(body.toString()) })
        if (typeof answer === "function") return answer(request, response)
        response.writeHead(204).end()
      })
    }
    /** What comes, up to and with the event that ends a job. */
    const untilEnd = Effect.gen(function* () {
      const all: Array<Told> = []
      for (;;) {
        const told = yield* Queue.take(queue)
        all.push(told)
        if (/\.(?:completed|failed)$/.test(told.payload.type)) return all
      }
    })
    return { answer: hook, next: Queue.take(queue), untilEnd, waiting: Queue.size(queue) }
  })
