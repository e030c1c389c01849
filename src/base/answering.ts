/**
 * The thread's side of `SharedThreads`: the answers of one turn of the event loop are sent together.
 */
import { parentPort, type Transferable, workerData } from "node:worker_threads"

/** A question. Without a request, it withdraws the question of this id. Id 0 only asks whether the thread responds. */
export interface ToThread<Request> {
  readonly id: number
  readonly request?: Request
}

export interface FromThread<Answer> {
  readonly id: number
  readonly answer?: Answer
}

/** How the thread answers one question. */
interface Reply<Answer> {
  /** Transfers the buffers. */
  readonly answer: (answer: Answer, buffers?: ReadonlyArray<ArrayBuffer>) => void
  /** Runs work that cannot be interrupted, and marks it with its question for whoever watches the thread. */
  readonly working: <A>(work: () => A) => A
}

/** What the thread received when it started. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `SharedThreads` starts the thread, and says this
const start = workerData as { readonly working: Int32Array; readonly data: unknown } | null

export const startData = (): unknown => start?.data

/** Answers all questions. `begin` returns how to stop one. */
export const answering = <Request, Answer>(begin: (request: Request, reply: Reply<Answer>) => () => void): void => {
  const stops = new Map<number, () => void>()
  let outbox: Array<FromThread<Answer>> = []
  let buffers: Array<Transferable> = []
  const post = (one: FromThread<Answer>, own: ReadonlyArray<ArrayBuffer> = []) => {
    buffers.push(...own)
    if (outbox.push(one) > 1) return
    setImmediate(() => {
      parentPort?.postMessage(outbox, buffers)
      outbox = []
      buffers = []
    })
  }
  const working =
    (id: number) =>
    <A>(work: () => A): A => {
      if (start !== null) Atomics.store(start.working, 0, id)
      try {
        return work()
      } finally {
        if (start !== null) Atomics.store(start.working, 0, 0)
      }
    }
  parentPort?.on("message", (questions: ReadonlyArray<ToThread<Request>>) => {
    for (const { id, request } of questions) {
      if (id === 0) post({ id })
      else if (request === undefined) {
        stops.get(id)?.()
        stops.delete(id)
      } else {
        let isAnswered = false
        const stop = begin(request, {
          working: working(id),
          answer: (answer, own) => {
            if (isAnswered) return
            isAnswered = true
            stops.delete(id)
            post({ id, answer }, own)
          }
        })
        if (!isAnswered) stops.set(id, stop)
      }
    }
  })
}
