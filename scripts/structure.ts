/**
 * The structure of `src` and `connectors` as figures of their import lines: rooms, arrows between them, floors, circles.
 *
 *     node scripts/structure.ts
 *
 * A room is what AGENTS.md calls one: a folder of `src` or `connectors`. An arrow goes from a room to one that it imports. The
 * floors are the rooms of the longest way along arrows. A circle is a group of files, or of folders, each of which imports
 * the others by some way. `test/houseLaw.test.ts` judges the same import lines.
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

/** The file that a relative import names. */
export const importedFile = (file: string, specifier: string): string =>
  relative(root, resolve(root, dirname(file), specifier))

export const roomOf = (file: string): string => file.split("/").slice(0, 2).join("/")

/** Groups of files that import each other in a circle, each group in the order of the alphabet. */
export const circlesOfFiles = (): ReadonlyArray<ReadonlyArray<string>> => circles(fileGraph(sourceFiles()))

/** The figures, as lines of text. */
export const figures = (): string => {
  const files = sourceFiles()
  const graph = fileGraph(files)
  const rooms = grouped(graph, roomOf)
  const folders = grouped(graph, dirname)
  const lines = files.map((file) => readFileSync(join(root, file), "utf8").split("\n").length - 1)
  return [
    `files: ${files.length}, under 40 lines: ${lines.filter((count) => count < 40).length}, over 250: ${lines.filter((count) => count > 250).length}`,
    `rooms: ${rooms.size}, floors: ${floors(rooms)}, arrows: ${arrows(rooms)}, circles: ${circles(rooms).length}`,
    `folders: ${folders.size}, floors: ${floors(folders)}, arrows: ${arrows(folders)}, circles: ${circles(folders).length}`,
    `circles of files: ${circles(graph).length}${circles(graph)
      .map((circle) => `\n  ${circle.join(", ")}`)
      .join("")}`
  ].join("\n")
}

const fileGraph = (files: ReadonlyArray<string>): Graph =>
  new Map(
    files.map((file) => [
      file,
      new Set(
        importsOf(file)
          .filter((specifier) => specifier.startsWith("."))
          .map((specifier) => importedFile(file, specifier))
      )
    ])
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
