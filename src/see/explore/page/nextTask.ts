/** Ends the task that the page is at, so that the browser can draw and listen: work that follows another is a task of its own. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
