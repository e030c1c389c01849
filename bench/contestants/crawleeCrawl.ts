/**
 * Crawlee over a whole site, as its pages on scaling and on configuration advise for throughput.
 *
 *     node bench/contestants/crawleeCrawl.ts URL [markdown | text]
 *
 * `markdown` is HttpCrawler with Millrace's own conversion, `text` is CheerioCrawler and the text of the body. Nothing is
 * kept: storage is in memory, and the limits by which the pool of tasks holds back on a busy machine are off.
 */
import { readHtml } from "../../src/page/Document.ts"
import * as Page from "../../src/page/Page.ts"

/** The name is not written in the import, so that types are checked without the peers. */
const peer = "crawlee"
const { CheerioCrawler, Configuration, HttpCrawler, log } = await import(peer)
const [start = "", mode = "markdown"] = process.argv.slice(2)
const { origin } = new URL(start)
const concurrency = 16
let [pages, characters] = [0, 0]

log.setLevel(log.LEVELS.WARNING)
const settings = {
  minConcurrency: concurrency,
  maxConcurrency: concurrency,
  maxRequestRetries: 0,
  useSessionPool: false,
  autoscaledPoolOptions: {
    desiredConcurrency: concurrency,
    snapshotterOptions: { maxBlockedMillis: 10_000, maxUsedMemoryRatio: 1 },
    systemStatusOptions: {
      maxCpuOverloadedRatio: 1,
      maxEventLoopOverloadedRatio: 1,
      maxMemoryOverloadedRatio: 1,
      maxClientOverloadedRatio: 1
    }
  }
}
const configuration = new Configuration({ persistStorage: false, purgeOnStart: false, availableMemoryRatio: 1 })

interface Handed {
  readonly request: { readonly loadedUrl?: string; readonly url: string }
  readonly response: { readonly statusCode?: number }
  readonly body: string | Uint8Array
  readonly $: any
  readonly crawler: { readonly addRequests: (urls: ReadonlyArray<string>) => Promise<unknown> }
}

const follow = ({ crawler }: Handed, links: Iterable<string>) =>
  crawler.addRequests([...new Set([...links].map(withoutHash))].filter((link) => link.startsWith(`${origin}/`)))

const withoutHash = (link: string): string => link.split("#")[0] ?? link

const markdown = async (handed: Handed) => {
  const url = handed.request.loadedUrl ?? handed.request.url
  const html = typeof handed.body === "string" ? handed.body : new TextDecoder().decode(handed.body)
  const page = readHtml(html, url, Page.defaults, false)
  if (handed.response.statusCode === 200) pages++
  characters += page.markdown?.length ?? 0
  await follow(handed, page.links)
}

const text = async (handed: Handed) => {
  const { $ } = handed
  const url = handed.request.loadedUrl ?? handed.request.url
  if (handed.response.statusCode === 200) pages++
  characters += $("body").text().length
  const links: Array<string> = []
  for (const anchor of $("a[href]")) {
    const to = URL.parse(anchor.attribs.href, url)
    if (to !== null) links.push(to.href)
  }
  await follow(handed, links)
}

const crawler =
  mode === "text"
    ? new CheerioCrawler({ ...settings, requestHandler: text }, configuration)
    : new HttpCrawler({ ...settings, requestHandler: markdown }, configuration)
await crawler.run([start])
console.log(JSON.stringify({ count: pages, figures: { "MB of text": characters / 1e6 } }))
process.exit(0)
