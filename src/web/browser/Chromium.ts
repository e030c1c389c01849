/**
 * The browser process: starts it behind the proxy, and kills it by its pid if it does not end by itself.
 */
import * as Effect from "effect/Effect"
import type * as Playwright from "playwright-core"
import { chromiumPath } from "../chromiumPath.ts"

export interface Chromium {
  readonly browser: Playwright.Browser
  /** Kills the process and all its children. */
  readonly kill: () => Promise<void>
}

/** The proxy through which the browser reaches the web, and the key that the browser accepts from it. */
interface Proxy {
  readonly port: number
  readonly keyHash: string
}

/** Why there is no browser, and how to get one. `isHung`: it was started and did not answer in its time. */
export class BrowserUnavailable extends Error {
  readonly _tag = "BrowserUnavailable"
  readonly isHung: boolean

  constructor(message: string, isHung = false) {
    super(message)
    this.isHung = isHung
  }
}

/** Whether pages can be rendered. */
export const isThere = (): boolean => {
  if (chromiumPath() === undefined) return false
  try {
    return import.meta.resolve("playwright-core") !== ""
  } catch {
    return false
  }
}

const launchMillis = 30_000

export const launch = (proxy: Proxy): Effect.Effect<Chromium, BrowserUnavailable> =>
  Effect.tryPromise({
    try: () => start(proxy),
    catch: (cause) => (cause instanceof BrowserUnavailable ? cause : explain(cause))
  })

const start = async ({ keyHash, port }: Proxy): Promise<Chromium> => {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new BrowserUnavailable(missing("Chromium"))
  const { chromium } = await import("playwright-core").catch(() => {
    throw new BrowserUnavailable(missing("playwright-core"))
  })
  const server = await chromium.launchServer({
    executablePath,
    headless: true,
    host: "127.0.0.1",
    // Chromium's own sandbox cannot start as root.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: launchMillis,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      ...flags,
      `--proxy-server=http://127.0.0.1:${port}`,
      // Only the proxy has this key, so no other certificate is accepted.
      `--ignore-certificate-errors-spki-list=${keyHash}`
    ]
  })
  const kill = () => server.kill()
  try {
    return { browser: await chromium.connect(server.wsEndpoint(), { timeout: launchMillis }), kill }
  } catch (cause) {
    await kill()
    throw cause
  }
}

/** Loopback uses the proxy too, and nothing bypasses it: no QUIC, no WebRTC, no DNS lookups in the browser. */
const flags = [
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--disable-quic",
  // Chromium has renamed this flag: older versions know the first name, newer ones the second.
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--disable-gpu",
  "--no-pings",
  "--no-first-run",
  "--mute-audio"
]

const missing = (what: string): string =>
  `waitFor, actions, mobile and screenshot need a browser, and ${what} is not installed: install playwright-core ` +
  "(npm install playwright-core) and Chromium (apt-get install chromium), or set PLAYWRIGHT_CHROMIUM to its path"

const explain = (cause: unknown): BrowserUnavailable => {
  const isHung = cause instanceof Error && cause.name === "TimeoutError"
  const why = cause instanceof Error ? cause.message.split("\n", 1).join("") : String(cause)
  return new BrowserUnavailable(`the browser does not start: ${why}`, isHung)
}
