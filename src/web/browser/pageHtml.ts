/**
 * The HTML of an open page as its reader sees it: with what scripts put into open shadow roots and into frames of the same origin.
 *
 * `page.content()` leaves both out. The flattened tree has them in their places: the content of a shadow root, with what is slotted
 * into it, and the body of a frame as a `<div>`. It is built in a document without scripts, in a world that scripts of the page
 * cannot reach, and only if a page has such parts. A page of more nodes than `mostNodes` is read without them.
 */
import type * as Playwright from "playwright-core"

export const pageHtml = async (page: Playwright.Page): Promise<string> =>
  // What fails here, as on a page that moves on, fails again with the words of the browser.
  (await flattened(page).catch(() => undefined)) ?? page.content()

const flattened = async (page: Playwright.Page): Promise<string | undefined> => {
  const session = await page.context().newCDPSession(page)
  try {
    const { frameTree } = await session.send("Page.getFrameTree")
    const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id })
    const { exceptionDetails, result } = await session.send("Runtime.evaluate", {
      expression: `(${String(flatten)})(${mostNodes})`,
      contextId: executionContextId,
      returnByValue: true
    })
    return exceptionDetails === undefined && typeof result.value === "string" ? result.value : undefined
  } finally {
    await session.detach().catch(() => {})
  }
}

const mostNodes = 300_000

/** Runs in the page, so it uses nothing of this file. Undefined: the page has no such parts, or too many nodes. */
const flatten = (mostNodes: number): string | undefined => {
  // Not by class: an element of a frame is of a class of its frame.
  const isElement = (node: Node): node is Element => node.nodeType === Node.ELEMENT_NODE
  const isFrame = (element: Element): element is HTMLIFrameElement => element.localName === "iframe"
  const isSlot = (element: Element): element is HTMLSlotElement =>
    element.localName === "slot" && "host" in element.getRootNode()
  const frameBody = (element: Element): HTMLElement | undefined => {
    if (!isFrame(element) || element.getClientRects().length === 0) return undefined
    const body = element.contentDocument?.body
    return body?.hasChildNodes() === true ? body : undefined
  }
  const isWhole = [...document.querySelectorAll("*")].every((one) => one.shadowRoot === null && !frameBody(one))
  if (isWhole) return undefined
  // Elements of this document run no scripts, load nothing, and are no custom elements.
  const inert = document.implementation.createHTMLDocument("")
  const top = inert.createElement("div")
  const left: Array<{ readonly node: Node; readonly into: Element; readonly isFramed: boolean }> = []
  const push = (nodes: Iterable<Node>, into: Element, isFramed: boolean) => {
    for (const node of [...nodes].reverse()) left.push({ node, into, isFramed })
  }
  push([document.documentElement], top, false)
  let count = 0
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { into, isFramed, node } = next
    if (++count > mostNodes) return undefined
    if (node.nodeType === Node.TEXT_NODE) into.append(inert.createTextNode(node.nodeValue ?? ""))
    if (!isElement(node)) continue
    const name = node.localName
    const body = frameBody(node)
    if (name === "noscript") continue
    if (isSlot(node)) {
      const assigned = node.assignedNodes()
      push(assigned.length > 0 ? assigned : node.childNodes, into, isFramed)
      continue
    }
    const isKeptWhole = name === "template" || name === "script" || name === "style"
    // The address of a frame is a link too.
    if (body !== undefined && node.hasAttribute("src")) into.append(inert.importNode(node, false))
    const copy = body === undefined ? inert.importNode(node, isKeptWhole) : inert.createElement("div")
    into.append(copy)
    if (isKeptWhole) continue
    for (const attribute of isFramed ? ["href", "src"] : []) {
      const address: unknown = copy.hasAttribute(attribute) ? Reflect.get(node, attribute) : undefined
      if (typeof address === "string") copy.setAttribute(attribute, address)
    }
    push(body?.childNodes ?? node.shadowRoot?.childNodes ?? node.childNodes, copy, isFramed || body !== undefined)
  }
  return `<!DOCTYPE html>${top.innerHTML}`
}
