/** The thread that fills schemas and answers questions by rules for suspects: a message in, a message out. */
import { parentPort } from "node:worker_threads"
import { answerOf, highlightsOf } from "../answer/pageAnswers.ts"
import { byRules } from "../byRules.ts"
import type { Answered, RulesRequest } from "./Question.ts"

const answer = (request: RulesRequest): Answered => {
  const { html, url } = request.page
  switch (request.kind) {
    case "fill":
      return { ok: true, read: byRules(request.page, request.wanted) }
    case "answer":
      return { ok: true, read: answerOf(html, url, request.question) }
    case "highlights":
      return { ok: true, read: highlightsOf(html, url, request.query) }
  }
}

parentPort?.on("message", (request: RulesRequest) => parentPort?.postMessage(answer(request), []))
