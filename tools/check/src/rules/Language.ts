import type { Finding, Rule, Subject, Violation } from '../Rule.ts'
import type { Source } from '../Source.ts'

/** Phrases that a reader has to read twice, and what to write instead. */
const PHRASES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\btold\b/gi, 'sent, returned, reported or shown'],
  [/\bwhat[\s*/]+is[\s*/]+(known|left|stored)\b/gi, 'the name of the thing'],
  [/\bgone\b(?! \(410\))/gi, 'expired, closed, removed or disconnected'],
  [/\bany[\s*/]*more\b/gi, 'no longer'],
  [
    // Without a noun after it: "the validators of its own subnet" is plain.
    /\bof (?:its|their|our) own(?=[^\s\w]|\s*$|[\s*]+(?:and|or|but|with|that|which|so|to|in|on|at|from|for|by|only|until|is|are|takes?|if|when|where|because|such|as|an?|the|has|have)\b)/gi,
    'separate or dedicated',
  ],
  [/\b(those|that)[\s*/]+of\b/gi, 'the noun again'],
]

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

const violationsIn = (
  path: string,
  texts: readonly Text[],
  lineAt: (position: number) => number,
): readonly Violation[] =>
  texts.flatMap(({ text, start }) =>
    PHRASES.flatMap(([pattern, instead]) =>
      [...blank(text).matchAll(pattern)].map(({ 0: found, index }) => ({
        where: `${path}:${lineAt(start + index)}`,
        message: `"${found.replace(/[\s*/]+/g, ' ')}": write ${instead}`,
      })),
    ),
  )

const run = ({ workspace, sources }: Subject): Finding => {
  const documents = workspace.files.filter(isDocument)
  return {
    examined: `${sources.length} sources, ${documents.length} documents`,
    violations: [
      ...sources.flatMap((source) => violationsIn(source.path, textsOf(source), source.lineAt)),
      ...documents.flatMap((path) => {
        const text = workspace.read(path)
        return violationsIn(path, [{ text, start: 0 }], (at) => text.slice(0, at).split('\n').length)
      }),
    ],
  }
}

/** Checks that comments, strings and documents do not use phrases that are hard to read. */
export const language: Rule = { name: 'language', run }
