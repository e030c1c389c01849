/** What a page of the site does beside being read: search, copying of code, and a choice between light and dark. */
import type { Found } from "./search.ts"

/** The folder of the site, from this page. */
const root = new URL(".", (document.currentScript as HTMLScriptElement | null)?.src ?? location.href)

const make = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] => {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

const schemes = ["light dark", "light", "dark"] as const
const schemeNames = { "light dark": "Colours: as the machine", light: "Colours: light", dark: "Colours: dark" }
const storage = "millrace-colours"

/** The button goes from one choice to the next. */
const schemeButton = (): HTMLButtonElement => {
  const button = make("button", { type: "button", className: "scheme" })
  let place = Math.max(
    0,
    schemes.findIndex((scheme) => scheme === localStorage.getItem(storage))
  )
  const show = () => {
    const scheme = schemes[place] ?? "light dark"
    document.documentElement.style.colorScheme = scheme
    button.textContent = { "light dark": "◐", light: "☀", dark: "☾" }[scheme]
    button.title = schemeNames[scheme]
    button.setAttribute("aria-label", schemeNames[scheme])
  }
  button.addEventListener("click", () => {
    place = (place + 1) % schemes.length
    localStorage.setItem(storage, schemes[place] ?? "light dark")
    show()
  })
  show()
  return button
}

const copyButtons = (): void => {
  for (const code of document.querySelectorAll<HTMLElement>("main pre[data-language]:not([data-language=output])")) {
    const button = make("button", { type: "button", className: "copy" }, "Copy")
    const say = (text: string) => {
      button.textContent = text
      button.addEventListener("blur", () => (button.textContent = "Copy"), { once: true })
    }
    button.addEventListener("click", () => {
      const text = code.querySelector("code")?.textContent ?? ""
      navigator.clipboard.writeText(text.trimEnd()).then(
        () => say("Copied"),
        () => say("Not allowed here")
      )
    })
    const frame = make("div", { className: "code" })
    code.replaceWith(frame)
    frame.append(code, button)
  }
}

/** Loads the search with its index, once. */
let loading: Promise<void> | undefined
const load = (): Promise<void> => {
  loading ??= new Promise((resolve, reject) => {
    const script = make("script", { src: new URL("search.js", root).href })
    script.addEventListener("load", () => resolve())
    script.addEventListener("error", () => reject(new Error("search.js cannot be loaded")))
    document.head.append(script)
  })
  return loading
}

const entry = ({ address, excerpt, heading, page }: Found): HTMLLIElement =>
  make(
    "li",
    {},
    make(
      "a",
      { href: new URL(address, root).href },
      make("strong", {}, heading === "" ? page : heading),
      make("span", { className: "page" }, heading === "" ? "" : page),
      make(
        "span",
        { className: "excerpt" },
        ...excerpt.map(({ isFound, text }) => (isFound ? make("mark", {}, text) : text))
      )
    )
  )

const searchDialog = () => {
  const input = make("input", { type: "search", placeholder: "Words, a key, a flag, an error", autocomplete: "off" })
  input.setAttribute("aria-label", "Search the documentation")
  const state = make("p", { className: "state" })
  state.setAttribute("role", "status")
  const list = make("ol")
  const dialog = make("dialog", { className: "search" }, input, state, list)
  dialog.setAttribute("aria-label", "Search")
  const show = async () => {
    await load().catch((cause: unknown) => (state.textContent = cause instanceof Error ? cause.message : String(cause)))
    const query = input.value.trim()
    const found = query === "" ? [] : (globalThis.findInDocs?.(query) ?? [])
    list.replaceChildren(...found.map(entry))
    if (globalThis.findInDocs !== undefined) {
      state.textContent =
        query === "" ? "" : found.length === 0 ? `Nothing has all words of "${query}".` : `${found.length} sections`
    }
  }
  input.addEventListener("input", () => void show())
  dialog.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")]
    const place = links.findIndex((link) => link === document.activeElement)
    if (event.key === "Enter" && place === -1) links[0]?.click()
    // A field of searches would take the first one to empty itself.
    if (event.key === "Escape") dialog.close()
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
    event.preventDefault()
    const next = place + (event.key === "ArrowDown" ? 1 : -1)
    if (next < 0) input.focus()
    else links[next]?.focus()
  })
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || (target instanceof Element && target.closest("a") !== null)) dialog.close()
  })
  return {
    dialog,
    open: () => {
      dialog.showModal()
      input.select()
      void show()
    }
  }
}

const addTools = (): void => {
  const { dialog, open } = searchDialog()
  const button = make("button", { type: "button", className: "find" }, "Search ", make("kbd", {}, "/"))
  button.addEventListener("click", open)
  document.querySelector("header .tools")?.append(button, schemeButton())
  document.body.append(dialog)
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.closest("input, textarea") !== null
    const isAsked = (event.key === "/" && !isTyping) || (event.key === "k" && (event.ctrlKey || event.metaKey))
    if (!isAsked || dialog.open) return
    event.preventDefault()
    open()
  })
}

/** Marks in the contents of the page which section is being read. */
const followReading = (): void => {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>(".own a")].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link
    ])
  )
  const headings = [...document.querySelectorAll<HTMLElement>("main h2[id]")]
  const mark = () => {
    const read = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 3)
    for (const [id, link] of links) link.toggleAttribute("data-read", id === read?.id)
  }
  new IntersectionObserver(mark, { rootMargin: "0px 0px -66% 0px" }).observe(document.body)
  for (const heading of headings) new IntersectionObserver(mark, { rootMargin: "0px 0px -66% 0px" }).observe(heading)
}

addTools()
copyButtons()
followReading()
