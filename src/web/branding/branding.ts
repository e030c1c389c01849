/**
 * How a page presents itself: its name, logo, icons, colours and fonts, from its markup and its style sheets.
 *
 * Nothing is guessed: what no tag and no rule says is left out. A colour is called primary only because the page calls
 * it so.
 */
import type { Branding } from "#contract/Branding"
import { type Element, elements, parse } from "#page/Dom"
import * as Css from "./css.ts"

/** Style sheets that a page links, as absolute addresses. */
export const sheetsOf = (root: Element, url: string): ReadonlyArray<URL> => [
  ...new Map(
    all(root, "link")
      .filter(({ attributes }) => isSheet(attributes))
      .flatMap(({ attributes }) => URL.parse(attributes.get("href") ?? "", baseOf(root, url)) ?? [])
      .filter(({ protocol }) => protocol === "http:" || protocol === "https:")
      .map((sheet) => [sheet.href, sheet] as const)
  ).values()
]

const isSheet = (attributes: Element["attributes"]): boolean =>
  /(?:^|\s)stylesheet(?:\s|$)/i.test(attributes.get("rel") ?? "") &&
  !/\balternate\b/i.test(attributes.get("rel") ?? "") &&
  /^(?:$|all\b|screen\b)/i.test((attributes.get("media") ?? "").trim())

/** The tree of the page, parsed for its branding alone. */
export const read = (html: string): Element => parse(html)

/** `sheets`: the texts of the sheets that could be fetched, in order. */
export const branding = (root: Element, url: string, sheets: ReadonlyArray<string>): Branding => {
  const base = baseOf(root, url)
  const address = (href: string | undefined) => (href === undefined ? undefined : URL.parse(href, base)?.href)
  const own = all(root, "style").map(({ children }) =>
    children.map((child) => (child._tag === "Text" ? child.text : "")).join("")
  )
  const style = styleOf([...sheets, ...own].flatMap(Css.read))
  const declared = declaredIn(root)
  const meta = metaOf(root)
  const logo = address(declared.logo ?? meta("og:logo") ?? logoImage(root))
  const colors = colorsOf(style, meta("theme-color"))
  const images = {
    logo,
    favicon: address(iconOf(root, /(?:^|\s)icon(?:\s|$)/i)),
    appleTouchIcon: address(iconOf(root, /apple-touch-icon/i)),
    ogImage: address(meta("og:image")),
    twitterImage: address(meta("twitter:image"))
  }
  return defined({
    colorScheme: schemeOf(meta("color-scheme") ?? style.of([":root", "html"], "color-scheme")),
    brandName: meta("og:site_name") ?? meta("application-name") ?? declared.name,
    logo,
    colors: Object.keys(colors).length === 0 ? undefined : colors,
    fonts: style.families.length === 0 ? undefined : style.families.map((family) => ({ family })),
    typography: some(typographyOf(style)),
    components: some({
      buttonPrimary: some(buttonOf(style, "primary")),
      buttonSecondary: some(buttonOf(style, "secondary"))
    }),
    images: some(images)
  })
}

const maxElements = 100_000

const all = (root: Element, name: string): ReadonlyArray<Element> =>
  elements(root, maxElements).filter((element) => element.name === name)

const baseOf = (root: Element, url: string): string => {
  const href = all(root, "base")[0]?.attributes.get("href")
  return (href === undefined ? undefined : URL.parse(href, url)?.href) ?? url
}

const metaOf = (root: Element) => {
  const contentByName = new Map<string, string>()
  for (const { attributes } of all(root, "meta")) {
    const name = (attributes.get("property") ?? attributes.get("name") ?? "").toLowerCase()
    const content = attributes.get("content")?.trim().slice(0, 2000) ?? ""
    if (content !== "" && !contentByName.has(name)) contentByName.set(name, content)
  }
  return (name: string): string | undefined => contentByName.get(name)
}

const iconOf = (root: Element, rel: RegExp): string | undefined =>
  all(root, "link")
    .find(({ attributes }) => rel.test(attributes.get("rel") ?? ""))
    ?.attributes.get("href")

/** The image that the page calls a logo; one in its header comes first. */
const logoImage = (root: Element): string | undefined => {
  const called = all(root, "img").filter(({ attributes }) =>
    ["class", "id", "alt", "src"].some((name) => /(?:^|[^a-z])logo(?:$|[^a-z])/i.test(attributes.get(name) ?? ""))
  )
  const isAtTop = (element: Element): boolean => {
    for (let at: Element | undefined = element; at !== undefined; at = at.parent) if (at.name === "header") return true
    return false
  }
  return (called.find(isAtTop) ?? called[0])?.attributes.get("src")
}

const schemeOf = (value: string | undefined): "light" | "dark" | undefined => {
  const [first, second] = (value ?? "").toLowerCase().replace("only", "").trim().split(/\s+/)
  return second === undefined && (first === "light" || first === "dark") ? first : undefined
}

const page = ["body", "html", ":root"]

const colorsOf = (style: Style, theme: string | undefined): Readonly<Record<string, string>> => {
  const named = new Map<string, string>()
  for (const [name, color] of style.namedColors) {
    const role = roleOf(name)
    if (role !== undefined && !named.has(role)) named.set(role, color)
  }
  const shown = {
    background: style.colorOf(page, "background-color", "background"),
    textPrimary: style.colorOf(page, "color"),
    link: style.colorOf(["a", "a:link"], "color"),
    themeColor: theme === undefined ? undefined : colorIn(theme)
  }
  return { ...Object.fromEntries(named), ...defined(shown) }
}

/** The name of a custom property, without parts that only say that it is a colour of this site. */
const roleOf = (name: string): string | undefined => {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_]+/)
    .filter((word) => word !== "" && !fillers.has(word))
  return roles[words.join("-")]
}

const fillers = new Set("color colors colour clr bs wp preset theme brand palette ui base default".split(" "))
const roles: Readonly<Record<string, string>> = {
  primary: "primary",
  secondary: "secondary",
  accent: "accent",
  background: "background",
  bg: "background",
  "body-bg": "background",
  text: "textPrimary",
  "text-primary": "textPrimary",
  foreground: "textPrimary",
  fg: "textPrimary",
  "text-secondary": "textSecondary",
  "text-muted": "textSecondary",
  link: "link",
  success: "success",
  warning: "warning",
  error: "error",
  danger: "error"
}

const typographyOf = (style: Style) => {
  const stack = (selectors: ReadonlyArray<string>) => {
    const families = stackOf(style.of(selectors, "font-family") ?? "")
    return families.length === 0 ? undefined : families
  }
  const stacks = { primary: stack(page), heading: stack(["h1", "h2", "h3"]), code: stack(["code", "pre", "kbd"]) }
  const firstOf = (families: ReadonlyArray<string> | undefined) => families?.find((name) => !genericFamily.test(name))
  const size = (selector: string) => style.of([selector], "font-size")
  return {
    fontFamilies: some({
      primary: firstOf(stacks.primary),
      heading: firstOf(stacks.heading),
      code: firstOf(stacks.code)
    }),
    fontStacks: some(stacks),
    fontSizes: some({ h1: size("h1"), h2: size("h2"), h3: size("h3"), body: style.of(page, "font-size") })
  }
}

const buttonOf = (style: Style, kind: string) => {
  const selectors = ["btn", "button"].flatMap((name) => [`.${name}-${kind}`, `.${name}--${kind}`, `.${name}.${kind}`])
  return {
    background: style.colorOf(selectors, "background-color", "background"),
    textColor: style.colorOf(selectors, "color"),
    borderColor: style.colorOf(selectors, "border-color", "border"),
    borderRadius: style.of(selectors, "border-radius")
  }
}

/** The object without undefined values. */
const defined = <const Part extends object>(part: Part): { [Name in keyof Part]?: Exclude<Part[Name], undefined> } =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is undefined is left out
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Part]?: Exclude<Part[Name], undefined>
  }

const some = <const Part extends object>(part: Part) => {
  const definedPart = defined(part)
  return Object.keys(definedPart).length === 0 ? undefined : definedPart
}

/**
 * The style of an element that a plain selector names (`body`, `h1`, `.btn-primary`), by the style sheets of its page.
 *
 * Custom properties are resolved. More specific rules are ignored: whether they apply is known only when the page is
 * rendered.
 */
interface Style {
  /** The value of this property for the first of these selectors that has it; of several rules, the last counts. */
  readonly of: (selectors: ReadonlyArray<string>, property: string) => string | undefined
  /** The first colour among these properties. */
  readonly colorOf: (selectors: ReadonlyArray<string>, ...properties: ReadonlyArray<string>) => string | undefined
  /** Custom properties of the whole page that are colours, by name. */
  readonly namedColors: ReadonlyMap<string, string>
  /** Font families in the order of the sheets, once each. */
  readonly families: ReadonlyArray<string>
}

const styleOf = (rules: ReadonlyArray<Css.Rule>): Style => {
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
  const resolved = (value: string) => resolveVariables(value, variables, maxDepth)
  for (const { declarations } of rules) {
    for (const family of stackOf(resolved(declarations.get("font-family") ?? ""))) {
      if (families.size < maxFamilies && !genericFamily.test(family)) families.add(family)
    }
  }
  const of = (selectors: ReadonlyArray<string>, property: string): string | undefined => {
    const declaration = selectors.flatMap((selector) => bySelector.get(selector)?.get(property) ?? []).at(0)
    const value = declaration === undefined ? "" : resolved(declaration)
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
const stackOf = (value: string): ReadonlyArray<string> =>
  value
    .split(",")
    .map((family) => family.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .filter(
      (family) => family !== "" && family.length <= 100 && !/^(?:inherit|initial|unset|revert|var\()/i.test(family)
    )

const genericFamily =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|math|emoji|-apple-system|blinkmacsystemfont)$/i

/**
 * The first colour in a value; undefined: it has none, or a keyword that is not a colour by itself, such as `inherit`.
 */
const colorIn = (value: string): string | undefined => {
  const [colorText] =
    /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([^()]{1,80}\)|(?<![\w-])[a-z]{3,20}(?![\w(-])/i.exec(
      value
    ) ?? []
  if (colorText === undefined || /^[a-z]+$/i.test(colorText)) {
    const name = colorText?.toLowerCase() ?? ""
    return colorNames.has(name) ? name : undefined
  }
  return colorText
}

const wholePage = new Set([":root", "html", "body", ":host", "*"])
const maxVariables = 2000
const maxFamilies = 20
const maxDepth = 8

const resolveVariables = (value: string, variables: ReadonlyMap<string, string>, depth: number): string =>
  depth === 0 || !value.includes("var(")
    ? value
    : resolveVariables(
        value
          .slice(0, 2000)
          .replaceAll(/var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g, (whole, name: string, other: string) => {
            return variables.get(name) ?? other?.trim() ?? whole.replace("var(", "unknown(")
          }),
        variables,
        depth - 1
      ).replaceAll("unknown(", "var(")

/** Names that pages use for colours. */
const colorNames = new Set(
  (
    "black white red green blue yellow orange purple pink brown gray grey navy teal maroon olive silver lime aqua fuchsia cyan magenta " +
    "gold coral salmon crimson tomato indigo violet orchid plum khaki beige ivory lavender turquoise chocolate sienna tan snow " +
    "whitesmoke ghostwhite gainsboro lightgray lightgrey darkgray darkgrey dimgray dimgrey slategray darkslategray steelblue " +
    "royalblue dodgerblue cornflowerblue skyblue lightblue midnightblue darkblue mediumblue darkgreen forestgreen seagreen limegreen " +
    "darkred firebrick darkorange orangered hotpink deeppink rebeccapurple darkviolet"
  ).split(" ")
)

interface Declared {
  readonly name: string | undefined
  readonly logo: string | undefined
}

/** Name and logo of the organization that a page declares in JSON-LD. */
const declaredIn = (root: Element): Declared => {
  const blocks = elements(root, maxElements).filter(
    ({ attributes, name }) => name === "script" && /^application\/ld\+json\b/i.test(attributes.get("type") ?? "")
  )
  const organization: { name?: string; logo?: string } = {}
  for (const { children } of blocks.slice(0, maxBlocks)) {
    const text = children.map((child) => (child._tag === "Text" ? child.text : "")).join("")
    if (text.length > maxText) continue
    for (const node of nodesOf(text)) {
      const { "@type": type, logo, name } = node
      if (!isOrganization(type)) continue
      if (typeof name === "string") organization.name ??= name.trim().slice(0, 200)
      const address = typeof logo === "string" ? logo : isNode(logo) ? (logo["url"] ?? logo["contentUrl"]) : undefined
      if (typeof address === "string") organization.logo ??= address
    }
  }
  return { name: organization.name, logo: organization.logo }
}
const maxBlocks = 50
const maxText = 1_000_000
const maxNodes = 5000

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

const isOrganization = (type: unknown): boolean =>
  [type]
    .flat()
    .some((name) => typeof name === "string" && /(?:Organization|Corporation|LocalBusiness|Store|Brand)$/.test(name))

/** The objects of a block, nested ones included. */
const nodesOf = (text: string): ReadonlyArray<Node> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  const nodes: Array<Node> = []
  const waiting: Array<unknown> = [value]
  while (waiting.length > 0 && nodes.length < maxNodes) {
    const next = waiting.shift()
    const list: ReadonlyArray<unknown> = Array.isArray(next) ? next : []
    if (list.length > 0) waiting.push(...list.slice(0, maxNodes))
    else if (isNode(next)) {
      nodes.push(next)
      for (const part of Object.values(next)) if (typeof part === "object") waiting.push(part)
    }
  }
  return nodes
}
