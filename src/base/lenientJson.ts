/**
 * Values as people write them in questions: JSON, and what is nearly JSON: object literals of JavaScript, keyword
 * arguments of Python, trailing commas, single quotes, comments.
 *
 * The text is read, never run; an invalid value ends the reading.
 */
import type * as Schema from "effect/Schema"

type Json = Schema.Json

interface Args {
  readonly positional: ReadonlyArray<Json>
  readonly named: { readonly [name: string]: Json }
}

/** The arguments of a call, from behind its opening bracket. */
export const args = (text: string, from: number): Args | undefined => {
  const reader = new Reader(text, from)
  const positional: Array<Json> = []
  const named: Record<string, Json> = {}
  for (;;) {
    reader.blank()
    if (reader.takes(")")) return { positional, named }
    const name = reader.match(/[A-Za-z_]\w*(?=\s*=[^=>])/y)
    if (name !== undefined) reader.takes("=")
    const value = reader.value(0)
    if (value === undefined)
      return positional.length + Object.keys(named).length > 0 ? { positional, named } : undefined
    if (name === undefined) positional.push(value)
    else named[name] = value
    reader.takes(",")
  }
}

/** The value that begins here, and where it ends. */
export const value = (text: string, from: number): { readonly value: Json; readonly end: number } | undefined => {
  const reader = new Reader(text, from)
  const found = reader.value(0)
  return found === undefined ? undefined : { value: found, end: reader.at }
}

const maxDeep = 30

class Reader {
  readonly text: string
  at: number
  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  match(pattern: RegExp): string | undefined {
    this.blank()
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found === null) return undefined
    this.at += found[0].length
    return found[0]
  }

  takes(sign: string): boolean {
    this.blank()
    if (!this.text.startsWith(sign, this.at)) return false
    this.at += sign.length
    return true
  }

  blank(): void {
    const blank = /(?:\s+|\/\/[^\n]*|#[^\n]*|\/\*[^*]*\*\/)*/y
    blank.lastIndex = this.at
    this.at += blank.exec(this.text)?.[0].length ?? 0
  }

  value(depth: number): Json | undefined {
    if (depth > maxDeep) return undefined
    if (this.takes("{")) return this.object(depth)
    if (this.takes("[")) return this.array(depth)
    const quoted = this.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/sy)
    if (quoted !== undefined) return unquoted(quoted)
    const number = this.match(/-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/y)
    if (number !== undefined) return Number(number.replaceAll("_", ""))
    const word = this.match(/[A-Za-z_$][\w$.]*/y)
    return word === undefined ? undefined : (words.get(word) ?? (words.has(word) ? null : word))
  }

  private object(depth: number): Json | undefined {
    const found: Record<string, Json> = {}
    for (;;) {
      if (this.takes("}")) return found
      const quoted = this.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy)
      const name = quoted === undefined ? this.match(/[A-Za-z_$][\w$]*/y) : unquoted(quoted)
      if (name === undefined || name === "__proto__") return undefined
      const one = this.takes(":") ? this.value(depth + 1) : undefined
      if (one === undefined) return undefined
      found[name] = one
      if (!this.takes(",")) return this.takes("}") ? found : undefined
    }
  }

  private array(depth: number): Json | undefined {
    const found: Array<Json> = []
    for (;;) {
      if (this.takes("]")) return found
      const one = this.value(depth + 1)
      if (one === undefined) return undefined
      found.push(one)
      if (!this.takes(",")) return this.takes("]") ? found : undefined
    }
  }
}

const words = new Map<string, Json>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["undefined", null]
])

const unquoted = (text: string): string =>
  text
    .slice(1, -1)
    .replace(/\\u([0-9a-fA-F]{4})|\\(.)/gs, (_, code: string | undefined, sign: string | undefined) =>
      code === undefined ? (escapes[sign ?? ""] ?? sign ?? "") : String.fromCharCode(Number.parseInt(code, 16))
    )

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" }
