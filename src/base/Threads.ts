/**
 * Threads of one kind that answer questions, so that heavy work blocks nothing else.
 *
 * A thread has one question at a time; teams share the threads (`FairPlaces`). An interrupted thread is ended, because its state is unknown. An idle thread,
 * and one that a large question has made large, is ended to release its memory. All threads end with the scope.
 */
import type { HeapInfo } from "node:v8"
import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import * as Pool from "effect/Pool"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as FairPlaces from "./FairPlaces.ts"

interface Options<Request> {
  /** The file of the thread, beside the asking one, without its extension: "./fileWorker". */
  readonly file: string
  /** `import.meta.url` of the asking file. */
  readonly beside: string
  readonly threads: number
  /** A thread ends after this long without a question, or twice as long at most. */
  readonly idleMillis: number
  /** The time limit of a question from when it has a thread, by the clock of the machine. Default: no limit. */
  readonly mostMillis?: number
  readonly heapMegabytes: number
  /** A thread whose buffers take more is ended: V8 limits only the heap, which excludes buffers. Default: no limit. */
  readonly bufferMegabytes?: number
  /** A thread whose heap and buffers take more than this after an answer is ended. Default: it stays. */
  readonly restMegabytes?: number
  /**
   * Called once a thread is free: what to send for a question, and which buffers to transfer. Default: everything is
   * copied.
   */
  readonly sending?: (request: Request) => Sending<Request>
  /** Passed to each thread when it starts. */
  readonly data?: unknown
}

export interface Sending<Request> {
  readonly request: Request
  readonly buffers: ReadonlyArray<ArrayBuffer>
}

/** The thread ended without an answer. */
export class ThreadEnded extends Schema.TaggedError<ThreadEnded>()("ThreadEnded", {
  message: Schema.String,
  /** Whether it exceeded its memory limit. */
  isMemory: Schema.Boolean,
  /** Whether the question exceeded its time limit. */
  isTime: Schema.optionalKey(Schema.Boolean)
}) {}

interface Threads<Request, Answer> {
  readonly ask: (request: Request) => Effect.Effect<Answer, ThreadEnded>
}

export const pool = Effect.fnUntraced(function* <Request, Answer>(options: Options<Request>) {
  const { idleMillis, restMegabytes, threads: max } = options
  const places = FairPlaces.create(max)
  // One thread more for the one who has none.
  const threads = yield* Pool.makeWithTTL({ acquire: start(options), min: 0, max: max + 1, timeToLive: idleMillis })

  /** A thread that can be asked. A thread that has ended in the pool is discarded. */
  const take: Effect.Effect<Worker, never, Scope.Scope> = Effect.flatMap(Pool.get(threads), (thread) =>
    hasEnded(thread) ? Effect.andThen(Pool.invalidate(threads, thread), take) : Effect.succeed(thread)
  )

  const askOne = Effect.fnUntraced(function* (request: Request) {
    const thread = yield* take
    // Only a thread that has answered may be asked again.
    const answer = yield* Effect.onError(exchange<Request, Answer>(thread, request, options), () =>
      Pool.invalidate(threads, thread)
    )
    if (restMegabytes !== undefined && (yield* Effect.promise(() => megabytesOf(thread))) > restMegabytes) {
      yield* Pool.invalidate(threads, thread)
    }
    return answer
  }, Effect.scoped)
  return { ask: (request) => places.during(askOne(request)) } satisfies Threads<Request, Answer>
})

const start = ({
  beside,
  data,
  file,
  heapMegabytes
}: Pick<Options<unknown>, "beside" | "data" | "file" | "heapMegabytes">) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const thread = new Worker(new URL(`${file}${beside.endsWith(".ts") ? ".ts" : ".js"}`, beside), {
        resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
        execArgv: [],
        stdout: true,
        stderr: true,
        workerData: data
      })
      thread.stdout.resume()
      thread.stderr.resume()
      // An error after the answer fails no question; without a listener it would end the service.
      thread.on("error", () => {})
      thread.unref()
      return thread
    }),
    (thread) => Effect.promise(() => thread.terminate())
  )

/** Node gives this number to a thread that has ended. */
const hasEnded = (thread: Worker) => thread.threadId === -1

/** The size of a thread's heap and buffers. */
const megabytesOf = (thread: Worker): Promise<number> =>
  heldBy(thread, ({ external_memory, total_heap_size }) => total_heap_size + external_memory)

const buffersOf = (thread: Worker): Promise<number> => heldBy(thread, ({ external_memory }) => external_memory)

/** V8 answers between two steps of a busy thread. A thread that has ended holds nothing. */
const heldBy = (thread: Worker, bytes: (heap: HeapInfo) => number): Promise<number> =>
  new Promise((resolve) => {
    const end = (heapBytes: number) => {
      thread.off("exit", ended)
      resolve(heapBytes / megabyte)
    }
    const ended = () => end(0)
    thread.once("exit", ended)
    thread.getHeapStatistics().then((heap) => end(bytes(heap)), ended)
  })

const megabyte = 1024 * 1024

/** How often a busy thread's buffers are measured: it exceeds its limit for this long at most. */
const watchMillis = 100

const exchange = <Request, Answer>(
  thread: Worker,
  request: Request,
  { bufferMegabytes, mostMillis, sending }: Options<Request>
): Effect.Effect<Answer, ThreadEnded> =>
  Effect.callback((resume) => {
    // A thread of this kind posts only answers.
    const onMessage = (answer: Answer) => finish(Effect.succeed(answer))
    const onError = (cause: Error) => {
      const isMemory = "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"
      finish(Effect.fail(new ThreadEnded({ message: cause.message, isMemory })))
    }
    // A thread that is killed, or ends itself, reports no error.
    const onExit = () => finish(Effect.fail(new ThreadEnded({ message: "the thread ended", isMemory: false })))
    // A thread in a long step, such as garbage collection, answers late: only one look waits at a time.
    let isLooking = false
    const look = async (most: number) => {
      if (isLooking) return
      isLooking = true
      const buffers = await buffersOf(thread)
      isLooking = false
      if (buffers > most)
        finish(Effect.fail(new ThreadEnded({ message: `its buffers take more than ${most} MB`, isMemory: true })))
    }
    const watch =
      bufferMegabytes === undefined ? undefined : setInterval(() => void look(bufferMegabytes), watchMillis).unref()
    const tooLong = () => {
      const message = `it takes longer than ${(mostMillis ?? 0) / 1000} seconds`
      finish(Effect.fail(new ThreadEnded({ message, isMemory: false, isTime: true })))
    }
    const limit = mostMillis === undefined ? undefined : setTimeout(tooLong, mostMillis).unref()
    const listenNoMore = () => {
      clearInterval(watch)
      clearTimeout(limit)
      thread.off("message", onMessage).off("error", onError).off("exit", onExit)
    }
    const finish = (result: Effect.Effect<Answer, ThreadEnded>) => {
      listenNoMore()
      resume(result)
    }
    thread.on("message", onMessage).on("error", onError).on("exit", onExit)
    const sent = sending?.(request) ?? { request, buffers: [] }
    thread.postMessage(sent.request, sent.buffers)
    return Effect.sync(listenNoMore)
  })
