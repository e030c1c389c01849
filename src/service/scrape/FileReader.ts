/**
 * Reads PDFs and Word documents in threads of their own, so that a long one stops nobody else.
 *
 * The law: at most two files are read at once; each has limited bytes, pages, memory and time; a thread that was
 * interrupted or took too long is ended, and so is one that nobody needs for a while, and all when the layer is.
 */
import { Worker } from "node:worker_threads"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Pool from "effect/Pool"
import type * as Scope from "effect/Scope"
import { FileProblem } from "./FileProblem.ts"
import type { Answer, Request } from "./fileWorker.ts"
import type { DocxRead } from "./readDocx.ts"
import type { PdfRead } from "./readPdf.ts"

/** A file may not be larger. */
export const maxFileBytes = 20 * 1024 * 1024

/** Reading one file may not take longer, whatever the scrape's own timeout. */
const maxMillis = 60_000

const maxThreads = 2

/** A thread that is not asked for this long, or twice as long at the most, gives its memory back. */
const idleMillis = 10_000

export class FileReader extends Context.Service<
  FileReader,
  { readonly read: (request: Request) => Effect.Effect<PdfRead | DocxRead, FileProblem> }
>()("millrace/service/FileReader") {
  static readonly layer = Layer.effect(
    FileReader,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const threads = yield* Pool.makeWithTTL({ acquire: startThread, min: 0, max: maxThreads, timeToLive: idleMillis })

  /** A thread that can be asked: one that ended while nobody looked is put away. */
  const take: Effect.Effect<Worker, never, Scope.Scope> = Effect.flatMap(Pool.get(threads), (thread) =>
    hasEnded(thread) ? Effect.andThen(Pool.invalidate(threads, thread), take) : Effect.succeed(thread)
  )

  const read = Effect.fnUntraced(function* (request: Request) {
    const thread = yield* take
    const timely = Effect.timeoutOrElse(ask(thread, request), {
      duration: Duration.millis(maxMillis),
      orElse: () =>
        Effect.fail(new FileProblem("SCRAPE_FILE_TIMEOUT_ERROR", `the file takes longer than ${maxMillis} ms to read`))
    })
    // Only a thread that has answered may be asked again.
    return yield* Effect.onError(timely, () => Pool.invalidate(threads, thread))
  }, Effect.scoped)

  return FileReader.of({
    read: (request) =>
      request.bytes.byteLength > maxFileBytes
        ? Effect.fail(new FileProblem("SCRAPE_FILE_TOO_LARGE_ERROR", "the file is larger than 20 MB"))
        : read(request)
  })
})

const startThread = Effect.acquireRelease(
  Effect.sync(() => {
    const file = import.meta.url.endsWith(".ts") ? "./fileWorker.ts" : "./fileWorker.js"
    const thread = new Worker(new URL(file, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
      execArgv: [],
      stdout: true,
      stderr: true
    })
    thread.stdout.resume()
    thread.stderr.resume()
    // What fails after its answer has failed nobody; without a listener it would end the service.
    thread.on("error", () => {})
    thread.unref()
    return thread
  }),
  (thread) => Effect.promise(() => thread.terminate())
)

/** Node gives a thread that has ended this number. */
const hasEnded = (thread: Worker) => thread.threadId === -1

/** One question to a thread. Its bytes are copied there: a page cache may still hold them here. */
const ask = (thread: Worker, request: Request): Effect.Effect<PdfRead | DocxRead, FileProblem> =>
  Effect.callback((resume) => {
    const onMessage = (answer: Answer) =>
      done(answer.ok ? Effect.succeed(answer.read) : Effect.fail(new FileProblem(answer.code, answer.message)))
    const onError = (cause: Error) => {
      const memory = "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"
      const why = memory ? "it needs more memory than a file may take" : cause.message
      done(Effect.fail(new FileProblem("SCRAPE_FILE_BROKEN_ERROR", `the file cannot be read: ${why}`)))
    }
    const done = (result: Effect.Effect<PdfRead | DocxRead, FileProblem>) => {
      thread.off("message", onMessage).off("error", onError)
      resume(result)
    }
    thread.on("message", onMessage).on("error", onError)
    thread.postMessage(request, [])
    return Effect.sync(() => void thread.off("message", onMessage).off("error", onError))
  })
