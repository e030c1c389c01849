/**
 * The pages of `docs/reference/api`: each name of the public surface with its declaration, what its comment says, and its
 * example. The namespaces of `millrace` have a page each, every other entry has one.
 */
import { addressOf, type Heading, headingOf } from "./apiAddress.ts"
import { page } from "./markdown.ts"
import type { Entry } from "./PublicSurface.ts"

/** The pages by the names of their files. */
export const apiPages = (surface: ReadonlyArray<Entry>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    surface.flatMap((entry): ReadonlyArray<readonly [string, string]> => {
      const own = entry.own.map((one) => section({ exported: one }))
      if (entry.name !== "millrace") {
        const inside = entry.namespaces.flatMap(({ name, names, text }) => [
          `## ${name}\n\n${text}`,
          ...names.map((one) => section({ namespace: name, exported: one }))
        ])
        return [[addressOf(entry.name), page(entry.name, entry.text, [imported(entry.name, entry), ...own, ...inside])]]
      }
      return [
        [addressOf(entry.name), page(entry.name, entry.text, own)],
        ...entry.namespaces.map(({ name, names, text }): readonly [string, string] => [
          addressOf(entry.name, name),
          page(name, text, [
            `\`import { ${name} } from "millrace"\``,
            ...names.map((one) => section({ namespace: name, exported: one }))
          ])
        ])
      ]
    })
  )

const imported = (from: string, { namespaces, own }: Entry): string =>
  `\`import { ${[...namespaces, ...own]
    .slice(0, 3)
    .map(({ name }) => name)
    .join(", ")} } from "${from}"\``

const section = (heading: Heading): string => {
  const { declarations, examples, sees, text } = heading.exported
  return [
    `## ${headingOf(heading)}`,
    text,
    `\`\`\`ts\n${declarations.join("\n\n")}\n\`\`\``,
    ...examples.map((example) => `Example:\n\n${example}`),
    ...(sees.length === 0 ? [] : [`Source: ${sees.join("; ")}`])
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}
