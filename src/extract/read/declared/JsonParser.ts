/**
 * One pass over a text of JSON documents, as strict as JSON is but for comments and commas, or mending.
 *
 * Nothing is thrown; `failed` says that the text could not be read to its end, and what came before is kept.
 */

export class JsonParser {
  failed = false
  private at = 0
  private nodes = 0
  private commentEnd = -1
  private readonly text: string
  private readonly offset: number
  private readonly mends: boolean

  constructor(text: string, offset: number, mends: boolean) {
    this.text = text
    this.offset = offset
    this.mends = mends
  }

  all(): ReadonlyArray<Node> {
    const found: Array<Node> = []
    for (;;) {
      this.skip(true)
      if (this.at >= this.text.length) return found
      const node = this.value("item", 0)
      if (node !== undefined) found.push(node)
      if (this.failed) return found
    }
  }

  /** Undefined where there is none, and that is a failure unless mending goes on without it. */
  private value(role: Role, depth: number): Node | undefined {
    const from = this.at
    const code = this.text.charCodeAt(from)
    if (depth > maxDepth || ++this.nodes > maxNodes) return this.fail()
    if (code === BRACE) return this.object(depth)
    if (code === BRACKET) return this.list(depth)
    if (code === QUOTE || (this.mends && code === APOSTROPHE)) {
      const data = this.string(role)
      return data === undefined ? this.fail() : this.plain(data, from)
    }
    const found = this.match(literal)
    if (found !== undefined) {
      const data = words.get(found)
      return this.plain(data === undefined ? Number(found) : data, from)
    }
    if (!this.mends) return this.fail()
    const bare = this.match(bareValue)?.trim()
    return bare === undefined || bare === "" ? this.fail() : this.plain(bare === "undefined" ? null : bare, from)
  }

  private object(depth: number): ObjectNode | undefined {
    const from = this.at++
    const entries: Array<readonly [string, Node]> = []
    for (;;) {
      this.skip(true)
      if (this.isAt(BRACE_END)) break
      const name = this.key()
      if (name === undefined) {
        if (this.mends) this.failed = true
        else return this.fail()
        break
      }
      this.skip()
      const value = this.value("property", depth + 1)
      if (value !== undefined) entries.push([name, value])
      if (this.failed && !this.mends) return undefined
      if (this.failed) break
      if (!this.endsPart(BRACE_END)) return this.fail()
    }
    this.at++
    return { _tag: "Object", entries, from: this.offset + from, to: this.end() }
  }

  private list(depth: number): ListNode | undefined {
    const from = this.at++
    const items: Array<Node> = []
    for (;;) {
      this.skip(true)
      if (this.isAt(BRACKET_END)) break
      const item = this.value("item", depth + 1)
      if (item !== undefined) items.push(item)
      if (this.failed && !this.mends) return undefined
      if (this.failed) break
      if (!this.endsPart(BRACKET_END)) return this.fail()
    }
    this.at++
    return { _tag: "List", items, from: this.offset + from, to: this.end() }
  }

  /** A comma or the end must follow; what mends goes on without. */
  private endsPart(end: number): boolean {
    this.skip()
    return this.mends || this.isAt(COMMA) || this.isAt(end)
  }

  private key(): string | undefined {
    const quoted = this.isAt(QUOTE) || (this.mends && this.isAt(APOSTROPHE))
    const name = quoted ? this.string("key") : this.mends ? this.match(bareKey) : undefined
    if (name === undefined) return undefined
    this.skip()
    if (!this.isAt(COLON)) return undefined
    this.at++
    return name
  }

  private string(role: Role): string | undefined {
    const { text } = this
    const quote = text.charCodeAt(this.at++)
    let from = this.at
    let data = ""
    for (let i = from; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === quote) {
        if (this.mends && !this.closes(i + 1, role)) continue
        this.at = i + 1
        return data + text.slice(from, i)
      }
      if (code !== BACKSLASH) continue
      data += text.slice(from, i)
      const next = text[i + 1] ?? ""
      const hex = next === "u" ? hexOf(text, i + 2) : undefined
      data += hex ?? escapes.get(next) ?? next
      i += hex === undefined ? 1 : 5
      from = i + 1
    }
    return undefined
  }

  /** Whether a quote ends its text: what follows can only stand behind one. */
  private closes(at: number, role: Role): boolean {
    const pattern = endings[role]
    pattern.lastIndex = at
    return pattern.test(this.text)
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  private plain(data: PlainNode["data"], from: number): PlainNode {
    return { _tag: "Plain", data, from: this.offset + from, to: this.end() }
  }

  private end(): number {
    return this.offset + Math.min(this.at, this.text.length)
  }

  private isAt(code: number): boolean {
    return this.text.charCodeAt(this.at) === code
  }

  private fail(): undefined {
    this.failed = true
    return undefined
  }

  /** White space, comments and what wraps a script; between parts also commas. */
  private skip(commas = false): void {
    const { text } = this
    for (;;) {
      const code = text.charCodeAt(this.at)
      if (code <= 32 || code === 0xfeff || code === 0xa0) this.at++
      else if (commas && (code === COMMA || code === SEMICOLON)) this.at++
      else if (code === SLASH && text[this.at + 1] === "*") this.at = after(text, "*/", this.at + 2)
      else if (code === SLASH && text[this.at + 1] === "/") {
        this.at += 2
        if (this.match(wrap) === undefined) this.at = after(text, "\n", this.at)
      } else if (code === LESS && text.startsWith("<!--", this.at)) this.skipComment()
      else if ((code !== LESS && code !== DASH && code !== BRACKET_END) || this.match(wrap) === undefined) return
    }
  }

  /** `<!-- a remark -->` goes as a whole; `<!-- {…} -->` holds the document. */
  private skipComment(): void {
    this.at += 4
    if (this.commentEnd < this.at) {
      const found = this.text.indexOf("-->", this.at)
      this.commentEnd = found === -1 ? Number.POSITIVE_INFINITY : found
    }
    holdsDocument.lastIndex = this.at
    if (this.commentEnd !== Number.POSITIVE_INFINITY && !holdsDocument.test(this.text)) this.at = this.commentEnd + 3
  }
}

const maxDepth = 64
/** More than a page of 20 MB has. */
const maxNodes = 3_000_000

type Role = "key" | "property" | "item"

const QUOTE = 34
const APOSTROPHE = 39
const COMMA = 44
const DASH = 45
const SLASH = 47
const COLON = 58
const SEMICOLON = 59
const LESS = 60
const BRACKET = 91
const BACKSLASH = 92
const BRACKET_END = 93
const BRACE = 123
const BRACE_END = 125

const literal = /(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|true|false|null)(?=\s{0,200}(?:[,\]}/;<"]|$))/y
const words = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null]
])
const bareValue = /[^\s,{}[\]"'][^,{}[\]"\n]{0,200}/y
const bareKey = /[\w@$][\w@$.-]{0,100}/y
const wrap = /[ \t]*(?:<!\[CDATA\[|\]\]>|-->)/y
const holdsDocument = /\s{0,200}[{[]/y

const endings: Readonly<Record<Role, RegExp>> = {
  key: /\s{0,200}:/y,
  property:
    /\s{0,200}(?:$|\}|\/[/*]|,\s{0,200}(?:["'][^"'\n]{0,100}["']\s{0,20}:|[\w@$]{1,50}\s{0,20}:|[,}]|\/[/*]|$)|"[^"\n]{1,100}"\s{0,20}:)/y,
  item: /\s{0,200}(?:$|\]|\/[/*]|,\s{0,200}(?:["'{[\d\]tfn-]|\/[/*]|$))/y
}

const escapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"]
])

const hexOf = (text: string, at: number): string | undefined => {
  const digits = text.slice(at, at + 4)
  return /^[\da-f]{4}$/i.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : undefined
}

const after = (text: string, what: string, from: number): number => {
  const found = text.indexOf(what, from)
  return found === -1 ? text.length : found + what.length
}

/**
 * A value of JSON, with where it stands: from its first character to behind its last, counted from the start of the page.
 */
export type Node = ObjectNode | ListNode | PlainNode

interface Placed {
  readonly from: number
  readonly to: number
}

export interface ObjectNode extends Placed {
  readonly _tag: "Object"
  readonly entries: ReadonlyArray<readonly [name: string, value: Node]>
}

interface ListNode extends Placed {
  readonly _tag: "List"
  readonly items: ReadonlyArray<Node>
}

export interface PlainNode extends Placed {
  readonly _tag: "Plain"
  readonly data: string | number | boolean | null
}
