export const pageTrees = ""
export const blockTrees = ""
