/**
 * RDFa as things.
 *
 * A node that the page describes is placed where the page refers to it, never inside itself, and is a thing of the page
 * if no other thing refers to it; a node that is only named is an address.
 */
import { contentOf, type Element } from "#page/Dom"
import type { Property, Thing, Value } from "../../Candidates.ts"
import { Budget, maxValues } from "../../page/Budget.ts"
import { isAddressName, isRelative, shortName, tokens } from "../../page/Names.ts"
import { type Growing, maxText, type Page, thing } from "../../page/Page.ts"

interface Rdfa {
  readonly things: ReadonlyArray<Thing>
  /** What the page says of itself in its text. */
  readonly loose: ReadonlyArray<Property>
  /** And in meta and link, which `Meta` reads as well. */
  readonly head: ReadonlyArray<Property>
}

export const read = (page: Page): Rdfa => {
  const { self, nodes } = graphOf(page)
  const isThing = self.types.size > 0
  const described = nodes.filter((node) => isDescribed(node) && (node !== self || isThing))
  const named = new Set<Node>()
  for (const node of described) {
    for (const { object } of node.statements) if ("statements" in object && object !== node) named.add(object)
  }
  const reader = new Reader(page)
  const roots = described.filter((node) => !named.has(node))
  const things = roots.map((node) => reader.thing(node, ""))
  // Things that only speak of one another.
  for (const node of described) if (!reader.read.has(node)) things.push(reader.thing(node, ""))
  const own = isThing ? [] : self.statements.filter(({ object }) => !("statements" in object) || !isDescribed(object))
  const of = (statements: ReadonlyArray<Statement>): ReadonlyArray<Property> => reader.properties(statements, "")
  return {
    things,
    loose: of(own.filter(({ element }) => !heads.has(element.name))),
    head: of(own.filter(({ element }) => heads.has(element.name)))
  }
}

const maxDepth = 32
const heads = new Set(["meta", "link", "head", "html"])

const isDescribed = ({ types, statements }: Node): boolean => types.size > 0 || statements.length > 0

class Reader {
  readonly read = new Set<Node>()
  private readonly page: Page
  private readonly open = new Set<Node>()
  private readonly room = new Budget(maxValues, () => this.page.cut())

  constructor(page: Page) {
    this.page = page
  }

  thing(node: Node, before: string): Growing {
    const types = [...node.types]
    const path = before === "" ? (types[0] ?? "item") : before
    const id = node.id.startsWith("_:") ? undefined : node.id
    const made = thing(this.page.source("rdfa", node.element, path), types, id)
    this.read.add(node)
    this.open.add(node)
    for (const property of this.properties(node.statements, path)) made.properties.push(property)
    this.open.delete(node)
    return made
  }

  properties(statements: ReadonlyArray<Statement>, before: string): ReadonlyArray<Property> {
    const found: Array<Property> = []
    for (const { name, element, object } of statements) {
      if (!this.room.take()) break
      const path = before === "" ? name : `${before}/${name}`
      if (!("statements" in object)) found.push({ name, value: { ...object, source: { ...object.source, path } } })
      else if (isDescribed(object) && !this.open.has(object) && this.open.size < maxDepth) {
        found.push({ name, value: this.thing(object, path) })
      } else if (!object.id.startsWith("_:")) {
        found.push({ name, value: this.page.attribute("rdfa", object.id, element, path) })
      }
    }
    return found
  }
}

interface Node {
  /** Absolute; "_:1" where it has none. */
  readonly id: string
  readonly types: Set<string>
  /** What it has said: a graph says nothing twice. */
  readonly statementKeys: Set<string>
  readonly statements: Array<Statement>
  /** Where it is first spoken of. */
  readonly element: Element
}

interface Statement {
  readonly name: string
  readonly element: Element
  /** A node, or a value that is written here. */
  readonly object: Node | Value
}

interface Graph {
  /** What the page says of itself. */
  readonly self: Node
  readonly nodes: ReadonlyArray<Node>
}

/**
 * RDFa 1.1 in HTML as a graph: which node says what (https://www.w3.org/TR/rdfa-core/, section 7.5).
 *
 * Names are short, so a page that forgot to name its vocabulary loses nothing. Lists, languages and XML literals are
 * read as plain values.
 */
export const graphOf = (page: Page): Graph => {
  const builder = new Builder(page)
  builder.visit(page.root, { subject: builder.self, object: builder.self, waiting: [], prefixes: none, vocab: "" })
  return { self: builder.self, nodes: [...builder.nodes.values()] }
}

interface Context {
  readonly subject: Node
  /** What the subject of an element is that names none. */
  readonly object: Node
  /** Relations whose object is the first node inside. */
  readonly waiting: ReadonlyArray<Relation>
  readonly prefixes: ReadonlyMap<string, string>
  readonly vocab: string
}

interface Relation {
  readonly name: string
  readonly isReverse: boolean
  readonly element: Element
}

class Builder {
  readonly nodes = new Map<string, Node>()
  readonly self: Node
  private readonly page: Page
  private readonly room = new Budget(maxValues, () => this.page.cut())

  constructor(page: Page) {
    this.page = page
    this.self = this.node(page.resolve("") ?? page.url, page.root)
  }

  visit(element: Element, context: Context): void {
    if (element.name === "template") return
    const inner = element.attributes.size === 0 ? context : this.read(element, context)
    for (const child of element.children) if (child._tag === "Element") this.visit(child, inner)
  }

  private read(element: Element, outer: Context): Context {
    const { attributes, name } = element
    const vocab = attributes.get("vocab")?.trim() ?? outer.vocab
    const prefixes = prefixesOf(attributes.get("prefix"), outer.prefixes)
    const context = vocab === outer.vocab && prefixes === outer.prefixes ? outer : { ...outer, vocab, prefixes }
    if (!relevant.some((attribute) => attributes.has(attribute))) return context

    const names = tokens(attributes.get("property")).map(shortName)
    const relations = this.relations(element, names.length > 0, vocab)
    const types = attributes.get("typeof")
    const content = attributes.get("content")
    const about = this.reference(element, "about", prefixes) ?? (name === "html" ? this.self : undefined)
    const resource = (): Node | undefined =>
      this.reference(element, "resource", prefixes) ?? this.reference(element, "href") ?? this.reference(element, "src")
    let { object: subject } = context
    let object: Node | undefined
    let typed: Node | undefined
    /** The node that stands in the element, as the value of its properties. */
    let inner: Node | undefined
    let isSilent = false
    if (relations.length > 0) {
      subject = about ?? subject
      object = resource() ?? (types !== undefined && about === undefined ? this.blank(element) : undefined)
      typed = about ?? object
    } else if (names.length > 0 && content === undefined && !attributes.has("datatype")) {
      subject = about ?? subject
      if (types !== undefined) typed = object = about ?? resource() ?? this.blank(element)
      if (about === undefined) inner = object
    } else {
      const own = about ?? resource() ?? (name === "head" || name === "body" ? subject : undefined)
      isSilent = own === undefined && types === undefined && names.length === 0
      subject = own ?? (types === undefined ? subject : this.blank(element))
      typed = subject
    }
    if (types !== undefined && typed !== undefined) for (const type of tokens(types)) typed.types.add(shortName(type))
    if (!isSilent) for (const waiting of outer.waiting) this.relate(context.subject, waiting, subject)
    if (object !== undefined) for (const relation of relations) this.relate(subject, relation, object)
    for (const property of names) {
      const value = inner ?? this.value(element, property, relations.length > 0)
      this.say(subject, { name: property, element, object: value })
    }
    if (isSilent) return context
    const waiting = object === undefined ? relations : []
    return { ...context, subject, object: object ?? (waiting.length > 0 ? this.blank(element) : subject), waiting }
  }

  /** Relations; one without a prefix is a relation of HTML, unless a vocabulary is named. */
  private relations(element: Element, hasProperty: boolean, vocab: string): ReadonlyArray<Relation> {
    const { attributes } = element
    const of = (attribute: string, isReverse: boolean): ReadonlyArray<Relation> =>
      tokens(attributes.get(attribute))
        .filter(
          (token) =>
            token.includes(":") ||
            (!hasProperty && (token === "license" || (vocab !== "" && !html.has(token.toLowerCase()))))
        )
        .map((token) => ({ name: token === "rdf:type" ? token : shortName(token), isReverse, element }))
    const found = attributes.has("rel") ? of("rel", false) : []
    return attributes.has("rev") ? [...found, ...of("rev", true)] : found
  }

  private relate(subject: Node, { name, isReverse, element }: Relation, object: Node): void {
    this.say(isReverse ? object : subject, { name, element, object: isReverse ? subject : object })
  }

  private say(subject: Node, statement: Statement): void {
    const { name, object } = statement
    if (name === "rdf:type") {
      if ("statements" in object) subject.types.add(shortName(object.id))
      return
    }
    const triple = `${name} ${"statements" in object ? object.id : JSON.stringify(object.data)}`
    if (name === "" || subject.statementKeys.has(triple) || !this.room.take()) return
    subject.statementKeys.add(triple)
    subject.statements.push(statement)
  }

  private value(element: Element, name: string, isText: boolean): Value | Node {
    const { page } = this
    const { attributes } = element
    const path = name
    const content = attributes.get("content") ?? attributes.get("datetime")
    if (content !== undefined) {
      const data = content.trim()
      const href = isAddressName(name) && isRelative(data) ? page.resolve(data) : undefined
      return page.attribute("rdfa", data, element, path, href)
    }
    const address =
      isText || attributes.has("datatype") ? undefined : addressed.find((attribute) => attributes.has(attribute))
    const text = (): string => contentOf(element, maxText)
    if (address === undefined) {
      const written = element.name === "data" || element.name === "meter" ? attributes.get("value") : undefined
      if (written !== undefined) return page.attribute("rdfa", written, element, path)
      return page.value("rdfa", text(), element, path)
    }
    const node = this.reference(element, address)
    if (node === undefined) return page.value("rdfa", text(), element, path)
    if (element.name === "a" && !isAddressName(name) && !node.id.startsWith("_:")) {
      const shown = text()
      if (shown !== "") return page.value("rdfa", shown, element, path, node.id)
    }
    return node
  }

  private reference(
    element: Element,
    attribute: string,
    prefixes: ReadonlyMap<string, string> = none
  ): Node | undefined {
    const written = element.attributes.get(attribute)?.trim()
    if (written === undefined || (attribute !== "href" && attribute !== "src" && /^\[\s*\]$/.test(written)))
      return undefined
    const curie = written.replace(/^\[(.*)\]$/s, "$1")
    if (curie.startsWith("_:")) return this.node(curie, element)
    const colon = curie.indexOf(":")
    const prefix =
      colon > 0 && !curie.startsWith("//", colon + 1) ? prefixes.get(curie.slice(0, colon).toLowerCase()) : undefined
    const address = prefix === undefined ? curie : prefix + curie.slice(colon + 1)
    return this.node(this.page.resolve(address) ?? address, element)
  }

  private node(id: string, element: Element): Node {
    const known = this.nodes.get(id)
    if (known !== undefined) return known
    const made: Node = { id, types: new Set(), statementKeys: new Set(), statements: [], element }
    this.nodes.set(id, made)
    return made
  }

  private blank(element: Element): Node {
    return this.node(`_:element ${element.from} ${this.nodes.size}`, element)
  }
}

const none: ReadonlyMap<string, string> = new Map()

const relevant = ["property", "typeof", "about", "resource", "rel", "rev", "href", "src"]
const addressed = ["resource", "href", "src"]

const prefixesOf = (written: string | undefined, outer: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  if (written === undefined) return outer
  const prefixes = new Map(outer)
  const words = tokens(written)
  for (let i = 0; i + 1 < words.length; i += 2)
    prefixes.set((words[i] ?? "").replace(/:$/, "").toLowerCase(), words[i + 1] ?? "")
  return prefixes
}

/** Relations of HTML that say nothing of a thing. */
const html = new Set(
  (
    "alternate archives appendix bookmark canonical chapter contents copyright dns-prefetch external first glossary help icon " +
    "index last manifest modulepreload next nofollow noopener noreferrer opener pingback preconnect prefetch preload prev " +
    "search section shortcut start stylesheet subsection tag top up"
  ).split(" ")
)
