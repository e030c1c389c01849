/**
 * Compares pages with their earlier versions, has the changes judged, and records the findings, some pages at a time.
 *
 * Every page that is not the same is reported, by webhook and by e-mail. If changes are judged, only those that matter to
 * the goal are reported, and pages that could not be read. The first check of a target finds no changes, and nothing is
 * judged. A page has a status in every check that reaches it (specification, Monitor). A page that cannot be read is
 * reported in the first such check, and again if its site answers differently.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Meaning from "#base/Meaning"
import * as Limits from "#contract/Limits"
import type { Judgment, PageStatus } from "#contract/MonitorCheck"
import { AgentModel } from "#web/AgentModel"
import { CheckStore, PageStates } from "./CheckStore.ts"
import { watchedOf } from "./Definition.ts"
import * as Found from "./Finding.ts"
import { judge } from "./Judge.ts"
import type { Change, ChangeHunk } from "./judgeByRules.ts"
import * as KnownPage from "./KnownPage.ts"
import type { Check, Definition, Finding, State } from "./Monitor.ts"
import { CheckWebhooks, TeamCredits } from "./MonitorPorts.ts"

export interface Context<Target = Check["definition"]["targets"][number]> {
  readonly check: Check
  readonly target: Target
  readonly isBaseline: boolean
}

const isReported = (
  { judgeEnabled }: Definition,
  isBaseline: boolean,
  { judgment, status }: { readonly status: PageStatus; readonly judgment: Judgment | null }
): boolean => {
  if (status === "same") return false
  if (!judgeEnabled || status === "error") return true
  return !isBaseline && judgment?.meaningful === true
}

/**
 * Handles pages that answered. Pages that are already recorded are skipped. Returns how many pages were only read by a newer
 * version of the finder.
 */
export const pages = Effect.fnUntraced(function* (context: Context, foundPages: ReadonlyArray<Found.Page>) {
  const { check, target } = context
  const store = yield* CheckStore
  const before = yield* PageStates
  const keys = foundPages.flatMap(({ askedKey, key }) => [key, askedKey])
  const states = yield* before.states(check.monitorId, target.id, keys)
  const befores = foundPages.map((page) => states.get(page.key) ?? stateAsked(states, page))
  const own = foundPages.map(({ key }, at) => befores[at]?.key ?? key)
  const known = yield* store.recorded(check.id, target.id, own)
  const watched = watchedOf(target)
  const rest = foundPages.flatMap((page, at) => (known.has(own[at] ?? "") ? [] : [{ page, before: befores[at] }]))
  const ofSite = sharedLinks(befores)
  const made = yield* Effect.forEach(rest, ({ before, page }) =>
    Effect.map(
      Effect.promise(() => Found.ofPage(page, before, watched, ofSite)),
      (finding) => ({ finding, before, page })
    )
  )
  const judged = yield* recordJudged(context, made)
  return judged.filter(({ isReadAnew }) => isReadAnew === true).length
})

/** The links that several known pages have: they lead through the site. */
const sharedLinks = (states: ReadonlyArray<State | undefined>): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  const known = states.filter((state) => state !== undefined)
  if (known.length < manyPages) return new Set()
  for (const state of known) {
    for (const address of KnownPage.inState(state).links?.addresses ?? [])
      counts.set(address, (counts.get(address) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([address, count]) => (count >= manyPages ? [address] : [])))
}

const manyPages = 3

/** Handles pages that could not be read. Pages that were not known before are recorded only if `isNamed`. */
export const failures = Effect.fnUntraced(function* (
  context: Context,
  failed: ReadonlyArray<{ readonly key: string; readonly url: string; readonly error: string }>,
  isNamed: boolean
) {
  const { check, target } = context
  const store = yield* CheckStore
  const before = yield* PageStates
  const states = yield* before.states(
    check.monitorId,
    target.id,
    failed.map(({ key }) => key)
  )
  const failureFindings = failed.flatMap(({ error, key, url }) => {
    const before = states.get(key)
    return before === undefined && !isNamed ? [] : [Found.ofFailure({ targetId: target.id, key, url }, error, before)]
  })
  const known = yield* store.recorded(
    check.id,
    target.id,
    failureFindings.map(({ key }) => key)
  )
  yield* record(
    context,
    failureFindings.filter(({ key }) => !known.has(key))
  )
})

/** Handles known pages that were not reached: they are removed, or, with a `doubt`, an error that gives the reason. */
export const unseen = Effect.fnUntraced(function* (context: Context, doubt: string | undefined) {
  const { check, target } = context
  const before = yield* PageStates
  for (;;) {
    const states = yield* before.unseen(check, target.id, together)
    if (states.length === 0) return
    if (doubt === undefined) {
      yield* recordJudged(
        context,
        states.map((before) => ({ finding: Found.ofRemoved(target.id, before), before, page: undefined }))
      )
      continue
    }
    const failed = states.map((state) => ({
      ...Found.ofFailure({ ...state, targetId: target.id }, doubt, state),
      state: "keep" as const
    }))
    yield* record(context, failed)
  }
})

/** How many pages are held in memory at a time. */
export const together = 20

const record = Effect.fnUntraced(function* ({ check, isBaseline, target }: Context, findings: ReadonlyArray<Finding>) {
  if (findings.length === 0) return
  const store = yield* CheckStore
  const webhooks = yield* CheckWebhooks
  const failing = findings.filter(({ status }) => status === "error")
  const before = yield* store.failedBefore(
    check,
    target.id,
    failing.map(({ key }) => key)
  )
  const isStill = ({ key, status, statusCode }: Finding): boolean =>
    status === "error" && before.has(key) && before.get(key) === statusCode
  yield* store.record(
    check,
    findings.map((finding) => ({
      finding,
      isReported: isReported(check.definition, isBaseline, finding) && !isStill(finding)
    }))
  )
  yield* webhooks.send(check.id)
})

/** Judges the changes of findings and records them: by the model if there is one and credits remain, otherwise by rules. */
const recordJudged = Effect.fnUntraced(function* (context: Context, made: ReadonlyArray<FindingStates>) {
  const credits = yield* TeamCredits
  const { thinking } = yield* AgentModel
  const judgments = Option.isNone(thinking) ? 0 : made.filter(({ finding }) => isJudged(context, finding)).length
  const judge = (mayAsk: boolean) =>
    Effect.forEach(made, (one) => judgedFinding(context, one, mayAsk), { concurrency: 4 }).pipe(
      Effect.tap((judged) => record(context, judged))
    )
  const paid = yield* credits.reserving(context.check.teamId, judgments * Limits.judgmentCredits, judge(true))
  return Option.isSome(paid) ? paid.value : yield* judge(false)
})

/** A finding, with the earlier state of its page and the page now. */
interface FindingStates {
  readonly finding: Finding
  readonly before: State | undefined
  readonly page: Found.Page | undefined
}

/** The earlier state of a page that redirects now: that of the URL that was requested. */
const stateAsked = (states: ReadonlyMap<string, State>, { askedKey, key }: Found.Page): State | undefined =>
  askedKey === key ? undefined : states.get(askedKey)

const isJudged = ({ check: { definition }, isBaseline }: Context, { status }: Finding): boolean =>
  definition.judgeEnabled && definition.goal !== null && !isBaseline && status !== "same" && status !== "error"

const judgedFinding = Effect.fnUntraced(function* (
  context: Context,
  { before, finding, page }: FindingStates,
  mayAsk: boolean
) {
  const { status } = finding
  const { goal } = context.check.definition
  if (goal === null || status === "same" || status === "error" || !isJudged(context, finding)) return finding
  const { credits, judgment } = yield* judge(goal, changeOf({ ...finding, status }, before, page), mayAsk)
  return { ...finding, judgment, credits }
})

/**
 * The change in a finding, place by place, for the judgment.
 *
 * A place is one field, or the removed and added lines between two lines that stay. If there is no diff because too much has
 * changed, there is one place: the lines that only one of the two texts has.
 */

/** Makes the change. `before` is the earlier state of the page; `page` is the page now, if it answered. */
export const changeOf = (
  { diff, status, url }: Pick<Finding, "diff" | "url"> & { readonly status: Change["status"] },
  before: State | undefined,
  page: Found.Page | undefined
): Change => {
  const previous = before === undefined ? undefined : KnownPage.inState(before)
  const base = { status, url, title: page?.document.metadata.title ?? previous?.title ?? "" }
  const old = () => linesOf(previous?.markdown)
  const now = () => linesOf(page?.document.markdown)
  if (status === "new") return { ...base, hunks: [{ added: now().slice(0, maxLines), removed: [] }] }
  if (status === "removed") return { ...base, hunks: [{ added: [], removed: old().slice(0, maxLines) }] }
  const fields = fieldsOf(diff?.json ?? {})
  if (diff?.text !== undefined) return { ...base, hunks: [...fields, ...hunksOf(diff.text)] }
  if (fields.length > 0) return { ...base, hunks: fields }
  const only = (lines: ReadonlyArray<string>, others: ReadonlyArray<string>) => {
    const known = new Set(others)
    return lines.filter((line) => !known.has(line)).slice(0, maxLines)
  }
  const [were, are] = [old(), now()]
  return { ...base, hunks: [{ added: only(are, were), removed: only(were, are) }] }
}

/** The maximum number of lines of each side, if there is no diff. */
const maxLines = 200

const linesOf = (markdown = ""): ReadonlyArray<string> => Meaning.lines(markdown).map(({ text }) => text)

const fieldsOf = (json: object): ReadonlyArray<ChangeHunk> =>
  Object.entries(json).flatMap(([name, change]) =>
    Predicate.hasProperty(change, "previous")
      ? [
          {
            removed: [`${name}: ${JSON.stringify(change.previous)}`],
            added: [`${name}: ${JSON.stringify(Reflect.get(change, "current"))}`]
          }
        ]
      : []
  )

/** The hunks of a unified diff. Its first two lines are the header. */
const hunksOf = (diff: string): ReadonlyArray<ChangeHunk> => {
  const hunks: Array<{ added: Array<string>; removed: Array<string> }> = []
  let isOpen = false
  for (const line of diff.split("\n").slice(2)) {
    const sign = line.charAt(0)
    if (sign !== "+" && sign !== "-") {
      isOpen = false
      continue
    }
    if (!isOpen) hunks.push({ added: [], removed: [] })
    isOpen = true
    hunks.at(-1)?.[sign === "+" ? "added" : "removed"].push(line.slice(1))
  }
  return hunks
}
