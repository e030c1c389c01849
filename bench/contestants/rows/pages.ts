/** The pages that the benches of the sinks write: what a crawl gives, 4 KB each, with nested columns. */
import * as Schema from "effect/Schema"
import * as Column from "../../../src/engine/Column.ts"
import * as Table from "../../../src/engine/Table.ts"

export const pages = Table.make({
  name: "pages",
  description: "pages as a crawl gives them",
  schema: Schema.Struct({
    url: Schema.String,
    title: Schema.String,
    markdown: Schema.String,
    fetched_at: Column.Timestamp,
    status: Schema.Int,
    metadata: Schema.Struct({
      description: Schema.NullOr(Schema.String),
      language: Schema.String,
      statusCode: Schema.Int
    }),
    links: Schema.Array(Schema.String)
  }),
  key: ["url"]
})

/**
 * Pages of 4 KB that compress as prose does (to about 0.4 with zstd 1), three in ten with characters beyond Latin-1.
 * Their text is cut out of one long text each, so that making a page costs next to nothing.
 */
export const makeRows = () => {
  let state = 42
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const syllables =
    "ba be co da di el en er fa ge hi in ka la le ma mi no on or pa ra re sa si st ta te ti to un ve wa".split(" ")
  const word = () => Array.from({ length: 1 + random(4) }, () => syllables[random(syllables.length)]).join("")
  const words = Array.from({ length: 8000 }, word)
  const prose = (length: number, extra: string) => {
    const said: Array<string> = []
    // The nth word of a language is said about 1/n as often as the first.
    for (let at = 0; at < length; at += 7) said.push(words[Math.floor(words.length ** (random(1e6) / 1e6))] ?? extra)
    return `${said.join(" ")}${extra}`
  }
  const [narrow, wide] = [prose(4_000_000, "."), prose(2_000_000, " — größer 漢字")]
  return (from: number, count: number, step = 1): ReadonlyArray<Table.Row> =>
    Array.from({ length: count }, (_, offset) => {
      const at = from + offset * step
      const text = at % 10 < 3 ? wide : narrow
      const start = random(text.length - 4100)
      return {
        url: `https://example.com/docs/${at}`,
        title: `Page ${at} of the bench`,
        markdown: text.slice(start, start + 4000),
        fetched_at: 1_760_000_000_000_000n + BigInt(at) * 1_000_000n,
        status: 200,
        metadata: { description: at % 3 === 0 ? null : `What page ${at} is about`, language: "en", statusCode: 200 },
        links: Array.from({ length: at % 16 }, (_, link) => `https://example.com/docs/${at}/${link}`)
      }
    })
}
