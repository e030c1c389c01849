/** What the commands of a test have said: where it fails, its message ends with it. */

const commands: Array<() => string> = []

/** `words`: called when a test fails, so it has what a command says until then. */
export const remember = (words: () => string): void => void commands.push(words)

/** The last words of the last commands, which are forgotten. */
export const spokenWords = (): string => {
  const last = commands.splice(0).slice(-5)
  return last.map((words) => words()).join("\n\n")
}

/** How a command and its output stand in the message of a failure. */
export const asWords = (args: ReadonlyArray<string>, end: string, stdout: string, stderr: string): string =>
  [`$ millrace ${args.join(" ")}`, tail(stdout), tail(stderr), `(${end})`].filter((line) => line !== "").join("\n")

const tail = (text: string): string => text.trimEnd().slice(-2000)
