import { Hex } from '@firn/codec'
import type { ContractFacts } from '@firn/evm'
import type { CallAnswer, CallContract } from './evmMethods.ts'

const word = (value: bigint | number | boolean): string => BigInt(value).toString(16).padStart(64, '0')

/** Encodes a string in ABI encoding, as contracts return it. For tests only. */
export function abiString(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return `0x${word(32)}${word(bytes.length)}${hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')}`
}

/**
 * Creates fake contracts whose answers come from `factsOf`. Calls to contracts of the kind `UNKNOWN` revert. For
 * tests only.
 */
export function createFakeContracts(factsOf: (address: Uint8Array) => ContractFacts): CallContract {
  return (to, data) => {
    const facts = factsOf(Hex.decode(to))
    const reverted: CallAnswer = { error: 'execution reverted', code: 3 }
    if (facts.kind === 'UNKNOWN') return reverted
    const id = data.slice(10, 18)
    switch (data.slice(2, 10)) {
      case '01ffc9a7': {
        if (facts.kind === 'ERC-20') return reverted
        const kind = facts.kind === 'ERC-721' ? '80ac58cd' : 'd9b67a26'
        return { result: `0x${word(id === '01ffc9a7' || id === kind)}` }
      }
      case '18160ddd':
        return facts.kind === 'ERC-20' ? { result: `0x${word(10n ** 24n)}` } : reverted
      case '313ce567':
        return facts.decimals === undefined ? reverted : { result: `0x${word(facts.decimals)}` }
      case '06fdde03':
        return facts.name === undefined ? reverted : { result: abiString(facts.name) }
      case '95d89b41':
        return facts.symbol === undefined ? reverted : { result: abiString(facts.symbol) }
      default:
        return reverted
    }
  }
}
