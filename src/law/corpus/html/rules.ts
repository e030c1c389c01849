/** What the elements of HTML are in the text of a law. */
import type { Rules } from "../plain.ts"
import type { Element } from "../Xml.ts"

export const rules: Rules = {
  inline: new Set(
    (
      "a abbr acronym b big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup " +
      "time tt u var wbr"
    ).split(" ")
  ),
  numbers: new Set(),
  headings: new Set(),
  rows: new Set(["tr"]),
  cells: new Set(["td", "th"]),
  lead: ({ name, attributes: { [marker]: number } }) => (name === "li" ? number : undefined),
  dropped: ({ name }) => unread.has(name),
  notes: () => false
}

const marker = "data-number"

/** The tree with the numbers of ordered lists written down, as a browser shows them. */
export const counted = (node: Element | string): Element | string => {
  if (typeof node === "string") return node
  let number = Number.parseInt(node.attributes.start ?? "1", 10) || 1
  const children = node.children.map((child) => {
    const inner = counted(child)
    if (node.name !== "ol" || typeof inner === "string" || inner.name !== "li") return inner
    const own = `${numeral(number++, node.attributes.type)}.`
    return { ...inner, attributes: { ...inner.attributes, [marker]: own } }
  })
  return { ...node, children }
}

const numeral = (number: number, type = "1"): string => {
  if (type === "a" || type === "A") {
    const letters = String.fromCharCode(97 + ((number - 1) % 26)).repeat(1 + Math.floor((number - 1) / 26))
    return type === "a" ? letters : letters.toUpperCase()
  }
  if (type !== "i" && type !== "I") return String(number)
  const roman = romans.reduce(
    ({ left, text }, [value, sign]) => {
      const times = Math.min(Math.floor(left / value), 4)
      return { left: left - times * value, text: text + sign.repeat(times) }
    },
    { left: number, text: "" }
  ).text
  return type === "i" ? roman : roman.toUpperCase()
}

const romans: ReadonlyArray<readonly [number, string]> = [
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"]
]

/** What is of the page and not of the law. */
export const unread: ReadonlySet<string> = new Set(
  "script style noscript template nav footer form aside button select iframe svg img object".split(" ")
)
