/**
 * Sockets to an HTTP proxy, and through it (CONNECT).
 *
 * A proxy that refuses us is reported as such, never as a failure of the site. Its password is in no message.
 */
import type { Socket } from "node:net"
import type { buildConnector } from "undici"
import type { Proxy } from "../Proxies.ts"
import { dialer } from "./dial.ts"

/** The proxy refuses a request. `code` says whether a retry may succeed. */
class ProxyRefused extends Error {
  readonly code: "ERR_PROXY_CREDENTIALS" | "ERR_PROXY_REFUSED" | "ERR_PROXY_FAILED" | "ERR_PROXY_UNREACHABLE"
  constructor(code: ProxyRefused["code"], message: string) {
    super(message)
    this.code = code
  }
}

/** The meaning of a proxy's own answer. */
const refusalOf = (proxy: Pick<Proxy, "from" | "url">, status: number): ProxyRefused => {
  const name = `the proxy ${proxy.url.host}`
  if (status === 407) {
    return new ProxyRefused(
      "ERR_PROXY_CREDENTIALS",
      `${name} does not accept our credentials (407): check user and password in ${proxy.from}`
    )
  }
  return status >= 500
    ? new ProxyRefused("ERR_PROXY_FAILED", `${name} cannot reach the host: it answers ${status}`)
    : new ProxyRefused("ERR_PROXY_REFUSED", `${name} refuses to connect to the host: it answers ${status}`)
}

/** A site never answers with this status; a proxy that is asked for a page without TLS does. */
export const passwordWanted = new ProxyRefused(
  "ERR_PROXY_CREDENTIALS",
  "the proxy does not accept our credentials (407): check user and password in network.proxy, HTTP_PROXY or HTTPS_PROXY"
)

/** A socket to the proxy itself. */
export const connect = ({ from, url }: Proxy, timeout: number, callback: buildConnector.Callback): void => {
  const { hostname, protocol } = url
  const port = url.port || (protocol === "https:" ? "443" : "80")
  const dial = dialer({ timeout, protocols: ["http/1.1"] })
  dial({ hostname: hostname.replace(/^\[|\]$/g, ""), host: url.host, protocol, port }, (...result) => {
    const [error] = result
    if (error === null) return callback(...result)
    const code = "code" in error && typeof error.code === "string" ? error.code : error.message
    // A lack of resources on this machine is not the proxy's failure.
    if (/^E(MFILE|NFILE|NOMEM|NOBUFS)$/.test(code)) return callback(error, null)
    callback(
      new ProxyRefused("ERR_PROXY_UNREACHABLE", `the proxy ${url.host} (${from}) cannot be reached: ${code}`),
      null
    )
  })
}

interface Way {
  readonly host: string
  readonly port: string
  readonly timeout: number
}

/** A socket through the proxy on which nothing was sent yet. */
export const open = (proxy: Proxy, way: Way, callback: (error: Error | null, socket?: Socket) => void): void =>
  connect(proxy, way.timeout, (...result) => {
    const [error, socket] = result
    if (error !== null) return callback(error)
    const target = `${way.host}:${way.port}`
    const { authorization } = proxy
    // Loaded at the first use of a proxy: no other run needs it.
    const request = process.getBuiltinModule("node:http").request({
      method: "CONNECT",
      path: target,
      createConnection: () => socket,
      timeout: way.timeout,
      headers: { host: target, ...(authorization === undefined ? {} : { "proxy-authorization": authorization }) }
    })
    const unreachable = (why: string) =>
      new ProxyRefused("ERR_PROXY_UNREACHABLE", `the proxy ${proxy.url.host} (${proxy.from}) does not answer: ${why}`)
    request.once("connect", ({ statusCode = 0 }, tunnel, head) => {
      if (statusCode < 200 || statusCode > 299) {
        tunnel.destroy()
        return callback(refusalOf(proxy, statusCode))
      }
      socket.setTimeout(0)
      socket.removeAllListeners("timeout")
      if (head.byteLength > 0) tunnel.unshift(head)
      callback(null, socket)
    })
    request.once("timeout", () => request.destroy(unreachable(`no answer within ${way.timeout} ms`)))
    request.once("error", (cause) => callback(cause instanceof ProxyRefused ? cause : unreachable(cause.message)))
    request.end()
  })
