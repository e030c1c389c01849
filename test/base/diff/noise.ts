/** What changes on a page by itself from one visit to the next, made from a number. */
import * as Dice from "#site/Dice"

/** The page with fresh stamps, counters, sessions, advertisements, nonces, attributes in another order and other blanks. */
export const withNoise = (html: string, visit: number): string => {
  const dice = Dice.make(1, "visit", visit)
  const number = (most: number) => dice.int(1, most)
  const hex = (length: number) => Array.from({ length }, () => "0123456789abcdef"[dice.int(0, 15)]).join("")
  const pick = (texts: ReadonlyArray<string>) => texts[dice.int(0, texts.length - 1)] ?? ""
  const ago = `${number(50)} ${pick(["seconds", "minutes", "hours", "days"])} ago`
  const stamp = `2026-0${number(9)}-1${number(9)} 1${number(9)}:2${number(9)}:3${number(9)}`
  const inside = [
    `<p>Last seen ${ago}.</p>`,
    `<p>${number(90_000).toLocaleString("en")} views</p>`,
    `<p>${number(40)} people are viewing this page right now</p>`,
    `<p>Page generated on ${stamp} UTC</p>`,
    `<div class="ad"><p>Advertisement: ${pick(["lamps", "boats", "ropes", "mills"])} for ${number(99)} pounds</p></div>`,
    `<p>Build: ${hex(8)} · request id: ${hex(12)}</p>`,
    `<h2>Quote of the day</h2><blockquote>${pick(["Haste makes waste.", "All is well.", "Still waters run deep."])}</blockquote>`,
    `<h2>You may also like</h2><ul><li><a href="/r/${number(50)}">${pick(["Lamps", "Ropes", "Boats"])}</a></li></ul>`
  ].join("\n")
  return html
    .replace(
      /<head>/,
      `<head><meta name="csrf-token" content="${hex(32)}"><script nonce="${hex(16)}">var t=${number(1e6)}</script>`
    )
    .replace(/<\/main>/, `${inside}</main><footer><p>© ${2020 + number(6)} served by node-${hex(6)}</p></footer>`)
    .replaceAll(/<(a|img|div|p|li|h[1-6])((?:\s+[\w-]+="[^"]*")+)>/g, (_, name: string, attributes: string) => {
      const all = [...attributes.matchAll(/\s+([\w-]+="[^"]*")/g)].map(([, one = ""]) => one)
      return `<${name} ${dice.sample([...all, `data-v="${hex(6)}"`], all.length + 1).join(" ")}>`
    })
    .replaceAll(
      /href="(\/[^"#?]*)"/g,
      (_, path: string) => `href="${path}?sid=${hex(10)}&utm_source=${pick(["a", "b"])}"`
    )
    .replaceAll(/>\n</g, () => `>${"\n".repeat(number(3))}${" ".repeat(number(4))}<`)
}
