/**
 * The page as clean HTML: what can run, what hides and what only styles is gone, addresses are absolute.
 *
 * Pieces are kept with their region until the end, as blocks of Markdown are.
 */
import type { Attributes } from "./Attributes.ts"
import { VOID } from "./Elements.ts"
import type { Element } from "./Tree.ts"

export class Html {
  private readonly pieces: Array<string> = []
  private readonly regions: Array<number> = []
  private piece = ""
  private at = 0

  /** Everything that follows lies in this region. */
  set region(region: number) {
    if (region === this.at) return
    this.cut()
    this.at = region
  }

  open(element: Element, attributes: Attributes, resolve: (href: string) => string | undefined): void {
    const name = element.name
    if (frames.has(name) || !sound.test(name)) return
    let tag = `<${name}`
    for (let i = 0; i < attributes.length; i++) {
      const attribute = attributes.nameAt(i)
      if (dropped.test(attribute) || !sound.test(attribute)) continue
      let value = attributes.valueAt(i)
      if (addresses.has(attribute)) {
        const address = resolve(value.trim())
        if (address === undefined || /^(?:javascript|vbscript):/i.test(address)) continue
        value = address
      } else if (attribute === "srcset") value = resolveSet(value, resolve)
      tag += value === "" ? ` ${attribute}` : ` ${attribute}="${escapeValue(value)}"`
    }
    this.piece += `${tag}>`
  }

  close(element: Element): void {
    if ((element.kind.flags & VOID) === 0 && !frames.has(element.name) && sound.test(element.name)) {
      this.piece += `</${element.name}>`
    }
  }

  text(value: string): void {
    this.piece += special.test(value) ? value.replace(/[&<>\u00a0]/g, reference) : value
  }

  finish(keeps: (region: number) => boolean): string {
    this.cut()
    return this.pieces
      .filter((_, i) => keeps(this.regions[i] ?? 0))
      .join("")
      .trim()
  }

  private cut(): void {
    if (this.piece === "") return
    this.pieces.push(this.piece)
    this.regions.push(this.at)
    this.piece = ""
  }
}

const frames = new Set(["html", "head", "body", "meta", "link", "base"])
const addresses = new Set(["href", "src", "action", "cite", "poster", "data", "formaction", "longdesc", "background"])
const dropped = /^(?:on|style$|srcdoc$|nonce$|integrity$|xmlns)/
const sound = /^[a-z][\w.:-]*$/i
const special = /[&<>\u00a0]/

const reference = (char: string): string =>
  char === "&" ? "&amp;" : char === "<" ? "&lt;" : char === ">" ? "&gt;" : char === '"' ? "&quot;" : "&nbsp;"

const escapeValue = (value: string): string =>
  /[&"<>\u00a0]/.test(value) ? value.replace(/[&"<>\u00a0]/g, reference) : value

/** "a.png 1x, b.png 2x": a comma inside an address is not followed by white space. */
const resolveSet = (value: string, resolve: (href: string) => string | undefined): string =>
  value
    .split(/,\s+/)
    .map((candidate) => {
      const [href = "", ...size] = candidate.trim().split(/\s+/)
      return [resolve(href) ?? href, ...size].join(" ")
    })
    .join(", ")
