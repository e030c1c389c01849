/**
 * The HTML files of a folder as a site: `node bench/contestants/staticSite.ts FOLDER [TIMES]` serves it and prints its
 * port. With a number, the folder is there so many times, below /1/, /2/ and so on, with a start page that links to them.
 *
 * All is in memory before the first request, compressed once: what a site costs must not be what is measured. Whoever
 * asks for gzip gets it; a client that has a page gets 304; files other than HTML are not served.
 */
import { hash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { gzipSync } from "node:zlib"

/** The paths of a folder's pages. */
export const pagesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".html"))

if (import.meta.main) {
  const [folder = ".", times] = process.argv.slice(2)
  const packed = (plain: Buffer) => ({ plain, gzip: gzipSync(plain), etag: `"${hash("sha1", plain)}"` })
  const own = pagesOf(folder).map((name) => [name, packed(readFileSync(join(folder, name)))] as const)
  const below = Array.from({ length: Number(times ?? 0) }, (_, copy) => `${copy + 1}/`)
  const pages = new Map(
    (times === undefined ? [""] : below).flatMap((prefix) => own.map(([name, page]) => [`/${prefix}${name}`, page]))
  )
  if (times !== undefined) {
    const links = below.map((prefix) => `<p><a href="${prefix}index.html">${prefix}</a></p>`).join("")
    pages.set("/index.html", packed(Buffer.from(`<!doctype html><title>${folder}</title>${links}`)))
  }
  const server = createServer((request, response) => {
    const page = pages.get(decodeURIComponent((request.url ?? "").split("?")[0] ?? ""))
    if (page === undefined) {
      response.writeHead(404, { "content-type": "text/plain", "content-length": 0 })
      response.end()
      return
    }
    if (request.headers["if-none-match"] === page.etag) {
      response.writeHead(304, { etag: page.etag })
      response.end()
      return
    }
    const zips = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "")
    const body = zips ? page.gzip : page.plain
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-length": body.length,
      etag: page.etag,
      ...(zips ? { "content-encoding": "gzip" } : {})
    })
    response.end(body)
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port))
}
