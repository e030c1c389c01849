/**
 * How a page presents itself: its name, logo, icons, colours and fonts, from its markup and its style sheets.
 *
 * Nothing is guessed: what no tag and no rule says is left out. A colour is called primary only because the page calls
 * it so.
 */
import type { Branding } from "#contract/Branding"
import { type Element, elements, parse } from "#page/Dom"
import * as Css from "./css.ts"
import { declaredIn } from "./declaredIn.ts"
import * as Style from "./Style.ts"

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
  const style = Style.ofRules([...sheets, ...own].flatMap(Css.read))
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
  const found = new Map<string, string>()
  for (const { attributes } of all(root, "meta")) {
    const name = (attributes.get("property") ?? attributes.get("name") ?? "").toLowerCase()
    const content = attributes.get("content")?.trim().slice(0, 2000) ?? ""
    if (content !== "" && !found.has(name)) found.set(name, content)
  }
  return (name: string): string | undefined => found.get(name)
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

const colorsOf = (style: Style.Style, theme: string | undefined): Readonly<Record<string, string>> => {
  const named = new Map<string, string>()
  for (const [name, color] of style.namedColors) {
    const role = roleOf(name)
    if (role !== undefined && !named.has(role)) named.set(role, color)
  }
  const shown = {
    background: style.colorOf(page, "background-color", "background"),
    textPrimary: style.colorOf(page, "color"),
    link: style.colorOf(["a", "a:link"], "color"),
    themeColor: theme === undefined ? undefined : Style.colorIn(theme)
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

const typographyOf = (style: Style.Style) => {
  const stack = (selectors: ReadonlyArray<string>) => {
    const found = Style.stackOf(style.of(selectors, "font-family") ?? "")
    return found.length === 0 ? undefined : found
  }
  const stacks = { primary: stack(page), heading: stack(["h1", "h2", "h3"]), code: stack(["code", "pre", "kbd"]) }
  const firstOf = (families: ReadonlyArray<string> | undefined) => families?.find((name) => !Style.generic.test(name))
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

const buttonOf = (style: Style.Style, kind: string) => {
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
  const left = defined(part)
  return Object.keys(left).length === 0 ? undefined : left
}
