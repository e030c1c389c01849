/** The site that the fixtures were made on, as it was first and as it was when they were done. */
import { type Answer, page } from "../service/scriptedSite.ts"

export type Routes = Record<string, Answer>

/** The home page and three others. */
export const before: Routes = {
  "/": page("home", "/a", "/b", "/c"),
  "/a": page("a", "/"),
  "/b": page("b", "/"),
  "/c": page("c", "/")
}

/** Since then b says something else, c is gone and d is new. */
export const after: Routes = {
  "/": page("home", "/a", "/b", "/d"),
  "/a": page("a", "/"),
  "/b": page("b, anew", "/"),
  "/d": page("d", "/")
}

/** Puts other pages in the place of those that a site has. */
export const turn = (routes: Routes, into: Routes): void => {
  for (const path of Object.keys(routes)) delete routes[path]
  Object.assign(routes, into)
}
