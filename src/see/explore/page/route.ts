/** Which view the page shows: the part of its URL behind `#`, as `#/tables/pages?find=lamp`. */
import { decodedUri } from "#base/readableText"

export interface Route {
  readonly view: string
  /** What stands behind the view: the name of a table, the id of a run. */
  readonly name: string
  readonly params: URLSearchParams
}

/** What a view shows, and how it ends. */
export interface View {
  readonly elements: ReadonlyArray<Node>
  readonly close?: () => void
}

export const routeOf = (hash: string): Route => {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s)
  const [view = "", ...rest] = path.split("/")
  return { view, name: decodedUri(rest.join("/")), params: new URLSearchParams(query) }
}

export const hashOf = (view: string, name = "", params: Readonly<Record<string, string>> = {}): string => {
  const filled = Object.entries(params).filter(([, value]) => value !== "")
  const query = new URLSearchParams(filled).toString()
  return `#/${view}${name === "" ? "" : `/${encodeURIComponent(name)}`}${query === "" ? "" : `?${query}`}`
}

/** Changes the URL for a reader who copies it or comes back, without a step for the back button. */
export const remember = (hash: string): void => history.replaceState(history.state, "", hash)
