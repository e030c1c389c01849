/**
 * The style of an element that a plain selector names (`body`, `h1`, `.btn-primary`), by the style sheets of its page.
 *
 * Custom properties are resolved. More specific rules are ignored: whether they apply is known only when the page is
 * rendered.
 */
import type { Rule } from "./css.ts"

export interface Style {
  /** The value of this property for the first of these selectors that has it; of several rules, the last counts. */
  readonly of: (selectors: ReadonlyArray<string>, property: string) => string | undefined
  /** The first colour among these properties. */
  readonly colorOf: (selectors: ReadonlyArray<string>, ...properties: ReadonlyArray<string>) => string | undefined
  /** Custom properties of the whole page that are colours, by name. */
  readonly namedColors: ReadonlyMap<string, string>
  /** Font families in the order of the sheets, once each. */
  readonly families: ReadonlyArray<string>
}

export const ofRules = (rules: ReadonlyArray<Rule>): Style => {
  const bySelector = new Map<string, Map<string, string>>()
  const variables = new Map<string, string>()
  const families = new Set<string>()
  for (const { declarations, selectors } of rules) {
    for (const selector of selectors) {
      const known = bySelector.get(selector) ?? new Map<string, string>()
      bySelector.set(selector, known)
      for (const [name, value] of declarations) {
        known.set(name, value)
        if (name.startsWith("--") && wholePage.has(selector) && variables.size < maxVariables)
          variables.set(name, value)
      }
    }
  }
  const resolved = (value: string) => resolve(value, variables, maxDepth)
  for (const { declarations } of rules) {
    for (const family of stackOf(resolved(declarations.get("font-family") ?? ""))) {
      if (families.size < maxFamilies && !generic.test(family)) families.add(family)
    }
  }
  const of = (selectors: ReadonlyArray<string>, property: string): string | undefined => {
    const found = selectors.flatMap((selector) => bySelector.get(selector)?.get(property) ?? []).at(0)
    const value = found === undefined ? "" : resolved(found)
    return value === "" || value.includes("var(") ? undefined : value
  }
  return {
    of,
    colorOf: (selectors, ...properties) =>
      properties.flatMap((property) => colorIn(of(selectors, property) ?? "") ?? []).at(0),
    namedColors: new Map(
      Array.from(variables, ([name, value]) => [name, resolved(value)] as const).filter(
        ([, value]) => colorIn(value) === value
      )
    ),
    families: [...families]
  }
}

/** The families of a `font-family` value. */
export const stackOf = (value: string): ReadonlyArray<string> =>
  value
    .split(",")
    .map((family) => family.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .filter(
      (family) => family !== "" && family.length <= 100 && !/^(?:inherit|initial|unset|revert|var\()/i.test(family)
    )

export const generic =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|math|emoji|-apple-system|blinkmacsystemfont)$/i

/**
 * The first colour in a value; undefined: it has none, or a keyword that is not a colour by itself, such as `inherit`.
 */
export const colorIn = (value: string): string | undefined => {
  const [found] =
    /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([^()]{1,80}\)|(?<![\w-])[a-z]{3,20}(?![\w(-])/i.exec(
      value
    ) ?? []
  if (found === undefined || /^[a-z]+$/i.test(found)) {
    const name = found?.toLowerCase() ?? ""
    return names.has(name) ? name : undefined
  }
  return found
}

const wholePage = new Set([":root", "html", "body", ":host", "*"])
const maxVariables = 2000
const maxFamilies = 20
const maxDepth = 8

const resolve = (value: string, variables: ReadonlyMap<string, string>, depth: number): string =>
  depth === 0 || !value.includes("var(")
    ? value
    : resolve(
        value
          .slice(0, 2000)
          .replaceAll(/var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g, (whole, name: string, other: string) => {
            return variables.get(name) ?? other?.trim() ?? whole.replace("var(", "unknown(")
          }),
        variables,
        depth - 1
      ).replaceAll("unknown(", "var(")

/** Names that pages use for colours. */
const names = new Set(
  (
    "black white red green blue yellow orange purple pink brown gray grey navy teal maroon olive silver lime aqua fuchsia cyan magenta " +
    "gold coral salmon crimson tomato indigo violet orchid plum khaki beige ivory lavender turquoise chocolate sienna tan snow " +
    "whitesmoke ghostwhite gainsboro lightgray lightgrey darkgray darkgrey dimgray dimgrey slategray darkslategray steelblue " +
    "royalblue dodgerblue cornflowerblue skyblue lightblue midnightblue darkblue mediumblue darkgreen forestgreen seagreen limegreen " +
    "darkred firebrick darkorange orangered hotpink deeppink rebeccapurple darkviolet"
  ).split(" ")
)
