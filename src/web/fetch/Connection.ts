/**
 * One connection to an origin, and its current exchange.
 *
 * Guarantee: the connection is free again only if its answer has ended as its head said, with no extra byte. Bytes that
 * arrive without a request close it, because they would be taken for the next answer.
 */
import type { Socket } from "node:net"
import { isTooLate, NotSent } from "../SendLimit.ts"
import { type AnswerHead, BadAnswer, isRedirect } from "./AnswerHead.ts"
import { AnswerReader } from "./AnswerReader.ts"
import { trickles, windowOf } from "./leastRate.ts"

export interface HttpAnswer {
  readonly head: AnswerHead
  readonly body: Uint8Array
  /** Whether the body is in memory that the next read of any connection overwrites. */
  readonly isBorrowed: boolean
  /** Whether the connection ended before the length of the body says. */
  readonly isLengthWrong: boolean
}

/** A request to an origin, and callbacks for how it ended: one is called once, unless it is cancelled. */
export interface Question {
  readonly url: URL
  /** The request as it is sent, in latin1. */
  readonly text: string
  readonly maxBytes: number
  /** The latest time to send it (`SendLimit`). */
  readonly sendBefore?: number | undefined
  /** The body is given up if less than the least rate has arrived in so many milliseconds (`leastRate.ts`). */
  readonly slowAfterMillis?: number | undefined
  readonly answered: (answer: HttpAnswer) => void
  readonly failed: (cause: unknown) => void
  /** The host does not speak HTTP/1.1. No request was sent. */
  readonly otherProtocol: () => void
}

/** A request in progress. */
export interface Task {
  readonly question: Question
  connection: Connection | undefined
  isOver: boolean
  /** Whether it was sent before, on a connection that turned out to be closed. */
  isRepeated: boolean
}

/** The owner of the connection. */
interface Keeper {
  /** When a silent exchange is given up, in ticks. */
  readonly silentUntil: () => number
  /** Whether a body may be shorter than its head says. */
  readonly acceptsWrongLength: boolean
  /** When so much time has passed, in ticks. */
  readonly after: (millis: number) => number
  /** When the rest of a redirect's answer is given up, in ticks. */
  readonly restUntil: () => number
  /** The connection may be used again, for as long as its host says. */
  readonly free: (connection: Connection, keepMillis: number | undefined) => void
  readonly gone: (connection: Connection) => void
  /** The request has not reached the host. */
  readonly again: (task: Task) => void
}

export class Connection {
  readonly socket: Socket
  isClosed = false
  /** When it is given up, in ticks. */
  until = 0
  private readonly keeper: Keeper
  private task: Task | undefined
  private reader: AnswerReader | undefined
  /** Whether it has answered before. */
  private isUsed = false
  /** Whether any part of the answer has arrived. */
  private hasBegun = false
  private error: Error | undefined
  /** When the rate of the body is judged next, in ticks, and the bytes since the last time. */
  private judgedAt = Number.POSITIVE_INFINITY
  private receivedBefore = 0
  /** Whether the answer is a redirect of which only the rest is awaited. */
  private isLeading = false

  constructor(socket: Socket, keeper: Keeper) {
    this.socket = socket
    this.keeper = keeper
    socket.on("error", (error: Error) => {
      this.error = error
    })
    socket.on("end", () => this.ended())
    socket.on("close", () => this.ended())
  }

  send(task: Task): void {
    const { failed, sendBefore } = task.question
    if (isTooLate(sendBefore)) {
      task.isOver = true
      this.keeper.free(this, undefined)
      return failed(new NotSent())
    }
    task.connection = this
    this.task = task
    this.reader = new AnswerReader(task.question.maxBytes, this.keeper.acceptsWrongLength)
    this.hasBegun = false
    this.isLeading = false
    this.judgedAt = Number.POSITIVE_INFINITY
    this.until = this.keeper.silentUntil()
    this.socket.write(task.question.text, "latin1")
  }

  read(bytes: Buffer): void {
    const { reader, task } = this
    if (reader === undefined || task === undefined) return this.close()
    this.hasBegun = true
    let used = 0
    try {
      used = reader.feed(bytes)
    } catch (cause) {
      return this.cut(task, reader, cause)
    }
    if (reader.isDone) return this.answered(task, reader, used < bytes.length)
    // A head that arrives byte by byte has no more time than one that has not begun.
    if (reader.head === undefined) return
    if (this.judgedAt === Number.POSITIVE_INFINITY) this.beginWindow(task, 0)
    if (!leads(reader.head)) this.until = this.keeper.silentUntil()
    else if (!this.isLeading) {
      this.isLeading = true
      this.until = this.keeper.restUntil()
    }
  }

  /** Called at each tick. */
  sweep(tick: number): void {
    if (this.until <= tick) return this.expire()
    const { reader, task } = this
    if (this.judgedAt > tick || reader === undefined || task === undefined) return
    if (trickles(reader.received - this.receivedBefore, windowOf(task.question.slowAfterMillis)))
      return this.cut(task, reader, new BadAnswer("ERR_ANSWER_SLOW"))
    this.beginWindow(task, reader.received)
  }

  private beginWindow({ question }: Task, received: number): void {
    this.receivedBefore = received
    this.judgedAt = this.keeper.after(windowOf(question.slowAfterMillis))
  }

  expire(): void {
    const { reader, task } = this
    if (reader === undefined || task === undefined) return this.close()
    this.cut(task, reader, new BadAnswer(reader.head === undefined ? "ERR_ANSWER_LATE" : "ERR_ANSWER_STALLED"))
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.task = undefined
    this.reader = undefined
    this.socket.destroy()
    this.keeper.gone(this)
  }

  private answered(
    task: Task,
    { body, head, isBorrowed, isLengthWrong }: Pick<AnswerReader, "body" | "head" | "isBorrowed" | "isLengthWrong">,
    hasMore: boolean
  ): void {
    if (head === undefined) return
    this.task = undefined
    this.reader = undefined
    this.isUsed = true
    task.isOver = true
    task.question.answered({ head, body, isBorrowed, isLengthWrong })
    if (hasMore || head.keepMillis === 0) return this.close()
    // Whatever else has arrived, such as the end of the connection, is seen before the connection is used again.
    setImmediate(() => {
      if (!this.isClosed) this.keeper.free(this, head.keepMillis)
    })
  }

  private ended(): void {
    const { reader, task } = this
    if (this.isClosed) return
    if (reader === undefined || task === undefined) return this.close()
    try {
      // A host that resets the connection after the end of its answer has ended it.
      if (this.error !== undefined && reader.head?.body !== "connection") throw this.error
      reader.end()
    } catch (cause) {
      return this.cut(task, reader, cause)
    }
    this.answered(task, reader, true)
  }

  /** The answer stays incomplete. For a redirect, or where no body is wanted, the head is enough. */
  private cut(task: Task, { head }: AnswerReader, cause: unknown): void {
    if (head === undefined || (!leads(head) && task.question.maxBytes > 0)) this.fail(cause)
    else this.answered(task, { head, body: new Uint8Array(), isBorrowed: false, isLengthWrong: false }, true)
  }

  private fail(cause: unknown): void {
    const { task } = this
    const isLate = cause instanceof BadAnswer && cause.code === "ERR_ANSWER_LATE"
    this.task = undefined
    if (task !== undefined && !task.isOver) {
      task.connection = undefined
      // The host closed the connection just as it was used again.
      if (this.isUsed && !this.hasBegun && !isLate && !task.isRepeated) {
        task.isRepeated = true
        this.keeper.again(task)
      } else {
        task.isOver = true
        task.question.failed(cause)
      }
    }
    this.close()
  }
}

/** Whether an answer is a redirect, for which the head is enough. */
const leads = ({ headers, status }: AnswerHead): boolean => isRedirect(status) && headers.has("location")
