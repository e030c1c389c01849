/**
 * Threads that each have many questions at a time, for work that mostly waits.
 *
 * The questions, and the answers, of one turn of the event loop are sent together. If a question is interrupted, its
 * thread is notified. As the last resort, a thread is ended if one question blocks it or needs too much memory: that
 * question fails for good (`StuckInThis`), and the other questions of the thread may be asked again.
 */
import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { FromThread, ToThread } from "./answering.ts"
import { ThreadEnded } from "./Threads.ts"

interface Options {
  /** The file of the thread, beside the asking one, without its extension: "./pageWorker". */
  readonly file: string
  /** `import.meta.url` of the asking file. */
  readonly beside: string
  readonly threads: number
  /** A thread ends after this long without a question, or twice as long at most. */
  readonly idleMillis: number
  /** A thread that has not answered for this long is stuck. */
  readonly stuckMillis: number
  readonly heapMegabytes: number
  /** Passed to each thread when it starts. */
  readonly data?: unknown
}

interface SharedThreads<Request, Answer> {
  readonly ask: (request: Request) => Effect.Effect<Answer, ThreadEnded | StuckInThis>
  /** The same for callers outside Effect: returns a function that stops the question. */
  readonly begin: (request: Request, resume: Resume<Answer>) => () => void
  /** How many questions the next thread to be chosen has. */
  readonly waiting: () => number
}

/** The question itself blocked its thread, or needed too much memory. */
export class StuckInThis extends Error {
  readonly _tag = "StuckInThis"
}

/** Receives how a question ended. */
type Resume<Answer> = (answer: Effect.Effect<Answer, ThreadEnded | StuckInThis>) => void

export const open = <Request, Answer>(
  options: Options
): Effect.Effect<SharedThreads<Request, Answer>, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Set<Thread<Request, Answer>>()),
      (threads) => Effect.promise(() => Promise.all(Array.from(threads, (thread) => thread.end())))
    ),
    (threads) => {
      /** The thread with the fewest questions; undefined: another may start. */
      const next = (): Thread<Request, Answer> | undefined => {
        let best: Thread<Request, Answer> | undefined
        for (const thread of threads) if (best === undefined || thread.questions < best.questions) best = thread
        return best !== undefined && (best.questions === 0 || threads.size >= options.threads) ? best : undefined
      }
      const free = (): Thread<Request, Answer> => {
        const started = next()
        if (started !== undefined) return started
        const thread: Thread<Request, Answer> = new Thread(options, () => threads.delete(thread))
        threads.add(thread)
        return thread
      }
      const begin = (request: Request, resume: Resume<Answer>) => free().ask(request, resume)
      const waiting = () => next()?.questions ?? 0
      return { begin, waiting, ask: (request) => Effect.callback((resume) => Effect.sync(begin(request, resume))) }
    }
  )

class Thread<Request, Answer> {
  private readonly worker: Worker
  /** The question that the thread works at, written by the thread. */
  private readonly working = new Int32Array(new SharedArrayBuffer(4))
  private readonly pending = new Map<number, Resume<Answer>>()
  private outbox: Array<ToThread<Request>> = []
  private readonly watch: NodeJS.Timeout
  private last = 0
  /** How many times in a row the watch found no answer, and no question. */
  private silent = 0
  private idle = 0

  constructor(options: Options, ended: () => void) {
    const { beside, data, file, heapMegabytes, idleMillis, stuckMillis } = options
    this.worker = new Worker(new URL(`${file}${beside.endsWith(".ts") ? ".ts" : ".js"}`, beside), {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
      execArgv: [],
      stdout: true,
      stderr: true,
      workerData: { working: this.working, data }
    })
    this.worker.stdout.resume()
    this.worker.stderr.resume()
    this.worker.unref()
    let why = new ThreadEnded({ message: "the thread ended", isMemory: false })
    this.worker.on("error", (cause: unknown) => {
      const isMemory = cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"
      why = new ThreadEnded({ message: cause instanceof Error ? cause.message : String(cause), isMemory })
    })
    this.worker.on("exit", () => {
      clearInterval(this.watch)
      ended()
      const culprit = Atomics.load(this.working, 0)
      for (const [id, resume] of this.pending) {
        resume(Effect.fail(id === culprit ? new StuckInThis(why.message) : why))
      }
      this.pending.clear()
    })
    // A thread of this kind posts only answers.
    this.worker.on("message", (answers: ReadonlyArray<FromThread<Answer>>) => this.receive(answers))
    const watchMillis = Math.min(maxWatchMillis, stuckMillis)
    this.watch = setInterval(() => {
      const isIdle = this.pending.size === 0
      this.idle = isIdle ? this.idle + 1 : 0
      this.silent = isIdle ? 0 : this.silent + 1
      if (this.idle * watchMillis > idleMillis || this.silent * watchMillis > stuckMillis) void this.end()
      else if (!isIdle) this.post({ id: 0 })
    }, watchMillis).unref()
  }

  get questions(): number {
    return this.pending.size
  }

  /** Returns a function that stops the question. */
  ask(request: Request, resume: Resume<Answer>): () => void {
    const id = ++this.last
    this.pending.set(id, resume)
    this.post({ id, request })
    return () => {
      if (this.pending.delete(id)) this.post({ id })
    }
  }

  end(): Promise<number> {
    return this.worker.terminate()
  }

  private receive(answers: ReadonlyArray<FromThread<Answer>>): void {
    this.silent = 0
    for (const { answer, id } of answers) {
      const resume = this.pending.get(id)
      if (resume === undefined || answer === undefined) continue
      this.pending.delete(id)
      resume(Effect.succeed(answer))
    }
  }

  private post(one: ToThread<Request>): void {
    if (this.outbox.push(one) > 1) return
    setImmediate(() => {
      this.worker.postMessage(this.outbox, [])
      this.outbox = []
    })
  }
}

/** The maximum time between two looks at a thread. */
const maxWatchMillis = 2000

/** Most objects of a question die young: a larger space costs memory, a smaller one time. */
const youngMegabytes = 48
