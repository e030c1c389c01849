/**
 * The structure of `src` and `connectors` as figures of their import lines: packages, arrows between them, floors, circles.
 *
 *     node scripts/structure.ts
 *
 * A package of the house is a folder of `src` or `connectors`. Its doors are the files at its root; its folders are private. An
 * arrow goes from a package to one that it imports. The floors are the packages of the longest way along arrows. A circle is a
 * group of files, or of folders, each of which imports the others by some way. `test/houseLaw.test.ts` judges the same import lines.
 */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Who imports whom: each name, and those that it imports. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Every source file, from the root of the checkout. */
export const sourceFiles = (): ReadonlyArray<string> =>
  ["src", "connectors"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file))
  )

/** What a file imports, as its lines say it. */
export const importsOf = (file: string): ReadonlyArray<string> =>
  [
    ...readFileSync(join(root, file), "utf8").matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^"'`;]*?from\s*"([^"]+)"|import\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g
    )
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? "")

/** The file that an import names: a relative one, or one of another package of the house. Undefined: a package of npm, or Node's. */
export const importedFile = (file: string, specifier: string): string | undefined => {
  if (specifier.startsWith("#connectors/")) return `${specifier.slice(1)}.ts`
  if (specifier.startsWith("#")) return `src/${specifier.slice(1)}.ts`
  return specifier.startsWith(".") ? relative(root, resolve(root, dirname(file), specifier)) : undefined
}

/** The package of the house that a file is of: `src/engine`, `connectors/duckdb`. */
export const packageOf = (file: string): string => file.split("/").slice(0, 2).join("/")

/** Whether other packages may import it: it stands at the root of its package. */
export const isDoor = (file: string): boolean => file.split("/").length <= 3

/** A private folder, or a file at the root of its package, which is a piece of its own. */
const pieceOf = (file: string): string => (isDoor(file) ? file : dirname(file))

/** Groups of files that import each other in a circle, each group in the order of the alphabet. */
export const circlesOfFiles = (): ReadonlyArray<ReadonlyArray<string>> => circles(fileGraph(sourceFiles()))

/** The same of folders. A file at the root of its package counts as a folder of its own, since it is a door. */
export const circlesOfFolders = (): ReadonlyArray<ReadonlyArray<string>> =>
  circles(grouped(fileGraph(sourceFiles()), pieceOf))

/** Imports of another package that go round its doors, as lines of text. */
export const importsRoundDoors = (): ReadonlyArray<string> =>
  [...fileGraph(sourceFiles())].flatMap(([file, imported]) =>
    [...imported].filter((to) => packageOf(to) !== packageOf(file) && !isDoor(to)).map((to) => `${file} imports ${to}`)
  )

/** The figures, as lines of text. */
export const figures = (): string => {
  const files = sourceFiles()
  const graph = fileGraph(files)
  const packages = grouped(graph, packageOf)
  const folders = grouped(graph, pieceOf)
  const lines = files.map((file) => readFileSync(join(root, file), "utf8").split("\n").length - 1)
  const median = lines.toSorted((a, b) => a - b)[Math.floor(lines.length / 2)]
  const inner = new Set(files.filter((file) => !isDoor(file)).map((file) => dirname(file)))
  return [
    `files: ${files.length}, median: ${median} lines, under 40: ${lines.filter((count) => count < 40).length}, over 250: ${lines.filter((count) => count > 250).length}`,
    `packages: ${packages.size}, floors: ${floors(packages)}, arrows: ${arrows(packages)}, circles: ${circles(packages).length}`,
    `private folders: ${inner.size}, doors: ${files.filter(isDoor).length}, imports that go round a door: ${importsRoundDoors().length}`,
    `circles of folders: ${circles(folders).length}${circles(folders)
      .map((circle) => `\n  ${circle.join(", ")}`)
      .join("")}`,
    `circles of files: ${circles(graph).length}${circles(graph)
      .map((circle) => `\n  ${circle.join(", ")}`)
      .join("")}`
  ].join("\n")
}

const fileGraph = (files: ReadonlyArray<string>): Graph =>
  new Map(
    files.map((file) => [file, new Set(importsOf(file).flatMap((specifier) => importedFile(file, specifier) ?? []))])
  )

/** The same for groups of files. Index files of the package import every room, so they do not count. */
const grouped = (graph: Graph, groupOf: (file: string) => string): Graph => {
  const groups = new Map<string, Set<string>>()
  for (const [file, imported] of graph) {
    if (isIndex(file)) continue
    const from = groupOf(file)
    const known = groups.get(from) ?? new Set<string>()
    for (const to of imported) if (groupOf(to) !== from && !isIndex(to)) known.add(groupOf(to))
    groups.set(from, known)
  }
  return groups
}

const isIndex = (file: string): boolean => file === "src/index.ts" || file === "connectors/index.ts"

const arrows = (graph: Graph): number => [...graph.values()].reduce((sum, { size }) => sum + size, 0)

/** How many names the longest way has, a circle counted as one name. */
const floors = (graph: Graph): number => {
  const circleOf = new Map(circles(graph).flatMap((circle) => circle.map((name) => [name, circle] as const)))
  const heights = new Map<string, number>()
  const height = (name: string): number => {
    const known = heights.get(name)
    if (known !== undefined) return known
    const circle = circleOf.get(name) ?? [name]
    const below = circle.flatMap((each) => [...(graph.get(each) ?? [])]).filter((each) => !circle.includes(each))
    const own = 1 + Math.max(0, ...below.map(height))
    for (const each of circle) heights.set(each, own)
    return own
  }
  return Math.max(0, ...[...graph.keys()].map(height))
}

/** The groups of names each of which reaches the others, by Tarjan's walk. */
const circles = (graph: Graph): ReadonlyArray<ReadonlyArray<string>> => {
  const numbers = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: Array<string> = []
  const found: Array<ReadonlyArray<string>> = []
  const visit = (name: string): number => {
    const number = numbers.size
    let low = number
    numbers.set(name, number)
    path.push(name)
    for (const next of graph.get(name) ?? []) {
      const seen = numbers.get(next)
      if (seen === undefined && graph.has(next)) low = Math.min(low, visit(next))
      else if (seen !== undefined && path.includes(next)) low = Math.min(low, lowest.get(next) ?? seen)
    }
    lowest.set(name, low)
    if (low === number) {
      const circle = path.splice(path.indexOf(name))
      if (circle.length > 1) found.push(circle.toSorted())
    }
    return low
  }
  for (const name of graph.keys()) if (!numbers.has(name)) visit(name)
  return found
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(figures())
