/**
 * The answer to a question: the mistakes in its call, the state of its job, and matching topics of the documentation.
 *
 * It contains only what is in the documentation, the job or the contract. If nothing answers the question, it says so.
 */
import type { Correction } from "#contract/Support"
import { type Call, callsIn } from "./Calls.ts"
import { type Corrected, correct } from "./correct.ts"
import type { Diagnosis } from "./Diagnosis.ts"
import { answering, type Topic } from "./Documentation.ts"
import { operations } from "./Operations.ts"
import { requests } from "./requests.ts"

interface SupportAnswer {
  readonly text: string
  readonly topics: ReadonlyArray<Topic>
  readonly corrections: ReadonlyArray<Correction>
}

/** `jobId`: the job that the caller named, whether or not it exists. */
export const answer = (question: string, diagnosis?: Diagnosis, jobId?: string): SupportAnswer => {
  const calls = callsIn(question).map((call) => ({ call, corrected: correct(call) }))
  const words = calls.length === 0 ? question : withoutCode(question)
  const documented = diagnosis === undefined ? answering(words) : diagnosis.asks === "" ? [] : answering(diagnosis.asks)
  const topics =
    calls.length === 0 ? documented : [...calls.map(({ call }) => placeOf(call)), ...documented.slice(0, 1)]
  const parts = [
    ...(diagnosis === undefined ? [] : [diagnosis.text]),
    ...(jobId !== undefined && diagnosis === undefined
      ? [`Your team has no job ${jobId}; results are kept for 24 hours after the end.`]
      : []),
    ...calls.map(({ call, corrected }) => sentenceOf(call, corrected)),
    ...(calls.length === 0 ? documented : documented.slice(0, 1)).map(({ text }) => text)
  ]
  if (parts.length === 0) return { text: nothing, topics: [], corrections: [] }
  return {
    text: parts.join("\n\n"),
    topics: [...new Map(topics.map((topic) => [topic.title, topic])).values()],
    corrections: [
      ...calls.flatMap(({ corrected }) => (corrected._tag === "Corrected" ? [corrected.correction] : [])),
      ...(diagnosis?.corrections ?? [])
    ]
  }
}

/** The words of a question, without its code. */
const withoutCode = (question: string): string =>
  question
    .replace(/\{[^]*\}/g, " ")
    .replace(/\b\w+\.\w+\s*\([^)]*\)?/g, " ")
    .replace(/https?:\/\/\S+|\bcurl\b|\s-{1,2}\w+(?: '[^']*'| "[^"]*")?/g, " ")

const nothing =
  "The documentation of this service has no answer to that. Ask about its operations, their parameters, errors, limits or costs; /openapi.json describes all of it."

const placeOf = ({ name }: Call): Topic => {
  const { method, path } = requests[name]
  const pointer = operations().find((one) => one.method === method && one.path === path)?.pointer ?? ""
  return { title: `${method} ${path}`, text: "", pointer }
}

const sentenceOf = ({ name }: Call, corrected: Corrected): string => {
  const { method, path } = requests[name]
  switch (corrected._tag) {
    case "Right":
      return `The parameters fit ${method} ${path} as they are.`
    case "Corrected":
      return `For ${method} ${path}: ${corrected.correction.changes.join("; ")}.`
    case "Unknown":
      return `The parameters do not fit ${method} ${path}: ${corrected.faults.join("; ")}.`
  }
}
