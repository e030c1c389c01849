/**
 * The proxy through which a target is reached: by the pipeline file, otherwise by the environment, read as other
 * programs do (HTTPS_PROXY, HTTP_PROXY, NO_PROXY, in upper or lower case).
 *
 * This machine itself is never reached through a proxy, which would take the address for its own.
 */
import * as net from "node:net"

/** An HTTP proxy, and where it was configured. */
export interface Proxy {
  /** Its address, with the name and password that were configured. */
  readonly url: URL
  /** The value of Proxy-Authorization, if there is one. */
  readonly authorization: string | undefined
  /** Where it was configured, for messages, which must not show the password. */
  readonly from: string
}

/** The target in the terms of `URL`: protocol "https:", hostname "shop.example", port "". */
export interface Target {
  /** "http:" or "https:". */
  readonly protocol: string
  /** In lower case. */
  readonly hostname: string
  /** Empty: the default port of the scheme. */
  readonly port: string
}

/** The proxy for a target; undefined: none. */
export type Proxies = (target: Target) => Proxy | undefined

/**
 * What is wrong with a proxy, for people. `make` throws it.
 *
 * @example
 * ```ts
 * import { Proxies } from "millrace/service"
 *
 * console.log(new Proxies.ProxyProblem("HTTPS_PROXY is not an address")._tag) // "ProxyProblem"
 * ```
 */
export class ProxyProblem extends Error {
  readonly _tag = "ProxyProblem"
}

/**
 * The word that turns off what the environment says.
 *
 * @example
 * ```ts
 * import { Proxies } from "millrace/service"
 *
 * console.log(Proxies.make({ HTTPS_PROXY: "http://proxy:3128" }, Proxies.none)) // undefined
 * ```
 */
export const none = "none"

/**
 * The proxies that the environment names (HTTPS_PROXY, HTTP_PROXY, NO_PROXY), or the one that is given. Undefined: no proxy
 * at all. Throws `ProxyProblem` where an address is not one.
 *
 * @example
 * ```ts
 * import { Proxies } from "millrace/service"
 *
 * const proxies = Proxies.make({ HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "intranet.example" })
 * const target = { protocol: "https:", port: "" }
 * console.log(proxies?.({ ...target, hostname: "shop.example" })?.url.host) // "proxy:3128"
 * console.log(proxies?.({ ...target, hostname: "intranet.example" })) // undefined
 * ```
 */
export const make = (
  env: Readonly<Record<string, string | undefined>>,
  /** The proxy of the pipeline file: an address, or `none`. */
  own?: string
): Proxies | undefined => {
  if (own === none) return undefined
  const setName = (name: string) => [name.toLowerCase(), name].find((name) => (env[name] ?? "").trim() !== "")
  const named = (name: string): Proxy | undefined => {
    const variable = setName(name)
    return variable === undefined ? undefined : proxyOf(env[variable] ?? "", variable)
  }
  const file = own === undefined ? undefined : proxyOf(own, "network.proxy")
  const https = file ?? named("HTTPS_PROXY")
  const http = file ?? named("HTTP_PROXY")
  if (https === undefined && http === undefined) return undefined
  const isExempt = exemptions(env[setName("NO_PROXY") ?? ""] ?? "")
  return (target) => {
    const proxy = target.protocol === "https:" ? https : http
    return proxy === undefined || isThisMachine(target.hostname) || isExempt(target) ? undefined : proxy
  }
}

const proxyOf = (text: string, from: string): Proxy => {
  const trimmed = text.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") {
    throw new ProxyProblem(`${from} is not the address of an HTTP proxy: use http://HOST:PORT or https://HOST:PORT`)
  }
  const { password, username } = url
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = username === "" ? undefined : `Basic ${Buffer.from(user).toString("base64")}`
  return { url, authorization, from }
}

/** NO_PROXY: hosts with their subdomains, with or without a port; addresses; networks (10.0.0.0/8); or * for all. */
const exemptions = (text: string): ((target: Target) => boolean) => {
  const networks = new net.BlockList()
  const hosts: Array<{ readonly host: string; readonly port: string | undefined }> = []
  let all = false
  for (const entry of text.toLowerCase().split(/[\s,]+/)) {
    const [, address = "", bits = ""] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? []
    const [, host = "", port] = /^(?:\*?\.)?(\[[^\]]*\]|[^:]*|[^:]*:[^:]*:.*?)(?::(\d+))?$/.exec(entry) ?? []
    if (entry === "*") all = true
    else if (net.isIP(address) !== 0) networks.addSubnet(address, Number(bits), kindOf(address))
    else if (host !== "") hosts.push({ host: bare(host), port })
  }
  return ({ hostname, port, protocol }) => {
    const name = bare(hostname.toLowerCase())
    const own = port === "" ? (protocol === "https:" ? "443" : "80") : port
    if (all || (net.isIP(name) !== 0 && networks.check(name, kindOf(name)))) return true
    return hosts.some(
      (entry) =>
        (name === entry.host || name.endsWith(`.${entry.host}`)) && (entry.port === undefined || entry.port === own)
    )
  }
}

const kindOf = (address: string): "ipv4" | "ipv6" => (net.isIP(address) === 6 ? "ipv6" : "ipv4")

const bare = (host: string): string => host.replace(/^\[|\]$/g, "")

const isThisMachine = (hostname: string): boolean => {
  const name = bare(hostname.toLowerCase())
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127\.\d+\.\d+\.\d+$/.test(name)
}
