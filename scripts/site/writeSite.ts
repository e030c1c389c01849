/**
 * Writes the site: a page of HTML for each page of Markdown that a reader is led to, the pictures, and the files that pages
 * link to.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type Source, sitePage } from "./sitePage.ts"
import { style } from "./style.ts"

/** Empties `folder` first. */
export const writeSite = async (root: string, folder: string): Promise<{ readonly pages: number }> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const sources = await Promise.all(
    (await namesOf(root)).map(
      async (name): Promise<Source> => ({ name, text: await readFile(join(root, name), "utf8") })
    )
  )
  const others = new Set<string>()
  for (const source of sources) await put(join(folder, addressOf(source.name)), sitePage(source, sources, others))
  await put(join(folder, "style.css"), style)
  for (const other of others) await cp(join(root, other), join(folder, other), { recursive: true })
  return { pages: sources.length }
}

/** Where a page of Markdown is on the site: the README of a folder is its index. */
export const addressOf = (name: string): string =>
  name.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html")

const namesOf = async (root: string): Promise<ReadonlyArray<string>> => {
  const below = async (folder: string) =>
    (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name))
  const examples = (await below("examples")).filter((name) => /^examples\/[^/]+\/README\.md$/.test(name))
  const docs = (await below("docs")).filter((name) => name.endsWith(".md"))
  return [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "AGENTS.md",
    "bench/README.md",
    ...docs.sort(),
    ...examples.sort()
  ]
}

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
