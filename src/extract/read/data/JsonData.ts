/**
 * JSON, and JSON in lines, as things: an object is a thing, and the name that it has in another is its type.
 *
 * The path of a value is its JSON pointer in the answer. What is null is not there.
 */
import type { Property, Thing } from "../../Candidates.ts"
import type { Budget } from "../../page/Budget.ts"
import { thing, valueOf } from "../../page/Page.ts"
import { JsonParser, type Node, type ObjectNode } from "../declared/JsonParser.ts"

/** Undefined if the text is not valid JSON. Broken JSON is not repaired: it may be another kind of text. */
export const read = (text: string, room: Budget): ReadonlyArray<Thing> | undefined => {
  if (!/^\ufeff?\s*[{[]/.test(text)) return undefined
  const parser = new JsonParser(text, 0, false)
  const nodes = parser.all()
  if (parser.failed) return undefined
  const [only, second] = nodes
  const root: Node | undefined =
    second === undefined || only === undefined ? only : { _tag: "List", items: nodes, from: only.from, to: text.length }
  return root === undefined ? undefined : itemsOf(root, "").flatMap((item) => objectAt(item, room))
}

interface Placed {
  readonly node: Node
  readonly path: string
  /** Whether it is one of a list. */
  readonly isItem: boolean
}

/** The node, or what is in its lists. */
const itemsOf = (node: Node, path: string, isItem = false): ReadonlyArray<Placed> =>
  node._tag === "List" ? node.items.flatMap((item, i) => itemsOf(item, `${path}/${i}`, true)) : [{ node, path, isItem }]

const objectAt = ({ isItem, node, path }: Placed, room: Budget): ReadonlyArray<Thing> => {
  const made = node._tag === "Object" ? objectOf(node, isItem ? ["item"] : [], { path, isItem }, room) : undefined
  return made === undefined ? [] : [made]
}

/** Undefined: one of a list, of which the budget takes only a part. It would lack values that the answer has. */
const objectOf = (
  { entries, from, to }: ObjectNode,
  types: ReadonlyArray<string>,
  { isItem, path }: Omit<Placed, "node">,
  room: Budget
): Thing | undefined => {
  const made = thing({ kind: "data", path, span: [from, to] }, types)
  for (const [name, value] of entries) {
    const pointer = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
    for (const item of itemsOf(value, pointer)) {
      if (room.isFull) return isItem ? undefined : made
      const statement = saidBy(item, name, room)
      if (statement !== undefined) made.properties.push({ name, value: statement })
    }
  }
  return made
}

const saidBy = ({ isItem, node, path }: Placed, name: string, room: Budget): Property["value"] | undefined => {
  if (node._tag === "Object") return objectOf(node, [name], { path, isItem }, room)
  if (node._tag === "List" || node.data === null || node.data === "" || !room.take()) return undefined
  return valueOf(node.data, { kind: "data", path, span: [node.from, node.to] })
}
