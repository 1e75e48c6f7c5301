import type { Finding, Rule, Subject, Violation } from '../Rule.ts'
import type { Source } from '../Source.ts'
import { folderOf } from '../Workspace.ts'

/** Number of times that a folder still uses a phrase. A number may only fall. */
const HELD = 'tools/check/language.json'

/** Phrases that a reader has to read twice, and what to write instead. */
const PHRASES: Readonly<Record<string, readonly [pattern: RegExp, instead: string]>> = {
  told: [/\btold\b/gi, 'sent, returned, reported or shown'],
  'what-is-known': [/\bwhat is (known|left|stored)\b/gi, 'the name of the thing'],
  gone: [/\bgone\b(?! \(410\))/gi, 'expired, closed, removed or disconnected'],
  'any-more': [/\bany ?more\b/gi, 'no longer'],
  'of-its-own': [
    // Without a noun after it: "the validators of its own subnet" is plain.
    /\bof (?:its|their|our) own(?=[^\s\w]|\s*$|[\s*]+(?:and|or|but|with|that|which|so|to|in|on|at|from|for|by|only|until|is|are|takes?|if|when|where|because|such|as|an?|the|has|have)\b)/gi,
    'separate or dedicated',
  ],
  'those-of': [/\b(those|that) of\b/gi, 'the noun again'],
}

/** A piece of text and its position in the file. */
type Text = { readonly text: string; readonly start: number }

/** Code and the name of the HTTP status are not language. They are replaced by spaces, so that positions stay. */
const blank = (text: string): string =>
  text.replace(/```[\s\S]*?```|`[^`\n]*`|\b410 Gone\b|\$\{[^}]*\}/g, (code) => code.replace(/[^\n]/g, ' '))

/** Returns the comments, texts in JSX, and strings of several words, which are titles, errors and help. */
const textsOf = ({ comments, nodes }: Source): readonly Text[] => [
  ...comments.map(({ value, start }) => ({ text: value, start })),
  ...nodes.flatMap((node): readonly Text[] => {
    const { type, start, value } = node
    const text = type === 'TemplateElement' ? (value as { readonly raw: string }).raw : value
    if (!/^(Literal|TemplateElement|JSXText)$/.test(type) || typeof text !== 'string') return []
    return /\S\s+\S/.test(text) ? [{ text, start }] : []
  }),
]

const isDocument = (path: string): boolean =>
  /\.md$/.test(path) && !/\/(vectors|gen)\/|(^|\/)api\.md$|^\.changeset\//.test(path)

type Place = {
  readonly folder: string
  readonly phrase: string
  readonly where: string
  readonly found: string
}

const placesIn = (
  path: string,
  texts: readonly Text[],
  lineAt: (position: number) => number,
): readonly Place[] =>
  texts.flatMap(({ text, start }) =>
    Object.entries(PHRASES).flatMap(([phrase, [pattern]]) =>
      [...blank(text).matchAll(pattern)].map(({ 0: found, index }) => ({
        folder: folderOf(path),
        phrase,
        where: `${path}:${lineAt(start + index)}`,
        found,
      })),
    ),
  )

const violationsOf = (phrase: string, places: readonly Place[], folder: string, held: number) => {
  const { length } = places
  if (length === held) return []
  const count = `"${phrase}" is used ${length} times, but the folder is held to ${held}`
  if (length < held) return [{ where: HELD, message: `${folder}: ${count}; lower the number` }]
  return places.map(({ where, found }) => ({
    where,
    message: `"${found}": write ${PHRASES[phrase]?.[1]}${held > 0 ? `; ${count}` : ''}`,
  }))
}

const run = ({ workspace, sources }: Subject): Finding => {
  const documents = workspace.files.filter(isDocument)
  const places = [
    ...sources.flatMap((source) => placesIn(source.path, textsOf(source), source.lineAt)),
    ...documents.flatMap((path) => {
      const text = workspace.read(path)
      return placesIn(path, [{ text, start: 0 }], (at) => text.slice(0, at).split('\n').length)
    }),
  ]
  const held = workspace.files.includes(HELD)
    ? (JSON.parse(workspace.read(HELD)) as Record<string, Record<string, number>>)
    : {}
  const folders = new Set([...Object.keys(held), ...places.map(({ folder }) => folder)])
  const violations = [...folders].flatMap((folder): readonly Violation[] =>
    Object.keys(PHRASES).flatMap((phrase) => {
      const found = places.filter((place) => place.folder === folder && place.phrase === phrase)
      return violationsOf(phrase, found, folder, held[folder]?.[phrase] ?? 0)
    }),
  )
  const rest = places.length === 0 ? '' : `, ${places.length} places held`
  return { examined: `${sources.length} sources, ${documents.length} documents${rest}`, violations }
}

/**
 * Checks that comments, strings and documents do not use phrases that are hard to read. A folder may keep the number of
 * times that `language.json` states.
 */
export const language: Rule = { name: 'language', run }
