/** The thread that fills schemas and answers questions by rules: a message in, a message out. It is ended from outside. */
import { parentPort } from "node:worker_threads"
import { answerOf, highlightsOf } from "./answer/answers.ts"
import { byRules } from "./byRules.ts"
import type { Answers, Posted, Request } from "./Rules.ts"
import * as Support from "./Support.ts"

const answer = (request: Request): Answers[keyof Answers] => {
  const { html, url } = request.page
  switch (request.kind) {
    case "fill":
      return byRules(request.page, request.wanted)
    case "answer":
      return answerOf(html, url, request.question)
    case "highlights":
      return highlightsOf(html, url, request.query)
    case "support": {
      const { data, found, text } = request.claim
      return Support.of(data, text, Support.declaredOf(request.page), found, request.page)
    }
  }
}

const posted = (request: Request): Posted => {
  try {
    return { answer: answer(request) }
  } catch (cause) {
    return { problem: cause instanceof Error ? cause.message.split("\n", 1).join("") : String(cause) }
  }
}

parentPort?.on("message", (request: Request) => parentPort?.postMessage(posted(request), []))
