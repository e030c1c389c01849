/**
 * A website of any size, made as it is asked for: page i links to the ten pages below it in a tree and to five others.
 * `node bench/generatedSite.ts PAGES` serves it and prints its port; `/asked` says how many pages it was asked for.
 */
import { createServer } from "node:http"

const syllables =
  "weir sluice mill grain wa ter led ger coun cil har bour bri dge lan tern or chard fer ry mar ket ar chive clo ck".split(
    " "
  )

/** The next number of a row of 2^32 that has no order that one sees (xorshift). */
const after = (state: number): number => {
  let next = state ^ (state << 13)
  next ^= next >>> 17
  return (next ^ (next << 5)) >>> 0
}

const words = Array.from({ length: 2000 }, (_, at) => {
  const parts = [at, at * 31 + 7, at * 17 + 3].slice(0, 1 + (at % 3))
  return parts.map((part) => syllables[part % syllables.length]).join("")
})

/** Every page has a text of its own, so that none is taken for one of an endless row that says nothing new. */
export const page = (index: number, pages: number): string => {
  const children = Array.from({ length: 10 }, (_, child) => index * 10 + child + 1).filter((child) => child < pages)
  const others = Array.from({ length: 5 }, (_, other) => (index * 7919 + other * 104_729) % pages)
  let state = index + 1
  const word = (): string => {
    state = after(state)
    return words[state % words.length] ?? "mill"
  }
  const text = Array.from({ length: 12 }, () => `<p>${Array.from({ length: 60 }, word).join(" ")}</p>`).join("")
  const links = [...children, ...others]
    .map((to) => `<li><a href="${to === 0 ? "/" : `/p/${to}`}">page ${to}</a></li>`)
    .join("")
  return `<!doctype html><html lang="en"><head><title>Page ${index}</title><meta name="description" content="about ${word()}"></head>
<body><nav><a href="/">home</a></nav><main><h1>Page ${index}</h1>${text}<ul>${links}</ul></main></body></html>`
}

if (import.meta.main) {
  const pages = Number(process.argv[2] ?? 1000)
  let asked = 0
  const server = createServer((request, response) => {
    if (request.url === "/asked") {
      response.end(String(asked))
      return
    }
    asked += 1
    const index = request.url === "/" ? 0 : Number(/^\/p\/(\d+)$/.exec(request.url ?? "")?.[1] ?? Number.NaN)
    const found = index >= 0 && index < pages
    response.writeHead(found ? 200 : 404, { "content-type": "text/html; charset=utf-8" })
    response.end(found ? page(index, pages) : "")
  })
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    console.log(typeof address === "object" ? address?.port : address)
  })
}
