/**
 * The demo site: a small web of our own about a town named Northmere, made from a seed, for quickstart, tests and monitors.
 *
 * The same seed and revision give the same bytes; revision N is revision N - 1 and a few known changes more; `truth`
 * says what a crawl must find in it.
 */
import * as Blog from "./parts/Blog.ts"
import * as Council from "./parts/Council.ts"
import * as Docs from "./parts/Docs.ts"
import * as Draft from "./parts/Draft.ts"
import * as Files from "./parts/Files.ts"
import * as History from "./parts/History.ts"
import * as Html from "./parts/Html.ts"
import * as Jobs from "./parts/Jobs.ts"
import * as Lab from "./parts/Lab.ts"
import * as Languages from "./parts/Languages.ts"
import * as Responder from "./parts/Responder.ts"
import * as Shop from "./parts/Shop.ts"
import * as Truth from "./parts/Truth.ts"

export interface Options {
  readonly seed: number
  /** From 1. */
  readonly revision: number
  /** Serve the truth as `/_truth.json` too. */
  readonly tell?: boolean
}

export interface Site {
  readonly seed: number
  readonly revision: number
  /** Every address that has an answer of its own, by path with query. */
  readonly pages: ReadonlyMap<string, Draft.Draft>
  readonly truth: Truth.Truth
  /** The answer to a request, as data: nothing is sent, nothing waits. */
  readonly respond: (request: Responder.Request) => Responder.Response
}

export const make = ({ revision: wanted, seed, tell = false }: Options): Site => {
  const revision = Math.max(1, Math.trunc(wanted))
  const edition = { seed, revision }
  const pages = draftsOf(edition)
  let known: Truth.Truth | undefined
  const truth = () =>
    (known ??= Truth.make(edition, pages, revision === 1 ? undefined : draftsOf({ seed, revision: revision - 1 })))
  return {
    ...edition,
    pages,
    get truth() {
      return truth()
    },
    respond: Responder.make(edition, pages, tell ? truth : undefined)
  }
}

const draftsOf = (edition: Html.Edition): ReadonlyMap<string, Draft.Draft> => {
  const history = History.make(edition)
  const sections = [Shop, Docs, Blog, Jobs, Council, Languages, Lab, Files].flatMap(({ section }) => section(history))
  const drafts = Html.drafts(edition, [home(history), ...sections])
  return new Map([...drafts, ...Files.hidden(drafts)].map((draft) => [draft.path, draft]))
}

const home = (history: History.History): Html.Page => {
  const open = Jobs.jobs(history).filter((one) => one.open).length
  const [latest] = Blog.posts(history)
  const links = {
    "/shop/": "Northmere Mill Supply",
    "/docs/v2/": "Sluice, the gate controller",
    "/council/law/": "The law register",
    "/lab/": "The lab"
  }
  return {
    path: "/",
    modified: history.today,
    title: "Northmere, the town at the weir",
    description: "A shop, a council, a blog and a gate controller, all in one small town.",
    alternates: { "x-default": "/", en: "/", de: "/de/", fr: "/fr/", ja: "/ja/", ar: "/ar/" },
    main: `<h1>Northmere</h1>
<p>Northmere has two rivers, one canal, six bridges, and ${open} open posts.</p>
${latest === undefined ? "" : `<p>New on the blog: ${Html.link(latest.path, latest.title)}</p>`}
${Html.list(Object.entries(links).map(([path, text]) => Html.link(path, text)))}`
  }
}
