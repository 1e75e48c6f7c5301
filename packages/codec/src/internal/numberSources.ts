/** A function that replaces a parsed value. `source` is the text of a number. */
export type Revive = (value: unknown, source: string | undefined) => unknown

/** Parses JSON with a function that replaces each value, innermost first. */
export type ParseNumbers = (text: string, revive: Revive) => unknown

type Context = { readonly source?: string }

/** Uses that `JSON.parse` passes the text of a number, as it does since Node 21. */
export const native: ParseNumbers = (text, revive) =>
  JSON.parse(text, (_name: string, value: unknown, context?: Context) =>
    revive(value, typeof value === 'number' ? context?.source : undefined),
  )

/** Strings, whose digits are no numbers, and numbers. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Works in every runtime: writes each number as a string that starts with a random mark. */
export const portable: ParseNumbers = (text, revive) => {
  const mark = crypto.getRandomValues(new Uint32Array(4)).join()
  const marked = text.replaceAll(TOKEN, (token) => (token.startsWith('"') ? token : `"${mark}${token}"`))
  return JSON.parse(marked, (_name: string, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith(mark)) return revive(value, undefined)
    const source = value.slice(mark.length)
    return revive(Number(source), source)
  })
}

const hasSources = native('1', (_, source) => source === '1') === true

export const parseNumbers: ParseNumbers = hasSources ? native : portable
