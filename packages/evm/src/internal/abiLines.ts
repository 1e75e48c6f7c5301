import * as AbiSignature from '../AbiSignature.ts'
import type { EventAbi } from '../EventAbi.ts'
import { malformed } from './abiParameters.ts'

/** The members of structs by name, as in `(uint256 a, address b)`. */
export type Structs = ReadonlyMap<string, string>

const STRUCT = /^\s*struct\s+([A-Za-z_$][\w$]*)\s*\{([^{}]*)\}\s*;?\s*$/s
const OTHER = /^\s*(?:function|error|constructor|receive|fallback|struct)\b/
const ANONYMOUS = /\)\s*anonymous\s*$/
/** Maximum number of structs in each other, and of characters of a line with the members of its structs. */
const MOST_LEVELS = 8
const LONGEST = 4_096

/** Returns the structs of a human-readable ABI, such as `struct Point { uint256 x; uint256 y; }`. */
export function structsOf(entries: readonly unknown[]): Structs {
  const structs = new Map<string, string>()
  for (const entry of entries) {
    const [, name, body] = (typeof entry === 'string' && STRUCT.exec(entry)) || []
    if (name === undefined || body === undefined) continue
    const members = body.split(';').filter((member) => member.trim() !== '')
    structs.set(name, `(${members.join(',')})`)
  }
  return structs
}

/**
 * Reads a line of a human-readable ABI. Returns undefined if it is no event, and the name of an anonymous event.
 * @throws EvmError `EVM_MALFORMED`
 */
export function readLine(
  text: string,
  structs: Structs,
): { readonly event: EventAbi } | { readonly anonymous: string } | undefined {
  if (OTHER.test(text)) return undefined
  const line = text.replace(/[;\s]+$/, '')
  if (!/^\s*event\b/.test(line))
    throw malformed('expected a line such as "event Paused(address account)" or "function pause()"')
  const found = AbiSignature.parse(withMembers(line.replace(ANONYMOUS, ')'), structs))
  if (found.kind !== 'event') throw malformed('expected an event')
  if (ANONYMOUS.test(line)) return { anonymous: found.abi.name }
  if (found.isExact) return { event: found.abi }
  throw malformed(
    `event ${found.abi.name}: expected the names of parameters, and "indexed" where they are indexed`,
  )
}

/** Replaces the names of structs by their members. */
function withMembers(text: string, structs: Structs, levels = 0): string {
  if (levels > MOST_LEVELS || text.length > LONGEST)
    throw malformed(`expected at most ${MOST_LEVELS} nested structs and ${LONGEST} characters`)
  return text.replace(/([(,]\s*)([A-Za-z_$][\w$]*)/g, (all, before: string, name: string) => {
    const members = structs.get(name)
    return members === undefined ? all : `${before}${withMembers(members, structs, levels + 1)}`
  })
}
