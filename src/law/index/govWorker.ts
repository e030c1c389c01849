/**
 * The thread that searches a SQLite file of government texts: a question in, an answer out. The file may come and change
 * while the thread lives; one that is not there has no texts.
 */
import { existsSync } from "node:fs"
import { parentPort, workerData } from "node:worker_threads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Schema from "effect/Schema"
import * as Sqlite from "#base/SqliteClient"
import { type GovAnswer, GovIndex } from "../GovIndex.ts"
import { GovStore } from "./GovStore.ts"
import { layerStore } from "./layerStore.ts"

export type Request =
  | { readonly kind: "sections" }
  | { readonly kind: "search"; readonly query: string; readonly k: number }

export type SearchReply =
  | { readonly ok: true; readonly sections: number; readonly answer: GovAnswer }
  | { readonly ok: false; readonly message: string }

const file = Schema.decodeUnknownSync(Schema.String)(workerData)
const runtime = ManagedRuntime.make(layerStore.pipe(Layer.provide(GovStore.layer), Layer.provide(Sqlite.layer(file))))

const ask = (request: Request) =>
  Effect.gen(function* () {
    const index = yield* GovIndex
    return request.kind === "sections"
      ? { ok: true as const, sections: yield* index.sections, answer: { hits: [] } }
      : { ok: true as const, sections: 0, answer: yield* index.search(request.query, request.k) }
  })

const answer = async (request: Request): Promise<SearchReply> => {
  if (!existsSync(file)) return { ok: true, sections: 0, answer: { hits: [] } }
  try {
    return await runtime.runPromise(ask(request))
  } catch (cause) {
    return { ok: false, message: cause instanceof Error ? cause.message : String(cause) }
  }
}

parentPort?.on("message", (request: Request) => {
  void answer(request).then((message) => parentPort?.postMessage(message, []))
})
