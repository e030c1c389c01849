/** What the documentation of Sluice is about, and the sentences it is made of. `{topic}` and `{command}` are the page's. */
export interface Topic {
  readonly chapter: string
  readonly name: string
  readonly title: string
  readonly command: string
}

export interface Option {
  readonly name: string
  readonly preset: string
  readonly meaning: string
}

export const chapters: Readonly<Record<string, string>> = {
  start: "Getting started",
  gates: "Gates",
  plans: "Plans",
  sensors: "Sensors",
  operations: "Operations"
}

const topic = (chapter: string, name: string, title: string, command: string): Topic => ({
  chapter,
  name,
  title,
  command
})

export const topics: ReadonlyArray<Topic> = [
  topic("start", "install", "Installing Sluice", "init"),
  topic("start", "first-gate", "Your first gate", "gate add"),
  topic("start", "concepts", "Gates, plans and sensors", "explain"),
  topic("start", "configuration", "The configuration file", "config show"),
  topic("start", "upgrade", "Upgrading", "upgrade"),
  topic("start", "uninstall", "Removing Sluice", "uninstall"),
  topic("gates", "open", "Opening a gate", "gate open"),
  topic("gates", "close", "Closing a gate", "gate close"),
  topic("gates", "calibrate", "Calibrating a gate", "gate calibrate"),
  topic("gates", "groups", "Groups of gates", "group add"),
  topic("gates", "limits", "Limits and interlocks", "gate limit"),
  topic("gates", "manual", "Taking over by hand", "gate release"),
  topic("plans", "write", "Writing a plan", "plan new"),
  topic("plans", "schedule", "Scheduling a plan", "plan schedule"),
  topic("plans", "test", "Testing a plan", "plan test"),
  topic("plans", "seasons", "Plans for the seasons", "plan season"),
  topic("plans", "share", "Sharing plans", "plan export"),
  topic("plans", "roll-back", "Going back to an older plan", "plan restore"),
  topic("sensors", "level", "Water level sensors", "sensor level"),
  topic("sensors", "flow", "Flow meters", "sensor flow"),
  topic("sensors", "rain", "Rain gauges", "sensor rain"),
  topic("sensors", "faulty", "When a sensor is wrong", "sensor check"),
  topic("sensors", "virtual", "Virtual sensors", "sensor virtual"),
  topic("sensors", "history", "Keeping readings", "sensor export"),
  topic("operations", "logs", "Reading the log", "log tail"),
  topic("operations", "alarms", "Alarms", "alarm add"),
  topic("operations", "backup", "Backup and restore", "backup"),
  topic("operations", "users", "Users and permissions", "user add"),
  topic("operations", "performance", "Performance", "bench"),
  topic("operations", "api", "The HTTP interface", "serve")
]

export const summary = "{topic} with sluice {command}: what it does, its options, and an example from {place}."

export const openings: ReadonlyArray<string> = [
  "{topic} is the part of Sluice that people meet in their first {2-6} days.",
  "run `sluice {command}` in the folder that holds your plans.",
  "most towns need {topic} once a {season}, and forget how in between.",
  "this page shows {topic} on a {machine} with {2-12} gates.",
  "nothing moves until you confirm, and the answer is kept in the log for {30-365} days.",
  "if you come from paper plans, read `{command}` as the line that {person} used to write by hand.",
  "the command looks at every gate first and refuses when one of them does not answer within {2-20} seconds.",
  "it was rewritten after the flood of {year}, when {place} lost its telephone line."
]

export const details: ReadonlyArray<string> = [
  "Sluice reads the plan from top to bottom and stops at the first rule that fits.",
  "a gate that is already where it should be is left alone, so the command may be run twice.",
  "readings older than {20-180} seconds do not count, and the gate keeps its place.",
  "on slow lines add `--patience`, as {place} does since {year}.",
  "every step is one line in the log, with the level in millimetres and the name of the person.",
  "the lock is held for at most {1-9} minutes and is given back when the process dies.",
  "two operators may plan at once; only one of them may move a gate.",
  "in our measurements {100-900} gates took {2-40} {unit} more than ten did.",
  "the exit code is {3-9} when a gate jams, and 0 when it was told to stay.",
  "in {season} the defaults are more careful, because ice counts as a closed gate."
]

export const notes: readonly [string, ...ReadonlyArray<string>] = [
  "never run {command} while somebody stands on the {machine}.",
  "a gate that was moved by hand must be calibrated before {topic} works again.",
  "{version} keeps the old spelling of this option and warns once a day.",
  "the {animal} nesting at {place} is protected: gates 3 and 4 stay shut until July.",
  "an operator needs the right `gate:move`; reading needs none."
]

export const steps: ReadonlyArray<string> = [
  "check the level at {place} and write it down.",
  "run the plan against the readings of the last {2-30} days.",
  "tell {person} before the first gate moves.",
  "open gate {1-24} by {5-60} per cent and wait for the reading to settle.",
  "compare the flow with the table from {year}.",
  "close the plan with the date and your initials."
]

const option = (name: string, preset: string, meaning: string): Option => ({ name, preset, meaning })

export const options: ReadonlyArray<Option> = [
  option("patience", "30s", "how long to wait for a gate to answer"),
  option("step", "5%", "the largest single movement"),
  option("zone", "upper", "which part of the river it concerns"),
  option("format", "table", "table, json or csv | all units are metric"),
  option("confirm", "ask", "ask, always or never"),
  option("retries", "3", "how often a silent sensor is asked again"),
  option("since", "24h", "the oldest reading that counts"),
  option("operator", "$USER", "whose name goes into the log"),
  option("dry-run", "false", "say what would be done and do nothing"),
  option("level", "1.20m", "the level that the plan aims for")
]
