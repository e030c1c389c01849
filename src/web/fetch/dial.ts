/**
 * Connects to a host within a time limit, with TLS for https. It offers the TLS session of the last connection again,
 * which saves a round trip.
 */
import * as net from "node:net"
import type { buildConnector } from "undici"

interface Options {
  /** In milliseconds. */
  readonly timeout: number
  /** The protocols that are offered over TLS, the preferred one first. */
  readonly protocols: ReadonlyArray<"h2" | "http/1.1">
  /** Default: true. */
  readonly rejectUnauthorized?: boolean
  /** Default: the system's lookup. */
  readonly lookup?: net.LookupFunction
  /** Receives what the connection reads, in place of a stream. */
  readonly onread?: net.OnReadOpts
}

export const dialer = ({ protocols, timeout, ...options }: Options): buildConnector.connector => {
  const sessions = new Map<string, Buffer>()

  const secure = (hostname: string, port: number, servername: string | undefined, socket: net.Socket | undefined) => {
    const name = servername ?? hostname
    const session = sessions.get(name)
    // Loaded at the first use of TLS.
    const secured = process.getBuiltinModule("node:tls").connect({
      ...options,
      ALPNProtocols: [...protocols],
      host: hostname,
      port,
      // TLS accepts host names here, not addresses.
      servername: net.isIP(name) === 0 ? name : "",
      ...(session === undefined ? {} : { session }),
      ...(socket === undefined ? {} : { socket })
    })
    return secured.on("session", (agreed) => {
      sessions.delete(name)
      sessions.set(name, agreed)
      const [oldest] = sessions.keys()
      if (sessions.size > mostSessions && oldest !== undefined) sessions.delete(oldest)
    })
  }

  return ({ hostname: written, httpSocket, port, protocol, servername }, callback) => {
    const hostname = written.replace(/^\[|\]$/g, "")
    const isSecure = protocol === "https:"
    const socket = isSecure
      ? secure(hostname, Number(port || 443), servername, httpSocket)
      : net.connect({ ...options, host: hostname, port: Number(port || 80) })
    let isOver = false
    const callOnce = (...result: Parameters<buildConnector.Callback>) => {
      clearTimeout(timer)
      if (isOver) return
      isOver = true
      callback(...result)
    }
    const timer = setTimeout(() => socket.destroy(new Late(hostname, timeout)), timeout)
    socket
      .setKeepAlive(true, keepAliveMillis)
      .setNoDelay(true)
      .once(isSecure ? "secureConnect" : "connect", () => callOnce(null, socket))
      .on("error", (error: Error) => callOnce(isLate(error) ? new Late(hostname, timeout) : error, null))
      .once("close", () => clearTimeout(timer))
  }
}

class Late extends Error {
  readonly code = "ETIMEDOUT"
  constructor(host: string, timeout: number) {
    super(`${host} does not accept the connection within ${timeout} ms`)
  }
}

/** Of several addresses, one that timed out decides, however the others failed. */
const isLate = (error: Error): boolean =>
  error instanceof AggregateError &&
  error.errors.some((one: unknown) => one instanceof Error && codeOf(one) === "ETIMEDOUT")

const codeOf = (error: Error): unknown => ("code" in error ? error.code : undefined)

const mostSessions = 100
const keepAliveMillis = 60_000
