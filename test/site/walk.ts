// A link walker of a few lines, with nothing of the crawler's in it: what is found from "/" and the sitemaps of robots.txt.
import { gunzipSync } from "node:zlib"
import type { Site } from "#site/Site"

export const origin = "http://northmere.test:8080"

export interface Found {
  readonly status: number
  readonly by: "link" | "sitemap"
  readonly kind: "page" | "file" | "redirect" | "missing" | "failing" | "blocked"
}

export const get = (site: Site, path: string, headers: Record<string, string> = {}) =>
  site.respond({ method: "GET", path, headers, origin })

export const textOf = (site: Site, path: string): string => new TextDecoder().decode(get(site, path).body)

export const walk = (site: Site): ReadonlyMap<string, Found> => {
  const rules = Array.from(
    textOf(site, "/robots.txt")
      .split("User-agent: slowpoke")[0]
      ?.matchAll(/^(Allow|Disallow): (.+)$/gm) ?? [],
    ([, word, prefix = ""]) => ({ allowed: word === "Allow", prefix })
  )
  const isBlocked = (path: string) => {
    const hits = rules.filter(({ prefix }) => path.startsWith(prefix)).sort((a, b) => b.prefix.length - a.prefix.length)
    return hits[0]?.allowed === false
  }
  const found = new Map<string, Found>()
  const visit = (start: string, by: Found["by"]) => {
    const queue = [start]
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (found.has(path)) continue
      const { behaviour, body, headers, status } = get(site, path)
      const location = headers["location"]
      const html = headers["content-type"]?.startsWith("text/html") === true
      const kind = isBlocked(path)
        ? "blocked"
        : behaviour === "reset" || status >= 500
          ? "failing"
          : location !== undefined
            ? "redirect"
            : status >= 400
              ? "missing"
              : html
                ? "page"
                : "file"
      found.set(path, { status, by, kind })
      if (kind !== "page" && kind !== "redirect") continue
      const hrefs = location === undefined ? hrefsOf(decode(body)) : [location]
      for (const href of hrefs) {
        const url = URL.parse(href.replaceAll("&amp;", "&"), `${origin}${path}`)
        if (url !== null && url.origin === origin) queue.push(url.pathname + url.search)
      }
    }
  }
  visit("/", "link")
  for (const path of sitemapPaths(site)) visit(path, "sitemap")
  return found
}

export const sitemapPaths = (site: Site): ReadonlyArray<string> => {
  const starts = Array.from(textOf(site, "/robots.txt").matchAll(/^Sitemap: (.+)$/gm), ([, url = ""]) => url)
  const read = (url: string): ReadonlyArray<string> => {
    const { body } = get(site, url.slice(origin.length))
    const xml = new TextDecoder().decode(url.endsWith(".gz") ? gunzipSync(body) : body)
    const locations = Array.from(xml.matchAll(/<loc>([^<]+)<\/loc>/g), ([, loc = ""]) => loc.replaceAll("&amp;", "&"))
    return xml.includes("<sitemapindex") ? locations.flatMap(read) : locations
  }
  return starts.flatMap(read).map((url) => url.slice(origin.length))
}

/** In UTF-16 by its mark, else as if all were UTF-8: links are ASCII. */
const decode = (body: Uint8Array): string =>
  new TextDecoder(body[0] === 0xff && body[1] === 0xfe ? "utf-16le" : "utf-8").decode(body)

const hrefsOf = (html: string): ReadonlyArray<string> =>
  Array.from(html.matchAll(/<a [^>]*?href="([^"]*)"/g), ([, href = ""]) => href)

/** What a reader sees of a page: its title and the text of its main part. */
export const seen = (html: string): string => {
  const title = /<title>([\s\S]*?)<\/title>/.exec(html)?.[1] ?? ""
  const main = /<main[^>]*>([\s\S]*?)<\/main>/.exec(html)?.[1] ?? html
  return `${title}\n${main
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()}`
}
