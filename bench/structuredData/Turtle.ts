/** The part of Turtle that the microdata tests of the W3C are written in, and graphs as items. */

import { shortName } from "../../src/extract/read/Names.ts"
import type { Item } from "./Expected.ts"

export interface Graph {
  /** By subject; objects are `{ id }` or texts. */
  readonly nodes: Map<string, Array<readonly [predicate: string, object: { readonly id: string } | string]>>
}

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

const lexer =
  /#[^\n]*|\s+|"""([\s\S]*?)"""|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|<([^>]*)>|(\^\^|@prefix|@base|@[a-zA-Z-]+|[[\]();,.])|([\w-]*:[\w%./-]*[\w%/-]|[\w-]*:)|([-+]?[\d.]*\d(?:[eE][-+]?\d+)?)|(\w+)/gy

interface Token {
  readonly kind: "text" | "iri" | "sign" | "name" | "word"
  readonly text: string
}

const tokensOf = (turtle: string): ReadonlyArray<Token> => {
  const found: Array<Token> = []
  lexer.lastIndex = 0
  for (let match = lexer.exec(turtle); match !== null && match[0] !== ""; match = lexer.exec(turtle)) {
    const text = match[1] ?? match[2] ?? match[3]
    if (text !== undefined) found.push({ kind: "text", text: unescaped(text) })
    else if (match[4] !== undefined) found.push({ kind: "iri", text: match[4] })
    else if (match[5] !== undefined) found.push({ kind: "sign", text: match[5] })
    else if (match[6] !== undefined) found.push({ kind: "name", text: match[6] })
    else if (match[7] !== undefined) found.push({ kind: "text", text: match[7] })
    else if (match[8] !== undefined) found.push({ kind: "word", text: match[8] })
  }
  return found
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:u([\da-fA-F]{4})|(.))/g, (_, hex: string | undefined, char: string) =>
    hex === undefined ? ({ n: "\n", t: "\t", r: "\r" }[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16))
  )

export const parse = (turtle: string, base: string): Graph => {
  const tokens = tokensOf(turtle)
  const nodes: Graph["nodes"] = new Map()
  const prefixes = new Map<string, string>()
  let at = 0
  let blanks = 0
  const next = (): Token => tokens[at++] ?? { kind: "sign", text: "." }
  const is = (text: string): boolean => tokens[at]?.kind === "sign" && tokens[at]?.text === text
  const say = (subject: string, predicate: string, object: { readonly id: string } | string): void => {
    nodes.set(subject, [...(nodes.get(subject) ?? []), [predicate, object]])
  }
  const iri = (token: Token): string => {
    if (token.kind === "iri") return URL.parse(token.text, base)?.href ?? token.text
    if (token.kind === "word") return token.text === "a" ? `${RDF}type` : token.text
    if (token.text.startsWith("_:")) return token.text
    const colon = token.text.indexOf(":")
    return (prefixes.get(token.text.slice(0, colon)) ?? "") + token.text.slice(colon + 1)
  }
  const blank = (): string => {
    const id = `_:blank${blanks++}`
    nodes.set(id, [])
    return id
  }
  const object = (): { readonly id: string } | string => {
    const token = next()
    if (token.kind === "text" || (token.kind === "word" && /^(?:true|false)$/.test(token.text))) {
      if (is("^^")) at += 2
      else if (tokens[at]?.text.startsWith("@") === true) at++
      return token.text
    }
    if (token.text === "[" && token.kind === "sign") {
      const id = blank()
      predicates(id)
      at++
      return { id }
    }
    if (token.text === "(" && token.kind === "sign") {
      const items: Array<{ readonly id: string } | string> = []
      while (!is(")")) items.push(object())
      at++
      const id = blank()
      for (const item of items) say(id, `${RDF}item`, item)
      return { id }
    }
    return { id: iri(token) }
  }
  const predicates = (subject: string): void => {
    while (at < tokens.length && !is("]") && !is(".")) {
      const predicate = iri(next())
      do say(subject, predicate, object())
      while (is(",") && at++ > 0)
      while (is(";")) at++
    }
  }
  while (at < tokens.length) {
    const token = tokens[at]
    if (token?.kind === "sign" && (token.text === "@prefix" || token.text === "@base")) {
      const name = tokens[at + 1]?.text.replace(/:$/, "") ?? ""
      prefixes.set(name, tokens[at + 2]?.text ?? "")
      at += 4
      continue
    }
    const subject = object()
    if (typeof subject !== "string") predicates(subject.id)
    at++
  }
  return { nodes }
}

/** The nodes that no other node names, with what they say; a node in a node where it is described. */
export const itemsOf = ({ nodes }: Graph, without: (predicate: string) => boolean): ReadonlyArray<Item> => {
  const kept = new Map([...nodes].map(([id, said]) => [id, said.filter(([predicate]) => !without(predicate))] as const))
  const named = new Set(
    [...kept].flatMap(([id, said]) =>
      said.flatMap(([, object]) => (typeof object === "string" || object.id === id ? [] : [object.id]))
    )
  )
  const itemOf = (id: string, open: ReadonlyArray<string>): Item => {
    const properties = new Map<string, Array<Item | string>>()
    const types: Array<string> = []
    for (const [predicate, object] of kept.get(id) ?? []) {
      if (predicate === `${RDF}type` && typeof object !== "string") types.push(object.id)
      else {
        const name = shortName(predicate)
        const isInner =
          typeof object !== "string" && kept.has(object.id) && object.id !== id && !open.includes(object.id)
        const value = typeof object === "string" ? object : isInner ? itemOf(object.id, [...open, id]) : object.id
        properties.set(name, [...(properties.get(name) ?? []), value])
      }
    }
    return { types, id: id.startsWith("_:") ? undefined : id, properties }
  }
  const roots = [...kept.keys()].filter((id) =>
    !named.has(id) && (nodes.get(id)?.length ?? 0) === 0 ? true : !named.has(id) && (kept.get(id)?.length ?? 0) > 0
  )
  return roots.map((id) => itemOf(id, []))
}
