/** Where a value comes from: its page with the place marked, the engine and the run. */
import type { Evidence, WhyModel } from "../../why/WhyModel.ts"
import type { WhyQuestion } from "../ExploreApi.ts"
import type { Answers } from "./Answers.ts"
import { el, linked, problem, tableOf } from "./dom.ts"
import { hashOf, type Route, type View } from "./route.ts"
import { timeElement, timeZone } from "./times.ts"

export const whyView = async ({ params }: Route, { readsAgain, why }: Answers): Promise<View> => {
  const question: Omit<WhyQuestion, "fetch"> = {
    table: params.get("table") ?? "",
    column: params.get("column") ?? "",
    key: keyIn(params.get("key") ?? "")
  }
  const ask = (fetch: boolean) => why({ ...question, fetch })
  const place = el("div")
  const show = (model: WhyModel): void => place.replaceChildren(...elementsOf(model))
  const model = await ask(false)
  show(model)
  const tools = el("div", { class: "tools" })
  if (readsAgain && model.evidence.some(({ context, span }) => span !== null && context === null)) {
    const button = el("button", { type: "button" }, "Read the page again, and mark the value in it")
    button.addEventListener("click", () => {
      button.disabled = true
      ask(true)
        .then(show, (error: unknown) => place.append(problem(error)))
        .finally(() => (button.disabled = false))
    })
    tools.append(button)
  }
  return {
    elements: [
      el("p", {}, el("a", { href: hashOf("tables", question.table) }, question.table)),
      el("h2", {}, `Why ${question.column}`),
      place,
      tools
    ]
  }
}

const keyIn = (text: string): WhyQuestion["key"] => {
  try {
    const parsed: unknown = JSON.parse(text)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server refuses values that are not of this type
    return typeof parsed === "object" && parsed !== null ? (parsed as WhyQuestion["key"]) : {}
  } catch {
    return {}
  }
}

const elementsOf = ({ column, engine, evidence, key, notes, reading, row, run, table, type, value }: WhyModel) => {
  const facts: ReadonlyArray<readonly [string, Node | string | null]> = [
    ["value", textOf(value)],
    ["column", `${table}.${column} ${type}`],
    [
      "key",
      Object.entries(key)
        .map(([name, part]) => `${name}=${textOf(part)}`)
        .join(", ")
    ],
    ["page", row.url === null ? null : linked(row.url)],
    ["read", row.fetched_at === null ? null : timeElement(row.fetched_at)],
    ["run", row.run_id === null ? null : el("a", { href: hashOf("runs", row.run_id) }, row.run_id)],
    ["the run", run === null ? null : el("span", {}, `${run.status}, began `, timeElement(run.started_at))],
    ["engine", engine === null ? null : engine.model === null ? engine.name : `${engine.name}, ${engine.model}`],
    ["reading", reading === null ? null : `${reading.column} ${textOf(reading.version)}`]
  ]
  const known = facts.flatMap(([name, fact]) => (fact === null ? [] : [[name, fact] as const]))
  return [
    tableOf(`What is known about the value; times are in ${timeZone()}`, ["what", "is"], known),
    ...evidence.map(evidenceOf),
    ...notes.map((note) => el("p", { class: "soft" }, note))
  ]
}

const evidenceOf = ({ certainty, context, kind, place, supported, url, value }: Evidence): HTMLElement => {
  const article = el(
    "article",
    {},
    el("h3", {}, linked(url)),
    el("p", {}, `${kind}: `, el("code", {}, place), value === null ? "" : ` says ${value}`),
    ...(certainty === null ? [] : [el("p", { class: "soft" }, `Certainty: ${certainty}.`)])
  )
  if (supported === false) article.append(el("p", { class: "error" }, "A model said this, and the page does not."))
  if (context !== null) {
    article.append(
      el(
        "p",
        { class: "soft" },
        `From ${context.source}${context.matches ? "" : "; the value is not there any more"}.`
      ),
      el("pre", {}, context.before, el("mark", {}, context.marked), context.after)
    )
  }
  return article
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? null))
