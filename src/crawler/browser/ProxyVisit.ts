/**
 * What one page of the browser may use of the network, and what it has used: all its connections together.
 *
 * The proxy knows a page by a password that only its browser context was given. When the page ends, so does every
 * connection that it had, and the password is worth nothing.
 */
import { randomBytes } from "node:crypto"
import type { Duplex } from "node:stream"

export interface Options {
  /** Whether certificates of sites must be valid. */
  readonly rejectUnauthorized: boolean
  /** Bytes that all answers together may have, as they are sent. */
  readonly maxBytes: number
}

export class TooLarge extends Error {
  readonly code = "ERR_BODY_TOO_LARGE"
}

export class ProxyVisit {
  readonly username = "page"
  readonly password = randomBytes(24).toString("base64url")
  private readonly sockets = new Set<Duplex>()
  private readonly failures = new Map<string, Error>()
  private left: number
  readonly options: Options

  constructor(options: Options) {
    this.options = options
    this.left = options.maxBytes
  }

  /** Ends with the page. */
  keep(socket: Duplex): void {
    if (this.overflow !== undefined) return void socket.destroy()
    this.sockets.add(socket)
    socket.once("close", () => this.sockets.delete(socket))
  }

  /** Counts what an answer brings; the page is cut off when it is too much. */
  took(bytes: number): void {
    this.left -= bytes
    if (this.left < 0) this.end()
  }

  /** How the last connection to a host and port went. */
  dialed(authority: string, error: Error | undefined): void {
    if (error === undefined) this.failures.delete(authority)
    else if (this.failures.size < maxFailures) this.failures.set(authority, error)
  }

  /** Why the page behind this address did not come, where the network is the reason. */
  failureOf(url: string): Error | undefined {
    if (this.overflow !== undefined) return this.overflow
    const parsed = URL.parse(url)
    return parsed === null ? undefined : this.failures.get(authorityOf(parsed.hostname, portOf(parsed)))
  }

  /** Whether the page has brought more than it may. */
  get overflow(): TooLarge | undefined {
    if (this.left >= 0) return undefined
    return new TooLarge(`the page loads more than ${Math.floor(this.options.maxBytes / 1024 / 1024)} MB in the browser`)
  }

  end(): void {
    for (const socket of this.sockets) socket.destroy()
  }
}

/** Hosts of one page whose failures are remembered. */
const maxFailures = 1000

export const authorityOf = (hostname: string, port: string): string => `${hostname.toLowerCase()}:${port}`

export const portOf = (url: URL): string =>
  url.port || (url.protocol === "https:" || url.protocol === "wss:" ? "443" : "80")
