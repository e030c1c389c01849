/** The engines that are measured beside each other, ours first. */
import type { Maker } from "./Engine.ts"
import { ours } from "./Ours.ts"
import { plain } from "./Plain.ts"

export const makers: ReadonlyArray<Maker> = [ours, plain]
