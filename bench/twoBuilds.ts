/**
 * Two builds of a site, one after the other behind one address, and what is known of their pages.
 *
 * FOLDER holds the builds `a` and `b` and `truth.json` ({ status: { path: same | changed | new | removed } }), which is
 * of files, byte by byte.
 */
import { existsSync, readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join, normalize } from "node:path"

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8"
}

export const serve = async (folder: string, address: string) => {
  const host = new URL(address).hostname
  const origin = `http://${host}`
  let build = "a"
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
  await new Promise<void>((done) => site.listen(0, "127.0.0.1", done))
  return {
    host,
    origin,
    port: (site.address() as AddressInfo).port,
    hosts: [host, `www.${host}`],
    turnTo: (next: "a" | "b") => {
      build = next
    },
    stop: () => {
      site.closeAllConnections()
      site.close()
    }
  }
}

/** The file that a page is. */
const fileOf = (url: string): string => {
  const path = decodeURIComponent(new URL(url).pathname).slice(1)
  return path === "" || path.endsWith("/") || extname(path) === "" ? join(path, "index.html") : path
}

/** Says where statuses of pages are not those of the truth. */
export const compare = (folder: string, statuses: Iterable<readonly [url: string, status: string]>): void => {
  const { status: truth }: { readonly status: Record<string, string> } = JSON.parse(
    readFileSync(join(folder, "truth.json"), "utf8")
  )
  const found = new Map([...statuses].map(([url, status]) => [fileOf(url), status]))
  const html = Object.entries(truth).filter(([path]) => path.endsWith(".html"))
  const cameBy = html.filter(([path]) => found.has(path))
  const told = (some: ReadonlyArray<string>) => some.join(", ") || "none"
  console.log(`html pages of the truth: ${html.length}, of which it came by ${cameBy.length}`)
  console.log(
    `not come by: ${told(html.filter(([path]) => !found.has(path)).map(([path, status]) => `${path} (${status})`))}`
  )
  const wrong = cameBy.filter(([path, status]) => found.get(path) !== status)
  console.log(
    `statuses that differ: ${told(wrong.map(([path, status]) => `${path}: ${found.get(path)}, not ${status}`))}`
  )
}
