/**
 * The public surface: every name that an entry of the package exports, with its declaration and its comment. TypeScript reads
 * the sources, so that a change of the surface is a change of a page in review.
 */
import { join } from "node:path"
import type { ClassDeclaration, Node, SourceFile, VariableDeclaration } from "typescript/unstable/ast"
import { isClassDeclaration, isFunctionDeclaration, isVariableDeclaration } from "typescript/unstable/ast/is"
import { API, NodeBuilderFlags, type Project, SignatureKind, type Symbol, SymbolFlags } from "typescript/unstable/sync"
import { type DocComment, docComment } from "./docComment.ts"
import { publicEntries, root } from "./publicEntries.ts"

export interface Entry {
  /** "millrace/client". */
  readonly name: string
  readonly file: string
  readonly text: string
  /** The names that it exports itself. */
  readonly own: ReadonlyArray<Exported>
  readonly namespaces: ReadonlyArray<Namespace>
}

export interface Namespace {
  readonly name: string
  readonly file: string
  readonly text: string
  readonly names: ReadonlyArray<Exported>
}

export interface Exported extends Omit<DocComment, "internal"> {
  readonly name: string
  /** "function", "value", "class", "type"; a schema and its type are "value and type". */
  readonly kind: string
  readonly declarations: ReadonlyArray<string>
}

export const readSurface = (): ReadonlyArray<Entry> => {
  // The project of this repository, with the entries and what they import as its only files. It stands in no file.
  const config = join(root, "tsconfig.surface.json")
  const text = JSON.stringify({ extends: "./tsconfig.json", include: [], files: Object.values(publicEntries) })
  const api = new API({
    cwd: root,
    fs: {
      readFile: (file) => (file === config ? text : undefined),
      fileExists: (file) => (file === config ? true : undefined)
    }
  })
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error("TypeScript did not open the sources")
    return Object.entries(publicEntries).map(([name, file]) => entryOf(project, name, file))
  } finally {
    api.close()
  }
}

const entryOf = (project: Project, name: string, file: string): Entry => {
  const source = project.program.getSourceFile(join(root, file))
  const module = source && project.checker.getSymbolAtLocation(source)
  if (source === undefined || module === undefined) throw new Error(`${file} is not a module`)
  const own: Array<Exported> = []
  const namespaces: Array<Namespace> = []
  for (const exported of exportsOf(project, module)) {
    if ((exported.target.flags & SymbolFlags.ValueModule) === 0) own.push(...exportedOf(project, exported))
    else namespaces.push(namespaceOf(project, exported))
  }
  return { name, file, text: headerOf(source), own, namespaces }
}

interface Named {
  readonly name: string
  readonly target: Symbol
}

const exportsOf = (project: Project, module: Symbol): ReadonlyArray<Named> =>
  project.checker
    .getExportsOfModule(module)
    .map((symbol) => ({
      name: symbol.name,
      target: (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : project.checker.getAliasedSymbol(symbol)
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))

const namespaceOf = (project: Project, { name, target }: Named): Namespace => {
  const source = target.declarations[0]?.resolve(project)?.getSourceFile()
  if (source === undefined) throw new Error(`${name} has no file`)
  return {
    name,
    file: source.fileName.slice(root.length),
    text: headerOf(source),
    names: exportsOf(project, target).flatMap((one) => exportedOf(project, one))
  }
}

/** None for what is internal. */
const exportedOf = (project: Project, { name, target }: Named): ReadonlyArray<Exported> => {
  const nodes = target.declarations.flatMap((declaration) => declaration.resolve(project) ?? [])
  const comments = nodes.map((node) => docComment(commentAbove(node)))
  if (comments.some(({ internal }) => internal)) return []
  return [
    {
      name,
      kind: kindsOf(project, target).join(" and "),
      declarations: nodes.map((node) => renamed(declarationText(project, target, node), target.name, name)),
      text: comments.flatMap(({ text }) => text || []).join("\n\n"),
      examples: comments.flatMap(({ examples }) => examples),
      sees: comments.flatMap(({ sees }) => sees)
    }
  ]
}

/** `export { mappedSource as mapped }`: users write the second name. */
const renamed = (declaration: string, from: string, to: string): string =>
  from === to ? declaration : declaration.replace(new RegExp(`\\b${from}\\b`), to)

const commentAbove = (node: Node): string => {
  const statement = isVariableDeclaration(node) ? node.parent.parent : node
  return statement.getSourceFile().text.slice(statement.pos, statement.getStart())
}

const kindsOf = (project: Project, symbol: Symbol): ReadonlyArray<string> => {
  if ((symbol.flags & SymbolFlags.Class) !== 0) return ["class"]
  const isValue = (symbol.flags & SymbolFlags.Value) !== 0
  const isType = (symbol.flags & SymbolFlags.Type) !== 0
  return [...(isValue ? [isCalled(project, symbol) ? "function" : "value"] : []), ...(isType ? ["type"] : [])]
}

const isCalled = (project: Project, symbol: Symbol): boolean => {
  const type = project.checker.getTypeOfSymbol(symbol)
  return type !== undefined && project.checker.getSignaturesOfType(type, SignatureKind.Call).length > 0
}

/** What the header of a file says of it. */
const headerOf = ({ text }: SourceFile): string => docComment(/^\s*\/\*\*[\s\S]*?\*\//.exec(text)?.[0] ?? "").text

/**
 * A declaration as its users see it: a type and a schema as the source has them, the type of a function or another value as
 * TypeScript prints it, a class without the bodies of its methods.
 */
const declarationText = (project: Project, symbol: Symbol, node: Node): string => {
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
