/**
 * GET over HTTP/1.1 on our own connections, which are kept for the next request to the same origin.
 *
 * It handles only a GET without a body to a host that needs no proxy, and costs less than a whole client. The address
 * guard makes each connection. Each wait has a limit: for the answer, for the next request, and as long as the host
 * keeps the connection. If a host closes a kept connection just as it is used again, and nothing of the answer has
 * arrived, the request is sent once more, on a new connection.
 */
import type { OnReadOpts, Socket } from "node:net"
import type { buildConnector } from "undici"
import { BadAnswer } from "./AnswerHead.ts"
import { Connection, type Question, type Task } from "./Connection.ts"

/**
 * The maximum, so that a host that keeps its connections for an hour does not hold file descriptors of this process.
 */
const maxKeepMillis = 10_000

interface Limits {
  /** The maximum number of connections to one origin; further requests wait. */
  readonly connections: number
  /** How long a host may be silent in an exchange. */
  readonly silentMillis: number
  /** How long a connection is kept if its host does not say. */
  readonly keepMillis: number
  /** Whether a body may be shorter than its head says. Default: this is an error. */
  readonly acceptsWrongLength?: boolean
}

interface Origin {
  readonly key: string
  readonly idle: Array<Connection>
  readonly waiting: Array<Task>
  /** Connections that are open or being opened. */
  open: number
}

export class KeptConnections {
  private readonly connect: buildConnector.connector
  private readonly limits: Limits
  private readonly origins = new Map<string, Origin>()
  private readonly connections = new Map<unknown, Connection>()
  /** Sockets of hosts that send bytes before a request. */
  private readonly early = new WeakSet<object>()
  private timer: NodeJS.Timeout | undefined
  private tick = 0
  private isClosed = false

  /** `connecting` gets the callback that receives what the connections read. */
  constructor(connecting: (onread: OnReadOpts) => buildConnector.connector, limits: Limits) {
    const read = (socket: unknown, bytes: Buffer) => this.read(socket, bytes)
    this.limits = limits
    this.connect = connecting({
      // One buffer for all connections: each read is processed before the next.
      buffer: Buffer.allocUnsafeSlow(readBytes),
      callback(this: unknown, count, buffer) {
        read(this, Buffer.from(buffer.buffer, buffer.byteOffset, count))
        return true
      }
    })
  }

  /** Sends a request, and returns the function that cancels it. */
  ask(question: Question): () => void {
    const task: Task = { question, connection: undefined, isOver: false, isRepeated: false }
    const key = `${question.url.protocol}${question.url.host}`
    const origin = this.origins.get(key) ?? { key, idle: [], waiting: [], open: 0 }
    this.origins.set(key, origin)
    this.place(origin, task)
    return () => {
      if (task.isOver) return
      task.isOver = true
      task.connection?.close()
    }
  }

  close(): void {
    this.isClosed = true
    for (const connection of this.connections.values()) connection.close()
    this.origins.clear()
  }

  private place(origin: Origin, task: Task): void {
    const connection = task.isRepeated ? undefined : origin.idle.pop()
    if (connection !== undefined) connection.send(task)
    else if (origin.open < this.limits.connections) this.open(origin, task)
    else origin.waiting.push(task)
  }

  private open(origin: Origin, task: Task): void {
    origin.open += 1
    const { host, hostname, port, protocol } = task.question.url
    this.connect({ host, hostname: hostname.replace(/^\[|\]$/g, ""), protocol, port }, (...[error, socket]) => {
      if (this.isClosed) return void socket?.destroy()
      const isHttp2 = error === null && "alpnProtocol" in socket && socket.alpnProtocol === "h2"
      if (error === null && !isHttp2 && !this.early.has(socket)) return this.opened(origin, task, socket)
      socket?.destroy()
      origin.open -= 1
      const isAwaited = !task.isOver
      task.isOver = true
      if (isAwaited && isHttp2) task.question.otherProtocol()
      else if (isAwaited) task.question.failed(error ?? new BadAnswer())
      this.next(origin)
    })
  }

  private opened(origin: Origin, task: Task, socket: Socket): void {
    const connection: Connection = new Connection(socket, {
      acceptsWrongLength: this.limits.acceptsWrongLength ?? false,
      silentUntil: () => this.after(this.limits.silentMillis),
      after: (millis) => this.after(millis),
      restUntil: () => this.after(restMillis),
      free: (_, keepMillis) => this.free(origin, connection, keepMillis),
      gone: () => this.gone(origin, connection),
      again: (task) => void origin.waiting.unshift(task)
    })
    this.connections.set(socket, connection)
    this.timer ??= setInterval(() => this.sweep(), tickMillis).unref()
    if (task.isOver) this.free(origin, connection, undefined)
    else connection.send(task)
  }

  private read(socket: unknown, bytes: Buffer): void {
    const connection = this.connections.get(socket)
    if (connection !== undefined) connection.read(bytes)
    else if (typeof socket === "object" && socket !== null) this.early.add(socket)
  }

  /** Gives the connection to the next waiting request, or keeps it. */
  private free(origin: Origin, connection: Connection, keepMillis = this.limits.keepMillis): void {
    connection.until = this.after(Math.min(keepMillis, maxKeepMillis))
    const task = nextOf(origin.waiting)
    if (task === undefined) origin.idle.push(connection)
    else connection.send(task)
  }

  private gone(origin: Origin, connection: Connection): void {
    const at = origin.idle.indexOf(connection)
    if (at !== -1) origin.idle.splice(at, 1)
    this.connections.delete(connection.socket)
    origin.open -= 1
    if (this.connections.size === 0) {
      clearInterval(this.timer)
      this.timer = undefined
    }
    if (!this.isClosed) this.next(origin)
  }

  /** Starts the next waiting request; forgets an origin without connections. */
  private next(origin: Origin): void {
    const task = nextOf(origin.waiting)
    if (task !== undefined) this.place(origin, task)
    else if (origin.open === 0) this.origins.delete(origin.key)
  }

  private sweep(): void {
    this.tick += 1
    for (const connection of this.connections.values()) connection.sweep(this.tick)
  }

  private after(millis: number): number {
    return this.tick + Math.max(1, Math.round(millis / tickMillis))
  }
}

/** One timer for all connections: a timer for each would cost as much as the reading. */
const tickMillis = 100

/** How long the rest of a redirect is awaited, so that its connection can be kept. */
const restMillis = 1000

/** The maximum size of one read. */
const readBytes = 64 * 1024

/** The first waiting request that was not cancelled. */
const nextOf = (waiting: Array<Task>): Task | undefined => {
  for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
    if (!task.isOver) return task
  }
  return undefined
}
