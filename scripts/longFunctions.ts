/**
 * The functions of `src` and `connectors` that are longer than a reader can hold: more than 80 lines, or more than 25 locals.
 *
 * Lines count from the first to the last of the function, with those of functions in it. Locals are its parameters and
 * variables, without those of functions in it.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseAst } from "rolldown/parseAst"
import { sourceFiles } from "./structure.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

export const mostLines = 80
export const mostLocals = 25

export interface LongFunction {
  /** The file and the name: "src/web/Crawler.ts run". */
  readonly name: string
  readonly lines: number
  readonly locals: number
}

/** A node of a syntax tree, as far as it is read here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly id?: Node | null
  readonly key?: Node
  readonly name?: string
  readonly params?: ReadonlyArray<Node>
}

export const longFunctions = (): ReadonlyArray<LongFunction> =>
  sourceFiles()
    .flatMap(longIn)
    .sort((a, b) => b.lines - a.lines)

const longIn = (file: string): ReadonlyArray<LongFunction> => {
  const text = readFileSync(join(root, file), "utf8")
  const found: Array<LongFunction> = []
  const visit = (node: Node, around: string): void => {
    const name = nameOf(node) ?? around
    if (functions.has(node.type)) {
      const lines = text.slice(node.start, node.end).split("\n").length
      const locals = (node.params?.length ?? 0) + variablesIn(node)
      if (lines > mostLines || locals > mostLocals) found.push({ name: `${file} ${name}`, lines, locals })
    }
    for (const child of childrenOf(node)) visit(child, name)
  }
  visit(parseAst(text, { lang: "ts" }), "")
  return found
}

const functions: ReadonlySet<string> = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])

const nameOf = ({ id, key }: Node): string | undefined => id?.name ?? key?.name

/** The names that a function declares, without those of functions in it. */
const variablesIn = (node: Node): number =>
  childrenOf(node).reduce((sum, child) => {
    if (functions.has(child.type)) return sum
    return sum + (child.type === "VariableDeclarator" && child.id != null ? namesIn(child.id) : 0) + variablesIn(child)
  }, 0)

/** How many names a pattern binds. */
const namesIn = (pattern: Node): number => {
  if (pattern.type === "Identifier") return 1
  if (pattern.type === "Property")
    return childrenOf(pattern)
      .slice(-1)
      .reduce((sum, value) => sum + namesIn(value), 0)
  const isPattern = /Pattern$|^RestElement$/.test(pattern.type)
  const parts = pattern.type === "AssignmentPattern" ? childrenOf(pattern).slice(0, 1) : childrenOf(pattern)
  return isPattern ? parts.reduce((sum, part) => sum + namesIn(part), 0) : 0
}

const childrenOf = (node: Node): ReadonlyArray<Node> =>
  Object.entries(node).flatMap(([name, value]: [string, unknown]) =>
    name === "typeAnnotation" ? [] : Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []
  )

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
