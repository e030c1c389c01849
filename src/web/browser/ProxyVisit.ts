/**
 * What one page of the browser may use of the network, and what it has used, over all its connections.
 *
 * The proxy recognises a page by a password that only its browser context has. When the page ends, all its connections
 * close and the password becomes invalid.
 */
import { randomBytes } from "node:crypto"
import type { Duplex } from "node:stream"

export interface Options {
  /** Whether certificates of sites must be valid. */
  readonly rejectUnauthorized: boolean
  /** The maximum size of all answers together, as sent. */
  readonly maxBytes: number
}

class TooLarge extends Error {
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

  /** Closes the socket with the page. */
  keep(socket: Duplex): void {
    if (this.overflow !== undefined) return void socket.destroy()
    this.sockets.add(socket)
    socket.once("close", () => this.sockets.delete(socket))
  }

  /** Counts received bytes; the page is cut off if they are too many. */
  took(bytes: number): void {
    this.left -= bytes
    if (this.left < 0) this.end()
  }

  /** Records the result of the last connection to a host and port. */
  dialed(authority: string, error: Error | undefined): void {
    if (error === undefined) this.failures.delete(authority)
    else if (this.failures.size < maxFailures) this.failures.set(authority, error)
  }

  /** The network error that kept this URL from loading, if there is one. */
  failureOf(url: string): Error | undefined {
    if (this.overflow !== undefined) return this.overflow
    const parsed = URL.parse(url)
    return parsed === null ? undefined : this.failures.get(authorityOf(parsed.hostname, portOf(parsed)))
  }

  /** Set if the page has received more than it may. */
  get overflow(): TooLarge | undefined {
    if (this.left >= 0) return undefined
    return new TooLarge(`the page loads more than ${Math.floor(this.options.maxBytes / 1024 / 1024)} MB in the browser`)
  }

  end(): void {
    for (const socket of this.sockets) socket.destroy()
  }
}

/** The maximum number of hosts per page whose failures are remembered. */
const maxFailures = 1000

export const authorityOf = (hostname: string, port: string): string => `${hostname.toLowerCase()}:${port}`

export const portOf = (url: URL): string =>
  url.port || (url.protocol === "https:" || url.protocol === "wss:" ? "443" : "80")
