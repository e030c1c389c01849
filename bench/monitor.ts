/**
 * Two builds of a site, one after the other behind one address, watched by a monitor; what it says of every page against
 * what is known.
 *
 *     node bench/monitor.ts FOLDER https://the.site/
 *
 * FOLDER holds the builds `a` and `b` and `truth.json` ({ status: { path: same | changed | new | removed } }). The law: the
 * truth is of files, byte by byte; a page whose bytes differ in noise alone is listed, not hidden.
 */
import { existsSync, readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join, normalize } from "node:path"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Server from "../src/service/Server.ts"
import * as ServiceConfig from "../src/service/ServiceConfig.ts"

const [folder = ".", address = "https://example.com/"] = process.argv.slice(2)
const host = new URL(address).hostname
const origin = `http://${host}`
let build = "a"

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8"
}

const site = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url ?? "/", origin).pathname))
  const own = join(folder, build, path)
  const file = [own, join(own, "index.html")].find((name) => existsSync(name) && statSync(name).isFile())
  const missing = join(folder, build, "404.html")
  const served = file ?? (existsSync(missing) ? missing : undefined)
  response.writeHead(file === undefined ? 404 : 200, {
    "content-type": types[extname(served ?? ".html")] ?? "text/plain"
  })
  const text = served === undefined ? "" : readFileSync(served, "utf8")
  // The builds name themselves by their own address: here they stand behind plain HTTP.
  response.end(text.replaceAll(`https://${host}`, origin).replaceAll(`https://www.${host}`, origin))
})

const ask = async (url: string, body?: object) => {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  return (await fetch(url, body === undefined ? {} : post)).json()
}

const check = async (service: string, monitor: string) => {
  const begun = performance.now()
  const { id } = await ask(`${service}/v2/monitor/${monitor}/run`, {})
  const pages: Array<{ readonly url: string; readonly status: string; readonly error: string | null }> = []
  let next = `${service}/v2/monitor/${monitor}/checks/${id}?limit=1000`
  for (;;) {
    const { data, next: more } = await ask(next)
    if (data.status === "queued" || data.status === "running") {
      await new Promise((done) => setTimeout(done, 100))
      continue
    }
    pages.push(...data.pages)
    if (more === undefined) return { ...data, pages, seconds: ((performance.now() - begun) / 1000).toFixed(1) }
    next = more
  }
}

/** The file that a page is. */
const fileOf = (url: string): string => {
  const path = decodeURIComponent(new URL(url).pathname).slice(1)
  return path === "" || path.endsWith("/") || extname(path) === "" ? join(path, "index.html") : path
}

const main = async (service: string) => {
  const { id } = await ask(`${service}/v2/monitor`, {
    name: host,
    schedule: { text: "daily" },
    targets: [{ type: "crawl", url: `${origin}/`, crawlOptions: { ignoreQueryParameters: true } }]
  })
  const first = await check(service, id)
  build = "b"
  const second = await check(service, id)
  const { status: truth }: { readonly status: Record<string, string> } = JSON.parse(
    readFileSync(join(folder, "truth.json"), "utf8")
  )
  const found = new Map(second.pages.map((page: { url: string; status: string }) => [fileOf(page.url), page.status]))
  const html = Object.entries(truth).filter(([path]) => path.endsWith(".html"))
  const cameBy = html.filter(([path]) => found.has(path))
  const wrong = cameBy.filter(([path, status]) => found.get(path) !== status)
  console.log(`first check:  ${first.status}, ${JSON.stringify(first.summary)}, ${first.seconds} s`)
  console.log(`second check: ${second.status}, ${JSON.stringify(second.summary)}, ${second.seconds} s`)
  console.log(`html pages of the truth: ${html.length}, of which the checks came by ${cameBy.length}`)
  console.log(
    `not come by: ${
      html
        .filter(([path]) => !found.has(path))
        .map(([path, status]) => `${path} (${status})`)
        .join(", ") || "none"
    }`
  )
  console.log(
    `statuses that differ: ${wrong.map(([path, status]) => `${path}: ${found.get(path)}, not ${status}`).join("; ") || "none"}`
  )
  for (const { error, status, url } of second.pages) if (status === "error") console.log(`error: ${url}: ${error}`)
  for (const { targetResults } of [first, second]) console.log(JSON.stringify(targetResults))
}

await new Promise<void>((done) => site.listen(0, "127.0.0.1", done))
const { port } = site.address() as AddressInfo
const resolve = new Map([host, `www.${host}`].map((name) => [name, { address: "127.0.0.1", port }]))
const program = Effect.gen(function* () {
  const config = { ...ServiceConfig.defaults, allowPrivate: true, resolve }
  const context = yield* Layer.build(Server.layer(config, { host: "127.0.0.1", port: 0 }))
  const url = yield* Effect.provideContext(HttpServer.addressFormattedWith(Effect.succeed), context)
  yield* Effect.promise(() => main(url))
})
await Effect.runPromise(Effect.scoped(program))
site.closeAllConnections()
site.close()
