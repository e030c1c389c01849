/**
 * Threads of one kind that answer messages, so that what is heavy stops nobody else.
 *
 * A thread has one question at a time. A thread that was interrupted is ended, because its state is unknown; an idle
 * thread gives its memory back, and so does one that a large question has made large; all threads end with the scope.
 */
import type { HeapInfo } from "node:v8"
import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import * as Pool from "effect/Pool"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"

export interface Options<Request> {
  /** The thread's own file beside the asking one, without its ending: "./fileWorker". */
  readonly file: string
  /** `import.meta.url` of who asks. */
  readonly beside: string
  readonly threads: number
  /** A thread that is not asked for this long, or twice as long at the most, ends. */
  readonly idleMillis: number
  /** A question that has a thread may not keep it longer, by the clock of the machine. Default: no limit. */
  readonly mostMillis?: number
  readonly heapMegabytes: number
  /** A thread whose buffers take more is ended: V8 limits the heap alone, and buffers are not in it. Default: no limit. */
  readonly bufferMegabytes?: number
  /** A thread that has more than this when it has answered, in its heap and in buffers, ends. Default: it stays. */
  readonly restMegabytes?: number
  /** Makes of a question what goes over, once a thread is free, and what of it is handed over. Default: all is copied, twice. */
  readonly sending?: (request: Request) => Sending<Request>
  /** What each thread is told as it starts. */
  readonly data?: unknown
}

export interface Sending<Request> {
  readonly request: Request
  readonly buffers: ReadonlyArray<ArrayBuffer>
}

/** The thread ended without an answer. */
export class ThreadEnded extends Schema.TaggedError<ThreadEnded>()("ThreadEnded", {
  message: Schema.String,
  /** Whether it needed more memory than it may have. */
  isMemory: Schema.Boolean,
  /** Whether the question has kept it longer than one may. */
  isTime: Schema.optionalKey(Schema.Boolean)
}) {}

export interface Threads<Request, Answer> {
  readonly ask: (request: Request) => Effect.Effect<Answer, ThreadEnded>
}

export const make = Effect.fnUntraced(function* <Request, Answer>(options: Options<Request>) {
  const { idleMillis, restMegabytes, threads: max } = options
  const threads = yield* Pool.makeWithTTL({ acquire: start(options), min: 0, max, timeToLive: idleMillis })

  /** A thread that can be asked: one that ended while nobody looked is put away. */
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
  return { ask: askOne } satisfies Threads<Request, Answer>
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
      // What fails after its answer has failed nobody; without a listener it would end the service.
      thread.on("error", () => {})
      thread.unref()
      return thread
    }),
    (thread) => Effect.promise(() => thread.terminate())
  )

/** Node gives a thread that has ended this number. */
const hasEnded = (thread: Worker) => thread.threadId === -1

/** What a thread holds, in its heap and in buffers. */
const megabytesOf = (thread: Worker): Promise<number> =>
  heldBy(thread, ({ external_memory, total_heap_size }) => total_heap_size + external_memory)

const buffersOf = (thread: Worker): Promise<number> => heldBy(thread, ({ external_memory }) => external_memory)

/** V8 says it between two steps of a thread that computes. One that ends meanwhile has nothing. */
const heldBy = (thread: Worker, bytes: (held: HeapInfo) => number): Promise<number> =>
  new Promise((resolve) => {
    const end = (held: number) => {
      thread.off("exit", ended)
      resolve(held / megabyte)
    }
    const ended = () => end(0)
    thread.once("exit", ended)
    thread.getHeapStatistics().then((held) => end(bytes(held)), ended)
  })

const megabyte = 1024 * 1024

/** How often it is looked how large the buffers of a thread are while it works: that much later it ends at the most. */
const watchMillis = 100

/** One question to a thread. */
const exchange = <Request, Answer>(
  thread: Worker,
  request: Request,
  { bufferMegabytes, mostMillis, sending }: Options<Request>
): Effect.Effect<Answer, ThreadEnded> =>
  Effect.callback((resume) => {
    // A thread of this kind posts nothing but answers.
    const onMessage = (answer: Answer) => done(Effect.succeed(answer))
    const onError = (cause: Error) => {
      const isMemory = "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"
      done(Effect.fail(new ThreadEnded({ message: cause.message, isMemory })))
    }
    // One that is killed, or ends itself, has no error.
    const onExit = () => done(Effect.fail(new ThreadEnded({ message: "the thread ended", isMemory: false })))
    // A thread in a long step, such as the clearing of its memory, answers late: it is asked one such question at a time.
    let isLooking = false
    const look = async (most: number) => {
      if (isLooking) return
      isLooking = true
      const held = await buffersOf(thread)
      isLooking = false
      if (held > most)
        done(Effect.fail(new ThreadEnded({ message: `its buffers take more than ${most} MB`, isMemory: true })))
    }
    const watch =
      bufferMegabytes === undefined ? undefined : setInterval(() => void look(bufferMegabytes), watchMillis).unref()
    const tooLong = () => {
      const message = `it takes longer than ${(mostMillis ?? 0) / 1000} seconds`
      done(Effect.fail(new ThreadEnded({ message, isMemory: false, isTime: true })))
    }
    const limit = mostMillis === undefined ? undefined : setTimeout(tooLong, mostMillis).unref()
    const listenNoMore = () => {
      clearInterval(watch)
      clearTimeout(limit)
      thread.off("message", onMessage).off("error", onError).off("exit", onExit)
    }
    const done = (result: Effect.Effect<Answer, ThreadEnded>) => {
      listenNoMore()
      resume(result)
    }
    thread.on("message", onMessage).on("error", onError).on("exit", onExit)
    const sent = sending?.(request) ?? { request, buffers: [] }
    thread.postMessage(sent.request, sent.buffers)
    return Effect.sync(listenNoMore)
  })
