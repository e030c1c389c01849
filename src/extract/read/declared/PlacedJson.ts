/**
 * JSON as pages hold it, with the place of every value.
 *
 * Valid JSON is read as JSON. Broken JSON is repaired only if its meaning is plain: comments, CDATA and HTML comments
 * around it, too many or too few commas, raw line ends and quotes in texts, names without quotes, a missing end, several
 * documents in a row. Unclear parts are left out. Each character is read once, with a limited look ahead.
 */
import { decodeHTML } from "entities/decode"
import type { Node } from "./JsonNode.ts"
import { JsonParser } from "./JsonParser.ts"

/** The documents in a text that begins at `offset`. */
export const documents = (text: string, offset: number): ReadonlyArray<Node> => {
  const strict = new JsonParser(text, offset, false)
  const read = strict.all()
  if (!strict.failed) return read
  // References stand for the quotes: the text went through something that writes HTML.
  if (!text.includes('"') && text.includes("&quot;")) {
    const decoded = documents(decodeHTML(text).replaceAll("&quot;", "'"), 0)
    return decoded.map((node) => moved(node, offset, offset + text.length))
  }
  return new JsonParser(text, offset, true).all()
}

/** All of a text that was decoded stands where the text stands. */
const moved = (node: Node, from: number, to: number): Node => {
  if (node._tag === "Object") {
    return { ...node, from, to, entries: node.entries.map(([name, value]) => [name, moved(value, from, to)]) }
  }
  return node._tag === "List"
    ? { ...node, from, to, items: node.items.map((item) => moved(item, from, to)) }
    : { ...node, from, to }
}
