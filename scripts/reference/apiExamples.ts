/**
 * The examples of the public surface as programs, which `npm run check` compiles: `test/docs/api/PAGE.ts`. A block each keeps
 * their names apart; their imports stand above.
 */
import { addressOf } from "./apiAddress.ts"
import { blocksOf } from "./blocks.ts"
import type { Entry } from "./PublicSurface.ts"
import { importsOfSources } from "./typeScriptBlocks.ts"

/** The files by their names. */
export const apiExamples = (surface: ReadonlyArray<Entry>): Readonly<Record<string, string>> => {
  const examples = new Map<string, Array<string>>()
  for (const { name, namespaces, own, text } of surface) {
    const add = (page: string, some: ReadonlyArray<string>) =>
      examples.set(page, [...(examples.get(page) ?? []), ...some])
    add(addressOf(name), [text, ...own.flatMap(({ examples }) => examples)])
    for (const one of namespaces)
      add(addressOf(name, one.name), [one.text, ...one.names.flatMap(({ examples }) => examples)])
  }
  return Object.fromEntries(
    Array.from(examples, ([page, some]) => {
      const programs = some.flatMap((one) => blocksOf(one)).filter(({ language }) => language === "ts")
      return [
        page.replace(/\.md$/, ".ts"),
        programOf(
          page,
          programs.map(({ text }) => text)
        )
      ] as const
    }).filter(([, text]) => text !== undefined)
  ) as Readonly<Record<string, string>>
}

const programOf = (page: string, programs: ReadonlyArray<string>): string | undefined => {
  if (programs.length === 0) return undefined
  const imports = new Set(programs.flatMap((program) => program.match(importLine) ?? []))
  const bodies = programs.map(
    (program) =>
      `{\n${program
        .replaceAll(importLine, "")
        .trim()
        .replaceAll(/^(?=.)/gm, "  ")}\n}`
  )
  const note = `// Copied by \`npm run docs\` from docs/reference/api/${page}. Do not edit.`
  return importsOfSources(`${[note, ...merged(imports), "", ...bodies].join("\n")}\n`, "../../..")
}

const importLine = /^import .* from "[^"]+"\n/gm

/** Each name once, whatever number of examples import it; as a type where none needs its value. */
const merged = (lines: ReadonlySet<string>): ReadonlyArray<string> => {
  const named = new Map<string, Set<string>>()
  const whole: Array<string> = []
  for (const line of lines) {
    const [, isType, list, from = ""] = /^import (type )?\{ (.*) \} from "([^"]+)"/.exec(line) ?? []
    if (list === undefined) whole.push(line.trim())
    else {
      const names = list.split(", ").map((name) => (isType === undefined ? name : `type ${name}`))
      named.set(from, new Set([...(named.get(from) ?? []), ...names]))
    }
  }
  const isNeeded = (name: string, names: ReadonlySet<string>) => !name.startsWith("type ") || !names.has(name.slice(5))
  return [
    ...whole.sort(),
    ...Array.from(named, ([from, names]) => {
      const needed = [...names].filter((name) => isNeeded(name, names)).sort()
      return `import { ${needed.join(", ")} } from "${from}"`
    })
  ]
}
