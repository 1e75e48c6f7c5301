import { excerpt, isJsonObject } from '@firn/codec'
import { malformed } from './abiParameters.ts'

/** Maximum number of objects and texts around an ABI. */
const MOST_WRAPPINGS = 4
/** Maximum number of contracts that a message lists. */
const MOST_LISTED = 5

/**
 * Returns the entries of an ABI, which is the array that compilers write, or wrapped as in artifacts of Hardhat, Foundry
 * and Truffle (`abi`), metadata of contracts (`output.abi`), answers of explorers like Etherscan (`result`), or the
 * output of a compiler with one contract (`contracts`).
 * @throws EvmError `EVM_MALFORMED`
 */
export function entriesOf(json: unknown, wrappings = 0): readonly unknown[] {
  if (wrappings > MOST_WRAPPINGS) throw unknownForm()
  const next = (inner: unknown) => entriesOf(inner, wrappings + 1)
  if (typeof json === 'string') return next(parseText(json))
  if (Array.isArray(json)) return json
  if (!isJsonObject(json)) throw unknownForm()
  const { abi, ABI, output, contracts, result } = json
  if (abi !== undefined) return next(abi)
  if (ABI !== undefined) return next(ABI)
  if (output !== undefined) return next(output)
  if (isJsonObject(contracts)) return next(onlyContract(contracts))
  if (result === undefined) throw unknownForm()
  if (typeof result === 'string' && !/^\s*[[{]/.test(result))
    throw malformed(
      `expected an ABI, got the answer of an explorer that has none: ${excerpt(result)}; save the ABI that the compiler writes`,
    )
  return next(isSourceCode(result) ? result[0] : result)
}

/** Returns whether a value is the result of Etherscan's `getsourcecode`, which is a list of one contract. */
function isSourceCode(result: unknown): result is readonly unknown[] {
  return Array.isArray(result) && result.length === 1 && isJsonObject(result[0]) && 'ABI' in result[0]
}

/** Returns the contract in the output of a compiler: by file and name, or by `file:name`. */
function onlyContract(contracts: Readonly<Record<string, unknown>>): unknown {
  const all = Object.entries(contracts).flatMap(([file, inner]) =>
    isJsonObject(inner) && !('abi' in inner)
      ? Object.entries(inner).map(([name, one]) => ({ name, one }))
      : [{ name: file, one: inner }],
  )
  if (all.length === 1) return all[0]?.one
  const names = all.slice(0, MOST_LISTED).map(({ name }) => name)
  const listed = `${names.join(', ')}${all.length > MOST_LISTED ? ', …' : ''}`
  throw malformed(
    `expected the ABI of one contract, got ${all.length} contracts (${listed}); write the ABI of each to a file`,
  )
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed(
      `expected the text of an ABI, got ${excerpt(text)}; save the ABI that the compiler writes`,
    )
  }
}

function unknownForm() {
  return malformed(
    'expected an ABI: an array, an object with the array as "abi", or the answer of an explorer; remove other files from the folder',
  )
}
