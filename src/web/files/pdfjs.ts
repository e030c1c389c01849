/**
 * Mozilla's reader of PDFs. It reads in the thread that asks, which is one for files.
 *
 * A checkout takes it from its package, and the built package brings it along. It says when it is loaded that it cannot draw,
 * for which it would need another package. Nobody asks it to draw.
 */
// The part that reads: the other one finds it, and loads no file of its own.
import "pdfjs-dist/legacy/build/pdf.worker.min.mjs"

const { log, warn } = console
Object.assign(console, { log: () => {}, warn: () => {} })
const reader = await import("pdfjs-dist/legacy/build/pdf.mjs").finally(() => Object.assign(console, { log, warn }))

export const { OPS, getDocument, version } = reader
/** The steps of a path, as its points have them. */
export const DrawOPS = { moveTo: 0, lineTo: 1, curveTo: 2, quadraticCurveTo: 3, closePath: 4 } as const
