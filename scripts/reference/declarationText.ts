/**
 * A declaration as its users see it: a type and a schema as the source has them, the type of a function or another value as
 * TypeScript prints it, a class without the bodies of its methods.
 */
import type { ClassDeclaration, Node, VariableDeclaration } from "typescript/unstable/ast"
import { isClassDeclaration, isFunctionDeclaration, isVariableDeclaration } from "typescript/unstable/ast/is"
import { NodeBuilderFlags, type Project, type Symbol } from "typescript/unstable/sync"

export const declarationText = (project: Project, symbol: Symbol, node: Node): string => {
  if (isClassDeclaration(node)) return classText(node)
  if (isVariableDeclaration(node)) {
    return isSchema(node) ? `const ${node.getText()}` : `const ${symbol.name}: ${printed(project, symbol, node)}`
  }
  if (isFunctionDeclaration(node))
    return node.body === undefined ? node.getText() : `function ${symbol.name}: ${printed(project, symbol, node)}`
  return node.getText().replace(/^export /, "")
}

/** The type of a schema repeats its source in more words. */
const isSchema = ({ initializer, type }: VariableDeclaration): boolean =>
  type === undefined && /^Schema\s*\./.test(initializer?.getText() ?? "")

const printed = (project: Project, symbol: Symbol, node: Node): string => {
  const type = project.checker.getTypeOfSymbol(symbol)
  const tree = type && project.checker.typeToTypeNode(type, node, NodeBuilderFlags.NoTruncation)
  if (tree === undefined) throw new Error(`TypeScript has no type of ${symbol.name}`)
  return shortened(project.emitter.printNode(tree))
}

/** A type of a file that the declaration does not import has the path of that file; its name says enough. */
const shortened = (type: string): string =>
  type
    .replaceAll(/import\("(?:[^"/]*\/)*([^"/.]+)(?:\.d)?(?:\.[cm]?ts)?"\)\.(\w+)/g, (_, file: string, name: string) =>
      file === name || /^[a-z]/.test(file) ? name : `${file}.${name}`
    )
    .replaceAll(/^ +/gm, (indent) => " ".repeat(indent.length / 2))
    .replaceAll(/;$/gm, "")

const classText = (node: ClassDeclaration): string => {
  const source = node.getSourceFile().text
  const bodies = node.members.flatMap((member) => {
    const body = "body" in member ? member.body : undefined
    return typeof body === "object" && body !== null ? [body as Node] : []
  })
  let text = ""
  let at = node.getStart()
  for (const body of bodies) {
    text += source.slice(at, body.getStart()).trimEnd()
    at = body.end
  }
  return `${text}${source.slice(at, node.end)}`.replace(/^export /, "")
}
