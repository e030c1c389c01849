/**
 * Reads PDFs, Word documents and large pages in threads of their own, so that a long one does not block other work.
 *
 * At most two files are read at once, each with a limit of bytes, pages, memory and time. A thread is ended if it is
 * interrupted, takes too long, is idle, or has grown large; all threads end with the layer.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Threads from "#base/Threads"
import { FileProblem } from "./FileProblem.ts"
import type { FileAnswer, FileRequest, LongPageRequest, PageRead, Request } from "./fileWorker.ts"
import type { DocxRead } from "./readDocx.ts"
import type { PdfRead } from "./readPdf.ts"

/** The maximum size of a file. */
const maxFileBytes = 20 * 1024 * 1024

/** The time limit of one file, whatever the timeout of the scrape. */
const maxMillis = 60_000

export class FileReader extends Context.Service<
  FileReader,
  {
    readonly read: (request: FileRequest) => Effect.Effect<PdfRead | DocxRead, FileProblem>
    readonly readPage: (request: Omit<LongPageRequest, "kind">) => Effect.Effect<PageRead, FileProblem>
  }
>()("millrace/service/FileReader") {
  static readonly layer = Layer.effect(
    FileReader,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const threads = yield* Threads.pool<Request, FileAnswer>({
    file: "./fileWorker",
    beside: import.meta.url,
    threads: 2,
    idleMillis: 10_000,
    heapMegabytes: 512,
    bufferMegabytes: 256,
    restMegabytes: 96,
    sending
  })

  const ask = Effect.fnUntraced(function* (request: Request) {
    const answer = yield* Effect.timeoutOrElse(threads.ask(request), {
      duration: Duration.millis(maxMillis),
      orElse: () =>
        Effect.fail(new FileProblem("SCRAPE_FILE_TIMEOUT_ERROR", `the file takes longer than ${maxMillis} ms to read`))
    })
    return answer.ok ? answer.read : yield* Effect.fail(new FileProblem(answer.code, answer.message))
  })

  const read = Effect.fnUntraced(function* (request: FileRequest) {
    const read = yield* Effect.catchTag(ask(request), "ThreadEnded", (ended) => Effect.fail(endedBy(ended)))
    return read.kind === "page" ? yield* Effect.die("a file was read as a page") : read
  })

  const readPage = Effect.fnUntraced(function* (request: Omit<LongPageRequest, "kind">) {
    const read = yield* Effect.catchTag(ask({ kind: "page", ...request }), "ThreadEnded", () =>
      Effect.fail(new FileProblem("SCRAPE_PAGE_TOO_COSTLY", "the page is too costly to read: it ended its thread"))
    )
    return read.kind === "page" ? read : yield* Effect.die("a page was read as a file")
  })

  return FileReader.of({
    readPage,
    read: (request) =>
      request.bytes.byteLength > maxFileBytes
        ? Effect.fail(new FileProblem("SCRAPE_FILE_TOO_LARGE_ERROR", "the file is larger than 20 MB"))
        : read(request)
  })
})

/** Sends a copy of the bytes: the caller may still use its own, and they may be part of a larger buffer. */
const sending = (request: Request): Threads.Sending<Request> => {
  const bytes = new Uint8Array(request.kind === "page" ? request.input.body : request.bytes)
  const own = request.kind === "page" ? { ...request, input: { ...request.input, body: bytes } } : { ...request, bytes }
  return { request: own, buffers: [bytes.buffer] }
}

const endedBy = ({ isMemory, message }: Threads.ThreadEnded): FileProblem =>
  isMemory
    ? new FileProblem("SCRAPE_FILE_TOO_LARGE_ERROR", "the file needs more memory than a file may take")
    : new FileProblem("SCRAPE_FILE_BROKEN_ERROR", `the file cannot be read: ${message}`)
