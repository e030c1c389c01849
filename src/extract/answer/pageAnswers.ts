/** What a page says to a question, and of a subject: passages as they stand there, by rules. */
import type { PassageAnswer } from "#web/PageAnswers"
import { passagesFor } from "./answers.ts"
import * as Passages from "./Passages.ts"
import * as Question from "./Question.ts"

export const answerOf = (html: string, url: string, question: string): PassageAnswer => {
  const questions = Question.all(question)
  const passages = Passages.read(html, url)
  const answers = (questions.length === 0 ? [Question.of(question)] : questions).flatMap((one) =>
    passagesFor(one, passages, 1)
  )
  return answers.length === 0
    ? { isUnderstood: Question.isUnderstood(question, passages.language) }
    : { text: [...new Set(answers)].join("\n\n"), isUnderstood: true }
}

export const highlightsOf = (html: string, url: string, query: string): ReadonlyArray<string> =>
  passagesFor(Question.of(query), Passages.read(html, url), mostHighlights)

const mostHighlights = 5
