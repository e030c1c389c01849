/** Crawlee's CheerioCrawler on one page, nothing kept: `node crawleePage.ts URL`. */
import { peer } from "../peer.ts"

const { CheerioCrawler, Configuration, log } = await peer("crawlee")
const [url = ""] = process.argv.slice(2)
let pages = 0
log.setLevel(log.LEVELS.WARNING)
const crawler = new CheerioCrawler(
  { requestHandler: ({ $ }: { $: any }) => void ($("title").text() !== "" && pages++) },
  new Configuration({ persistStorage: false, purgeOnStart: false })
)
await crawler.run([url])
console.log(JSON.stringify({ count: pages }))
process.exit(0)
