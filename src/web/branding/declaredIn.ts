/** Name and logo of the organization that a page declares in JSON-LD. */
import { type Element, elements } from "#page/Dom"

interface Declared {
  readonly name: string | undefined
  readonly logo: string | undefined
}

export const declaredIn = (root: Element): Declared => {
  const blocks = elements(root, maxElements).filter(
    ({ attributes, name }) => name === "script" && /^application\/ld\+json\b/i.test(attributes.get("type") ?? "")
  )
  const found: { name?: string; logo?: string } = {}
  for (const { children } of blocks.slice(0, maxBlocks)) {
    const text = children.map((child) => (child._tag === "Text" ? child.text : "")).join("")
    if (text.length > maxText) continue
    for (const node of nodesOf(text)) {
      const { "@type": type, logo, name } = node
      if (!isOrganization(type)) continue
      if (typeof name === "string") found.name ??= name.trim().slice(0, 200)
      const address = typeof logo === "string" ? logo : isNode(logo) ? (logo["url"] ?? logo["contentUrl"]) : undefined
      if (typeof address === "string") found.logo ??= address
    }
  }
  return { name: found.name, logo: found.logo }
}

const maxElements = 100_000
const maxBlocks = 50
const maxText = 1_000_000
const maxNodes = 5000

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

const isOrganization = (type: unknown): boolean =>
  [type]
    .flat()
    .some((name) => typeof name === "string" && /(?:Organization|Corporation|LocalBusiness|Store|Brand)$/.test(name))

/** The objects of a block, nested ones included. */
const nodesOf = (text: string): ReadonlyArray<Node> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  const nodes: Array<Node> = []
  const waiting: Array<unknown> = [value]
  while (waiting.length > 0 && nodes.length < maxNodes) {
    const next = waiting.shift()
    const list: ReadonlyArray<unknown> = Array.isArray(next) ? next : []
    if (list.length > 0) waiting.push(...list.slice(0, maxNodes))
    else if (isNode(next)) {
      nodes.push(next)
      for (const part of Object.values(next)) if (typeof part === "object") waiting.push(part)
    }
  }
  return nodes
}
