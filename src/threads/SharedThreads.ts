/**
 * Threads that each have many questions at a time, for work that mostly waits.
 *
 * What is asked, and what is answered, in one turn of the event loop crosses together. A question that is interrupted is
 * told to its thread. A thread that is stuck in one question, or needs more memory than it may have, is ended as the last
 * resort: that question fails for good (`isOwnFault`), and the others of the thread may be asked again.
 */
import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { FromThread, ToThread } from "./answering.ts"
import { ThreadEnded } from "./Threads.ts"

export interface Options {
  /** The thread's own file beside the asking one, without its ending: "./pageWorker". */
  readonly file: string
  /** `import.meta.url` of who asks. */
  readonly beside: string
  readonly threads: number
  /** A thread that is not asked for this long, or twice as long at the most, ends. */
  readonly idleMillis: number
  /** A thread that answers nobody for this long is stuck. */
  readonly stuckMillis: number
  readonly heapMegabytes: number
  /** What each thread is told as it starts. */
  readonly data?: unknown
}

export interface SharedThreads<Request, Answer> {
  readonly ask: (request: Request) => Effect.Effect<Answer, ThreadEnded | StuckInThis>
  /** The same for who is no effect: answers how to stop it. */
  readonly begin: (request: Request, resume: Resume<Answer>) => () => void
  /** How many questions wait for the thread that the next one would go to. */
  readonly waiting: () => number
}

/** The question itself is what its thread could not end. */
export class StuckInThis extends Error {
  readonly _tag = "StuckInThis"
}

/** Who is told how a question ended. */
export type Resume<Answer> = (answer: Effect.Effect<Answer, ThreadEnded | StuckInThis>) => void

export const make = <Request, Answer>(
  options: Options
): Effect.Effect<SharedThreads<Request, Answer>, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Set<Thread<Request, Answer>>()),
      (threads) => Effect.promise(() => Promise.all(Array.from(threads, (thread) => thread.end())))
    ),
    (threads) => {
      /** The one with the fewest questions; undefined: another may start. */
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
  /** Which question the thread is working at, written by the thread. */
  private readonly working = new Int32Array(new SharedArrayBuffer(4))
  private readonly asked = new Map<number, Resume<Answer>>()
  private outbox: Array<ToThread<Request>> = []
  private readonly watch: NodeJS.Timeout
  private last = 0
  /** Looks since the thread was heard, and since it was asked. */
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
      for (const [id, resume] of this.asked) {
        resume(Effect.fail(id === culprit ? new StuckInThis(why.message) : why))
      }
      this.asked.clear()
    })
    // A thread of this kind posts nothing but answers.
    this.worker.on("message", (answers: ReadonlyArray<FromThread<Answer>>) => this.heard(answers))
    const watchMillis = Math.min(maxWatchMillis, stuckMillis)
    this.watch = setInterval(() => {
      const isIdle = this.asked.size === 0
      this.idle = isIdle ? this.idle + 1 : 0
      this.silent = isIdle ? 0 : this.silent + 1
      if (this.idle * watchMillis > idleMillis || this.silent * watchMillis > stuckMillis) void this.end()
      else if (!isIdle) this.post({ id: 0 })
    }, watchMillis).unref()
  }

  get questions(): number {
    return this.asked.size
  }

  /** Asks, and answers how to stop it. */
  ask(request: Request, resume: Resume<Answer>): () => void {
    const id = ++this.last
    this.asked.set(id, resume)
    this.post({ id, request })
    return () => {
      if (this.asked.delete(id)) this.post({ id })
    }
  }

  end(): Promise<number> {
    return this.worker.terminate()
  }

  private heard(answers: ReadonlyArray<FromThread<Answer>>): void {
    this.silent = 0
    for (const { answer, id } of answers) {
      const resume = this.asked.get(id)
      if (resume === undefined || answer === undefined) continue
      this.asked.delete(id)
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

/** How often a thread is looked at. */
const maxWatchMillis = 2000

/** Most of what a question needs dies young: what is larger costs memory, what is smaller time. */
const youngMegabytes = 48
