/**
 * Reads PDFs and Word documents in threads of their own, so that a long one stops nobody else.
 *
 * The law: at most two files are read at once; each has limited bytes, pages, memory and time; a thread that was
 * interrupted or took too long is ended, and so is every thread when the layer is.
 */
import { Worker } from "node:worker_threads"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { FileProblem } from "./FileProblem.ts"
import type { Answer, Request } from "./fileWorker.ts"
import type { DocxRead } from "./readDocx.ts"
import type { PdfRead } from "./readPdf.ts"

/** A file may not be larger. */
export const maxFileBytes = 20 * 1024 * 1024

/** Reading one file may not take longer, whatever the scrape's own timeout. */
const maxMillis = 60_000

const maxThreads = 2

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
  const turns = yield* Semaphore.make(maxThreads)
  const idle: Array<Worker> = []
  yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all(idle.map((worker) => worker.terminate()))))

  const read = (request: Request) =>
    Effect.acquireUseRelease(
      Effect.sync(() => idle.pop() ?? startWorker(idle)),
      (worker) => ask(worker, request),
      // Only a thread that has answered may be asked again.
      (worker, exit) =>
        exit._tag === "Success" ? Effect.sync(() => void idle.push(worker)) : Effect.promise(() => worker.terminate())
    ).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(maxMillis),
        orElse: () =>
          Effect.fail(
            new FileProblem("SCRAPE_FILE_TIMEOUT_ERROR", `the file takes longer than ${maxMillis} ms to read`)
          )
      }),
      turns.withPermits(1)
    )

  return FileReader.of({
    read: (request) =>
      request.bytes.byteLength > maxFileBytes
        ? Effect.fail(new FileProblem("SCRAPE_FILE_TOO_LARGE_ERROR", "the file is larger than 20 MB"))
        : read(request)
  })
})

const startWorker = (idle: Array<Worker>): Worker => {
  const file = import.meta.url.endsWith(".ts") ? "./fileWorker.ts" : "./fileWorker.js"
  const worker = new Worker(new URL(file, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    execArgv: [],
    stdout: true,
    stderr: true
  })
  worker.stdout.resume()
  worker.stderr.resume()
  // What fails after its answer has failed nobody; without a listener it would end the service.
  worker.on("error", () => {})
  worker.on("exit", () => {
    const at = idle.indexOf(worker)
    if (at !== -1) idle.splice(at, 1)
  })
  worker.unref()
  return worker
}

/** One question to a thread. Its bytes are copied there: a page cache may still hold them here. */
const ask = (worker: Worker, request: Request): Effect.Effect<PdfRead | DocxRead, FileProblem> =>
  Effect.callback((resume) => {
    const onMessage = (answer: Answer) =>
      done(answer.ok ? Effect.succeed(answer.read) : Effect.fail(new FileProblem(answer.code, answer.message)))
    const onError = (cause: Error) => {
      const memory = "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"
      const why = memory ? "it needs more memory than a file may take" : cause.message
      done(Effect.fail(new FileProblem("SCRAPE_FILE_BROKEN_ERROR", `the file cannot be read: ${why}`)))
    }
    const done = (result: Effect.Effect<PdfRead | DocxRead, FileProblem>) => {
      worker.off("message", onMessage).off("error", onError)
      resume(result)
    }
    worker.on("message", onMessage).on("error", onError)
    worker.postMessage(request, [])
    return Effect.sync(() => void worker.off("message", onMessage).off("error", onError))
  })
