/**
 * Which files an exported folder has, by their paths in it.
 *
 * It imports nothing, since the page of the folder reads by these names what the export wrote.
 */

/** One run, as `millrace report --json` has it. */
export const runFile = (run: string): string => `data/runs/${named(run)}.json`

export const reportFile = (run: string): string => `reports/${named(run)}.html`

/** What a run changed in a table since the load before it. */
export const diffFile = (run: string, table: string): string => `data/differences/${named(run)}/${named(table)}.json`

/** What the SQL view begins with, and the questions that were saved beside the pipeline. */
export const firstQuestionFile = "data/question.json"
export const questionsFile = "data/questions.json"

/** The table with the texts around places of evidence. */
export const contextsTable = "_millrace_contexts"

/** One name on a disk and in a URL, whatever a file server makes of other characters. */
const named = (text: string): string =>
  text.replace(/[^\w-]/gu, (character) => `~${(character.codePointAt(0) ?? 0).toString(16)}`)
