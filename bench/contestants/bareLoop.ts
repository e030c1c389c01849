/**
 * The least a crawler in Node can do: every page that links lead to, through one undici Pool, each read in one pass.
 *
 *     node bench/contestants/bareLoop.ts URL [text | markdown]
 *
 * `text` is one SAX pass of htmlparser2 for title, description, links and text; `markdown` is Millrace's own conversion in
 * the same loop: what is left of `millrace run` beside it is the price of everything else. Nothing is kept.
 */
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { Pool } from "undici"
import * as Page from "../../src/page/Page.ts"
import { peer } from "./peer.ts"

interface Handler {
  readonly onopentag: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly ontext: (text: string) => void
  readonly onclosetag: (name: string) => void
}
const { Parser }: { readonly Parser: new (handler: Handler) => { end(html: string): void } } = await peer("htmlparser2")

const [start = "", mode = "text"] = process.argv.slice(2)
const concurrency = 16
const origin = new URL(start).origin
const pool = new Pool(origin, { connections: concurrency })

interface Read {
  readonly links: Iterable<string>
  readonly characters: number
}

const asText = (url: string, body: Uint8Array): Read => {
  const links = new Set<string>()
  const said: Array<string> = []
  const metadata: Record<string, string> = {}
  let [title, description, skipping, inTitle] = ["", "", 0, false]
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === "a" && attributes["href"] !== undefined) {
        const to = URL.parse(attributes["href"], url)
        if (to !== null) {
          to.hash = ""
          links.add(to.href)
        }
      } else if (name === "script" || name === "style") skipping++
      else if (name === "title") inTitle = true
      else if (name === "meta" && attributes["name"] !== undefined) {
        metadata[attributes["name"]] = attributes["content"] ?? ""
        if (attributes["name"] === "description") description = attributes["content"] ?? ""
      }
    },
    ontext: (text) => {
      if (inTitle) title += text
      else if (skipping === 0) said.push(text)
    },
    onclosetag: (name) => {
      if (name === "script" || name === "style") skipping--
      else if (name === "title") inTitle = false
    }
  })
  parser.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"))
  return { links, characters: said.join("").length + title.length + description.length }
}

const asMarkdown = (url: string, body: Uint8Array): Read => {
  const { links, markdown } = Page.parse({ url, body, contentType: "text/html; charset=utf-8" }, Page.defaults)
  return { links: links.map((link) => link.split("#")[0] ?? link), characters: markdown?.length ?? 0 }
}

const read = mode === "markdown" ? asMarkdown : asText
const unzip = promisify(gunzip)
const known = new Set([start])
const waiting = [start]
let [pages, characters, inFlight] = [0, 0, 0]

const visit = async (url: string): Promise<void> => {
  const answer = await pool.request({
    path: url.slice(origin.length),
    method: "GET",
    headers: { "accept-encoding": "gzip" }
  })
  const bytes = new Uint8Array(await answer.body.arrayBuffer())
  if (answer.statusCode !== 200) return
  const found = read(url, answer.headers["content-encoding"] === "gzip" ? await unzip(bytes) : bytes)
  pages++
  characters += found.characters
  for (const link of found.links) {
    if (!known.has(link) && link.startsWith(`${origin}/`)) {
      known.add(link)
      waiting.push(link)
    }
  }
}

await new Promise<void>((done, fail) => {
  const go = () => {
    while (inFlight < concurrency) {
      const next = waiting.shift()
      if (next === undefined) break
      inFlight++
      visit(next).then(() => {
        inFlight--
        go()
      }, fail)
    }
    if (inFlight === 0) done()
  }
  go()
})
await pool.close()
console.log(JSON.stringify({ count: pages, figures: { "MB of text": characters / 1e6 } }))
