/**
 * Writes the site: a page of HTML for each page of Markdown that a reader is led to, the first page, the search with its index, the
 * pictures, and the files that pages link to.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { rolldown } from "rolldown"
import { highlighter } from "./highlighter.ts"
import { landingPage } from "./landingPage.ts"
import { searchIndex } from "./searchIndex.ts"
import { anchorOf, type Source, sitePage } from "./sitePage.ts"
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
  const site = { sources, highlight: await highlighter(), others: new Set<string>() }
  const sourceOf = (name: string): Source => {
    const source = sources.find((one) => one.name === name)
    if (source === undefined) throw new Error(`${name} is not there, and the first page of the site shows it`)
    return source
  }
  for (const source of sources) await put(join(folder, addressOf(source.name)), sitePage(source, site))
  await put(join(folder, "index.html"), landingPage(sourceOf("README.md"), sourceOf("docs/three-ways.md"), site))
  await put(join(folder, "style.css"), style)
  await put(join(folder, "site.js"), await scriptOf("site"))
  const index = searchIndex(
    sources.map(({ name, text }) => ({ address: addressOf(name), text })),
    anchorOf
  )
  await put(join(folder, "search.js"), `globalThis.docsIndex=${index};\n${await scriptOf("search")}`)
  for (const other of site.others) await cp(join(root, other), join(folder, other), { recursive: true })
  return { pages: sources.length }
}

/** A script of the site as one file. It is no module: a browser loads modules of a server only, and a site may be a folder. */
const scriptOf = async (name: "search" | "site"): Promise<string> => {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "browser", `${name}.ts`),
    platform: "browser",
    logLevel: "warn"
  })
  const { output } = await bundle.generate({ format: "iife", minify: true, comments: false })
  await bundle.close()
  return output[0].code
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
