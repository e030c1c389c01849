/** The views of the page: shows the one that the URL names, and another one when that changes. */
import type { Answers } from "./Answers.ts"
import { diffView } from "./diffView.ts"
import { el, problem } from "./dom.ts"
import { type Route, routeOf, type View } from "./route.ts"
import { runsView } from "./runsView.ts"
import { sqlView } from "./sqlView.ts"
import { tablesView } from "./tablesView.ts"
import { whyView } from "./whyView.ts"

const views: Readonly<Record<string, (route: Route, answers: Answers) => Promise<View>>> = {
  tables: tablesView,
  sql: sqlView,
  runs: runsView,
  diff: diffView,
  why: whyView
}

export const showViews = (answers: Answers): void => {
  const place = document.getElementById("view") ?? document.body
  let current: View | undefined
  let turn = 0

  const show = async (): Promise<void> => {
    turn += 1
    const own = turn
    const route = routeOf(location.hash)
    const view = views[route.view] ?? tablesView
    for (const link of document.querySelectorAll("nav a")) {
      const isOpen = routeOf(link.getAttribute("href") ?? "").view === (route.view === "" ? "tables" : route.view)
      if (isOpen) link.setAttribute("aria-current", "page")
      else link.removeAttribute("aria-current")
    }
    const isFirst = current === undefined
    current?.close?.()
    place.replaceChildren(el("p", { class: "soft", role: "status" }, "Loading…"))
    const made = await view(route, answers).catch((error: unknown): View => ({ elements: [problem(error)] }))
    // Somebody has gone elsewhere meanwhile.
    if (own !== turn) return made.close?.()
    current = made
    place.replaceChildren(...made.elements)
    if (!isFirst) place.focus()
  }

  addEventListener("hashchange", () => void show())
  void show()
}
