/**
 * A part of an XML file as a tree, and how to ask it for what it holds.
 *
 * A tree is one section, heading or head of a file, never a whole file; its text is the text of the file, with its white
 * space.
 */

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<Element | string>
  /** The line where it begins, from 1. */
  readonly line: number
}

export const isElement = (node: Element | string): node is Element => typeof node !== "string"

export const elements = (parent: Element | undefined): ReadonlyArray<Element> =>
  parent?.children.filter(isElement) ?? []

/** The first child of that name. */
export const child = (parent: Element | undefined, ...names: ReadonlyArray<string>): Element | undefined =>
  elements(parent).find(({ name }) => names.includes(name))

export const childrenOf = (parent: Element | undefined, ...names: ReadonlyArray<string>): ReadonlyArray<Element> =>
  elements(parent).filter(({ name }) => names.includes(name))

/** The first of that name at any depth, itself included. */
export const find = (root: Element | undefined, name: string): Element | undefined => {
  if (root === undefined || root.name === name) return root
  for (const next of elements(root)) {
    const found = find(next, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** All elements of these names at any depth, in order, but not those inside another one that was found. */
export const findAll = (root: Element | undefined, ...names: ReadonlyArray<string>): ReadonlyArray<Element> =>
  elements(root).flatMap((next) => (names.includes(next.name) ? [next] : findAll(next, ...names)))

/** All text in it, with one space for each run of white space, and none at the ends. */
export const textOf = (node: Element | string | undefined, except: ReadonlySet<string> = nothing): string =>
  tidy(rawText(node, except))

export const tidy = (text: string): string => text.replaceAll(softHyphens, "").replaceAll(blanks, " ").trim()

const rawText = (node: Element | string | undefined, except: ReadonlySet<string>): string => {
  if (node === undefined) return ""
  if (typeof node === "string") return node
  let text = ""
  for (const next of node.children) {
    if (typeof next === "string") text += next
    else if (!except.has(next.name)) text += rawText(next, except)
  }
  return text
}

const nothing: ReadonlySet<string> = new Set()
const softHyphens = /[\u00ad\u200b\ufeff]/g
const blanks = /[\s\u00a0\u2000-\u200a\u202f\u3000]+/g
