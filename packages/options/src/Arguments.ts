import { parseArgs } from 'node:util'
import type { Options } from './Option.ts'
import { OptionsError } from './OptionsError.ts'
import * as Spelling from './Spelling.ts'
import * as Suggestion from './Suggestion.ts'
import * as Type from './Type.ts'

/**
 * A value given for an option, and the name under which it was given: a flag, variable or key. `place` is this name
 * as the user wrote it.
 */
export interface Given {
  readonly text: string
  readonly spelling: Spelling.Spelling
  readonly place: string
}

/** A parsed command line: operands, and the values of flags by option name. */
export interface Arguments {
  readonly flags: ReadonlyMap<string, readonly Given[]>
  readonly operands: readonly string[]
}

/** Options of every command. */
export const BUILT_IN = {
  help: { type: Type.flag, help: 'Print this help.' },
  version: { type: Type.flag, help: 'Print the version.' },
} satisfies Options

const SHORT: Readonly<Record<string, string>> = { '-h': 'help', '-v': 'version' }

/**
 * Splits a command line into flags and operands.
 * @throws OptionsError for an unknown flag, or for a flag without its required value
 */
export function parse(argv: readonly string[], options: Options): Arguments {
  const known = new Map(Spelling.all({ ...options, ...BUILT_IN }, false).map((one) => [one.flag, one]))
  const config = [...known].map(([flag, { type }]) => [
    flag,
    { type: type.isSwitch === true ? ('boolean' as const) : ('string' as const) },
  ])
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(config),
    strict: false,
    tokens: true,
  })
  const flags = new Map<string, Given[]>()
  const operands: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const given = read(token, known)
    flags.set(given.spelling.name, [...(flags.get(given.spelling.name) ?? []), given])
  }
  return { flags, operands }
}

type Token = {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function read(token: Token, known: ReadonlyMap<string, Spelling.Spelling>): Given {
  const { name, rawName: place, value, inlineValue } = token
  const spelling = known.get(place.startsWith('--') ? name : (SHORT[place] ?? ''))
  const isSwitch = spelling?.type.isSwitch === true
  // An argument that looks like a flag is not a value, unless it is a negative number.
  const isValue = value !== undefined && (inlineValue === true || !/^-\D/.test(value))
  if (spelling !== undefined && (isSwitch || isValue)) return { spelling, text: value ?? 'true', place }
  if (spelling !== undefined) {
    throw new OptionsError(`${place}: expected ${spelling.type.expected} after it`)
  }
  const negated = place.startsWith('--no-') ? known.get(name.slice('no-'.length)) : undefined
  if (negated?.type.isSwitch === true && value === undefined) {
    return { spelling: negated, text: 'false', place }
  }
  const likely = Suggestion.nearest(name, [...known.keys()])
  throw new OptionsError(
    `unknown option ${place}${likely === undefined ? '' : `; did you mean --${likely}?`}`,
  )
}
