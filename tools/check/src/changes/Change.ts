/** A change of one file. */
export type Edit = {
  readonly file: string
  /** Returns the new text. `text` is empty if the file is new. */
  readonly apply: (text: string, read: (path: string) => string) => string
  /** Whether the code compiles without this edit, as long as the other edits are made. */
  readonly isOptional?: boolean
}

/** A kind of change, made as an example. */
export type Change = {
  readonly name: string
  /** First cells of the rows in ARCHITECTURE.md that name the files. */
  readonly rows: readonly string[]
  readonly edits: readonly Edit[]
  /** Folders of the packages that must compile. */
  readonly builds: readonly string[]
  /** Script that writes generated files after the edits named here, with the projects to build first. */
  readonly generate?: { readonly script: string; readonly after: readonly string[] }
}

const replaceOnce = (file: string, text: string, from: string, to: string): string => {
  const at = text.indexOf(from)
  if (at === -1) throw new Error(`${file} has no ${JSON.stringify(from)}`) // a changed source; adapt the edit
  return text.slice(0, at) + to + text.slice(at + from.length)
}

/** Inserts lines after the first place of a text. */
export const insertAfter = (file: string, place: string, lines: string, rest: Partial<Edit> = {}): Edit => ({
  file,
  apply: (text) => replaceOnce(file, text, place, `${place}\n${lines}`),
  ...rest,
})

/** Creates a file. */
export const create = (file: string, text: string): Edit => ({ file, apply: () => text })

/** Creates a file as a copy of another one, with other names. */
export const copy = (file: string, from: string, names: readonly (readonly [string, string])[]): Edit => ({
  file,
  apply: (_, read) => names.reduce((text, [old, name]) => text.replaceAll(old, name), read(from)),
})
