/** Why a file cannot be read: a code for programs and a reason for people. Threads exchange it as plain data. */
export class FileProblem extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
