/** What is not a page: PDFs, robots.txt, the sitemaps (an index, one plain, one gzipped, one only in robots.txt), and assets. */
import { gzipSync } from "node:zlib"
import * as Pdf from "../Pdf.ts"
import * as Council from "./Council.ts"
import * as Docs from "./Docs.ts"
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Shop from "./Shop.ts"

/** The PDFs. */
export const section = (history: History.History): Html.Section => {
  const prices = Shop.products(history).map((one) => `${one.sku}   ${one.name}   £${one.price}`)
  const budget = Council.sections(history).map((one) => {
    const dice = history.dice("budget", one.number)
    return `§ ${one.number}   ${one.title}   £${dice.int(2, 99)},${String(dice.int(0, 999)).padStart(3, "0")}`
  })
  const commands = Docs.topics.map(({ command, title }) => `sluice ${command}   ${title}`)
  return [
    { ...pdf("/files/price-list.pdf", "Northmere Mill Supply: price list", prices), modified: history.today },
    pdf("/files/council-budget.pdf", "Northmere Town Council: budget by section", budget),
    pdf("/files/sluice-commands.pdf", "Sluice: all commands", commands)
  ]
}

const pdf = (path: string, title: string, lines: ReadonlyArray<string>): Draft.Draft =>
  Draft.make({
    path,
    type: "application/pdf",
    kind: "file",
    inSitemap: true,
    fields: { title, text: lines.join("\n") },
    facts: { title, lines },
    write: () => Pdf.make(title, [title, "", ...lines])
  })

/** What is served and not found by following links: the file for robots, the sitemaps of these drafts, and assets. */
export const hidden = (drafts: ReadonlyArray<Draft.Draft>): ReadonlyArray<Draft.Draft> => {
  const listed = drafts.filter((draft) => draft.inSitemap)
  const isForeign = (draft: Draft.Draft) => /^\/(de|fr|ja|ar)\//.test(draft.path)
  const isShop = (draft: Draft.Draft) => draft.path.startsWith("/shop/")
  const shop = urlSet(listed.filter(isShop))
  const zipped = (origin: string) => Uint8Array.from(gzipSync(Draft.text(shop)(origin)))
  const files = [
    Draft.file("/robots.txt", "text/plain; charset=utf-8", robots),
    Draft.file("/sitemap_index.xml", xml, sitemapIndex),
    Draft.file("/sitemap-pages.xml", xml, urlSet(listed.filter((one) => !isForeign(one) && !isShop(one)))),
    { ...Draft.file("/sitemap-shop.xml.gz", "application/gzip", shop), write: zipped },
    Draft.file("/sitemap-languages.xml", xml, urlSet(listed.filter(isForeign))),
    Draft.file("/assets/site.css", "text/css; charset=utf-8", css),
    Draft.file("/assets/og.svg", "image/svg+xml", image),
    Draft.file("/favicon.ico", "image/svg+xml", image)
  ]
  return files.map((file) => ({ ...file, foundBy: "nothing" }))
}

const xml = "application/xml; charset=utf-8"

const urlSet = (drafts: ReadonlyArray<Draft.Draft>): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${Html.lines(drafts, ({ modified, path }) => `<url><loc>${Draft.originMark}${Html.escape(path)}</loc><lastmod>${modified}</lastmod></url>`)}
</urlset>
`

const sitemapIndex = `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>${Draft.originMark}/sitemap-pages.xml</loc></sitemap>
<sitemap><loc>${Draft.originMark}/sitemap-shop.xml.gz</loc></sitemap>
</sitemapindex>
`

const robots = `# Northmere
User-agent: *
Disallow: /private/
Allow: /private/open/
Disallow: /trap/
Disallow: /calendar/

User-agent: slowpoke
Crawl-delay: 10
Disallow: /lab/

User-agent: noisybot
Disallow: /

Sitemap: ${Draft.originMark}/sitemap_index.xml
Sitemap: ${Draft.originMark}/sitemap-languages.xml
`

const css = "body { font: 1rem/1.5 Georgia, serif; max-width: 44rem; margin: auto }\n.advert { border: 1px solid }\n"

const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="12" fill="none" stroke="#246"/></svg>\n`
