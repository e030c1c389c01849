/** The index of the public surface: each entry of the package, with links to the names that it exports. */
import { addressOf, anchorOf } from "./apiAddress.ts"
import { page, table } from "./markdown.ts"
import type { Entry, Exported } from "./PublicSurface.ts"

export const libraryPage = (surface: ReadonlyArray<Entry>): string => {
  const sections = surface.map(({ file, name, namespaces, own }) => {
    const rows = [
      ...(own.length === 0 ? [] : [["", shown(name, undefined, own)]]),
      ...namespaces.map((one) => [`[${one.name}](api/${addressOf(name, one.name)})`, shown(name, one.name, one.names)])
    ]
    const whole = `[${name}](api/${addressOf(name)})`
    return `## ${name}\n\n${whole}, from \`${file}\`.\n\n${table(["namespace", "names"], rows)}`
  })
  const origin = "What each entry of the package exports. [Library](../library.md) says how to use it."
  return page("Library: every name", origin, sections)
}

const shown = (entry: string, namespace: string | undefined, all: ReadonlyArray<Exported>): string =>
  all
    .map((exported) => {
      const anchor = anchorOf(namespace === undefined ? { exported } : { namespace, exported })
      return `[${exported.name}](api/${addressOf(entry, namespace)}#${anchor})`
    })
    .join(", ")
