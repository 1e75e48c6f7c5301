import type { FunctionAbi } from './ContractAbi.ts'
import type { EventAbi } from './EventAbi.ts'
import {
  assertType,
  type Budget,
  budget,
  malformed,
  type Parameter,
  readName,
} from './internal/abiParameters.ts'

/** What a signature describes. */
export type Described =
  | { readonly kind: 'function' | 'error'; readonly abi: FunctionAbi }
  | {
      readonly kind: 'event'
      readonly abi: EventAbi
      /** Whether the signature says which parameters are indexed, or has names for them. Otherwise this is not known. */
      readonly isExact: boolean
    }

/** Maximum length of a signature in characters. */
const LONGEST = 4_096
const MOST_INDEXED = 3
const MOST_LEVELS = 8
/** Words after a type that change nothing in its encoding. */
const MODIFIERS: ReadonlySet<string> = new Set(['calldata', 'memory', 'storage', 'payable'])

/**
 * Parses a signature as in Solidity, such as `transfer(address,uint256)`,
 * `function swap((address token, uint256 amount)[] steps) returns (uint256)` or
 * `event Transfer(address indexed from, address indexed to, uint256 value)`. Without a keyword, it is a function.
 * @throws EvmError `EVM_MALFORMED`
 * @example
 * ```ts
 * import { AbiSignature } from '@firn/evm'
 *
 * const { kind, abi } = AbiSignature.parse('event Paused(address account)')
 * console.log(kind, abi.name, abi.inputs.length) // event Paused 1
 * ```
 */
export function parse(text: string): Described {
  if (text.length > LONGEST) throw malformed(`expected a signature of at most ${LONGEST} characters`)
  const [, kind = 'function', name, rest = ''] =
    /^\s*(?:(function|event|error)\s+)?([A-Za-z_$][\w$]*)\s*(\(.*)$/s.exec(text) ?? []
  if (name === undefined) throw malformed('expected a signature such as transfer(address,uint256)')
  const reader: Reader = { tokens: tokensOf(rest), place: 0, left: budget() }
  const inputs = readTuple(reader, 0)
  const abi = { name: readName(name, kind), inputs: inputs.map(({ indexed: _, ...input }) => input) }
  if (kind !== 'event') {
    if (inputs.some(({ indexed }) => indexed))
      throw malformed(`${kind} ${name}: only events have indexed parameters`)
    return { kind: kind as 'function' | 'error', abi }
  }
  if (reader.place < reader.tokens.length)
    throw malformed(`event ${name}: unexpected text after the parameters`)
  if (inputs.filter(({ indexed }) => indexed).length > MOST_INDEXED)
    throw malformed(`event ${name}: expected at most ${MOST_INDEXED} indexed parameters`)
  const isExact = inputs.length === 0 || inputs.some(({ indexed, name }) => indexed || name !== '')
  return { kind, abi: { ...abi, inputs }, isExact }
}

interface Reader {
  readonly tokens: readonly string[]
  place: number
  readonly left: Budget
}

type Input = Parameter & { readonly indexed: boolean }

function tokensOf(text: string): readonly string[] {
  const tokens = text.match(/[A-Za-z_$][\w$]*|\[\d*\]|[(),]|\S/g) ?? []
  return tokens
}

/** Reads parameters in parentheses. */
function readTuple(reader: Reader, depth: number): readonly Input[] {
  if (depth > MOST_LEVELS) throw malformed(`expected at most ${MOST_LEVELS} nested tuples`)
  expect(reader, '(')
  if (reader.tokens[reader.place] === ')') {
    reader.place++
    return []
  }
  const inputs: Input[] = []
  while (true) {
    inputs.push(readInput(reader, depth))
    const next = reader.tokens[reader.place++]
    if (next === ')') return inputs
    if (next !== ',') throw unexpected(next)
  }
}

function readInput(reader: Reader, depth: number): Input {
  reader.left.nodes -= 1
  if (reader.left.nodes < 0) throw malformed('expected fewer parameters')
  const { tokens } = reader
  if (tokens[reader.place] === 'tuple') reader.place++
  const isTuple = tokens[reader.place] === '('
  const components = isTuple ? readTuple(reader, depth + 1).map(({ indexed: _, ...one }) => one) : undefined
  if (components?.length === 0) throw malformed('expected a tuple with members')
  let type = isTuple ? 'tuple' : whole(tokens[reader.place++] ?? '')
  while (/^\[\d*\]$/.test(tokens[reader.place] ?? '')) type += tokens[reader.place++]
  let indexed = false
  let name = ''
  while (/^[A-Za-z_$]/.test(tokens[reader.place] ?? '')) {
    const word = tokens[reader.place++] as string
    if (word === 'indexed') indexed = true
    else if (!MODIFIERS.has(word)) {
      if (name !== '') throw unexpected(word)
      name = readName(word, 'parameter')
    }
  }
  return {
    name,
    type: assertType(type, 'signature'),
    ...(components === undefined ? {} : { components }),
    indexed,
  }
}

/** Returns the full name of an elementary type. */
function whole(type: string): string {
  return type === 'uint' || type === 'int' ? `${type}256` : type
}

function expect(reader: Reader, token: string): void {
  const found = reader.tokens[reader.place++]
  if (found !== token) throw unexpected(found)
}

function unexpected(token: string | undefined) {
  return malformed(
    token === undefined
      ? 'the signature ends too early'
      : `unexpected ${JSON.stringify(token.slice(0, 40))} in the signature`,
  )
}
