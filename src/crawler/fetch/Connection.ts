/**
 * One connection to an origin, and the exchange that is on it.
 *
 * The law: it is free again only if its answer has ended as its head said, with not one byte behind it. What comes while
 * nobody has asked closes it, because it would be taken for the answer to whoever asks next.
 */
import type { Socket } from "node:net"
import { type AnswerHead, BadAnswer, isRedirect } from "./AnswerHead.ts"
import { AnswerReader } from "./AnswerReader.ts"
import { isTooLate, NotSent } from "./SendLimit.ts"

export interface Answer {
  readonly head: AnswerHead
  readonly body: Uint8Array
  /** Whether the body lies in memory that the next bytes of any connection are written to. */
  readonly isBorrowed: boolean
}

/** What is asked of an origin, and who is told how it ended: once, unless it is cancelled. */
export interface Question {
  readonly url: URL
  /** The request as it is sent, latin1. */
  readonly text: string
  readonly maxBytes: number
  /** When it is too late to send it (`SendLimit`). */
  readonly sendBefore?: number | undefined
  readonly answered: (answer: Answer) => void
  readonly failed: (cause: unknown) => void
  /** The host speaks no HTTP/1.1. Nothing was asked of it. */
  readonly otherProtocol: () => void
}

/** A question on its way. */
export interface Task {
  readonly question: Question
  connection: Connection | undefined
  isOver: boolean
  /** Whether it was asked before, on a connection that turned out to be closed. */
  isRepeated: boolean
}

/** Who keeps the connection. */
export interface Keeper {
  /** When it is given up, in ticks, if it is silent in an exchange. */
  readonly silentUntil: () => number
  /** When the rest of an answer that leads elsewhere is given up, in ticks. */
  readonly restUntil: () => number
  /** It may be used again, for as long as its host says. */
  readonly free: (connection: Connection, keepMillis: number | undefined) => void
  readonly gone: (connection: Connection) => void
  /** The question has not reached the host. */
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
  /** Whether anything has come of the answer. */
  private hasBegun = false
  private error: Error | undefined
  /** Whether the answer leads elsewhere, and only its rest is awaited. */
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
    this.reader = new AnswerReader(task.question.maxBytes)
    this.hasBegun = false
    this.isLeading = false
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
    // A head that drips in byte by byte has no more time than one that is awaited.
    if (reader.head === undefined) return
    if (!leads(reader.head)) this.until = this.keeper.silentUntil()
    else if (!this.isLeading) {
      this.isLeading = true
      this.until = this.keeper.restUntil()
    }
  }

  /** Its time is over. */
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
    { body, head, isBorrowed }: Pick<AnswerReader, "body" | "head" | "isBorrowed">,
    hasMore: boolean
  ): void {
    if (head === undefined) return
    this.task = undefined
    this.reader = undefined
    this.isUsed = true
    task.isOver = true
    task.question.answered({ head, body, isBorrowed })
    if (hasMore || head.keepMillis === 0) return this.close()
    // What else has come already, the end of the connection too, is seen before it is used again.
    setImmediate(() => {
      if (!this.isClosed) this.keeper.free(this, head.keepMillis)
    })
  }

  private ended(): void {
    const { reader, task } = this
    if (this.isClosed) return
    if (reader === undefined || task === undefined) return this.close()
    try {
      // A host that resets what it has already ended has ended it.
      if (this.error !== undefined && reader.head?.body !== "connection") throw this.error
      reader.end()
    } catch (cause) {
      return this.cut(task, reader, cause)
    }
    this.answered(task, reader, true)
  }

  /** The answer does not become whole. Where it leads elsewhere, its head is all that anybody needs. */
  private cut(task: Task, { head }: AnswerReader, cause: unknown): void {
    if (head === undefined || !leads(head)) this.fail(cause)
    else this.answered(task, { head, body: new Uint8Array(), isBorrowed: false }, true)
  }

  private fail(cause: unknown): void {
    const { task } = this
    const isLate = cause instanceof BadAnswer && cause.code === "ERR_ANSWER_LATE"
    this.task = undefined
    if (task !== undefined && !task.isOver) {
      task.connection = undefined
      // The host had closed it just as it was used again.
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

/** Whether an answer is a redirect, which is followed by its head alone. */
const leads = ({ headers, status }: AnswerHead): boolean => isRedirect(status) && headers.has("location")
