/**
 * The TypeScript that pages show, as files that `npm run check` compiles: `test/docs/blocks/PAGE-N.ts`.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { blocksOf } from "./blocks.ts"
import { pages } from "./Examples.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The files by their names. */
export const typeScriptBlocks = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pages().flatMap((file) => {
      const name = file.slice(root.length).replace(/\.md$/, "").replaceAll("/", "-")
      return blocksOf(readFileSync(file, "utf8"))
        .filter(({ language }) => language === "ts")
        .map(({ text }, index) => [
          `${name}-${index + 1}.ts`,
          `// Copied by \`npm run docs\` from ${file.slice(root.length)}. Do not edit.\n${importsOfSources(text, "../../..")}`
        ])
    })
  )

/** A program that imports the package, importing the sources below a folder in its place. */
export const importsOfSources = (text: string, from: string): string =>
  text
    .replaceAll(/from "millrace\/connectors\/(\w+)"/g, `from "${join(from, "connectors")}/$1/index.ts"`)
    .replaceAll('from "millrace/api"', `from "${join(from, "src")}/contract/index.ts"`)
    .replaceAll('from "millrace/client"', `from "${join(from, "src")}/contract/client.ts"`)
    .replaceAll(/from "millrace\/(service|testing)"/g, `from "${join(from, "src")}/$1/index.ts"`)
    .replaceAll('from "millrace"', `from "${join(from, "src")}/index.ts"`)
